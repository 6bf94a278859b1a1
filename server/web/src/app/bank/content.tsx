// A question as people read it: the text, the key, and the explanation.
import { text } from '../../shared/i18n.tsx'
import { Html } from '../../shared/html.tsx'
import { useMemo } from 'preact/hooks'
import type { Schemas } from '../core/api.ts'
import { questionOfInput } from '../editor/contract.ts'
import type { Part } from '../editor/rendered.ts'
import { shown } from '../editor/shown.tsx'

/** Content shows what the server has saved and rendered. */
export function Content({ of: saved }: { of: Schemas['Question'] }) {
  const question = useMemo(() => questionOfInput(saved), [saved])
  const rendered: Part = Object.fromEntries(
    (saved.options ?? []).map(({ id, text, textHtml: html }) => [`options/${id}`, { text, html }]),
  )
  const { Key, points, explanation = 'editor.explanation' } = shown[question.type]
  const about = points?.(question)
  return (
    <div class="editor-card-body">
      {saved.prompt.trim() ? <Html html={saved.promptHtml} /> : <em class="muted">{text('editor.prompt.empty')}</em>}
      <Key question={question} rendered={rendered} />
      <p class="editor-card-meta muted small">
        {text(`editor.type.${question.type}`)} · {text('editor.points.count', { count: question.points })}
        {about && ` · ${about}`}
        {saved.explanation && (
          <span class="editor-card-explanation">{text(`${explanation}.is`, { text: saved.explanation })}</span>
        )}
      </p>
    </div>
  )
}
