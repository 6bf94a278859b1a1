// Questions from pasted lines.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { Dialog } from '../core/dialogs.tsx'
import { DraftNote } from '../core/draft.tsx'
import { useDraft } from '../core/drafts.ts'
import { hasText } from '../core/faults.ts'
import { notify } from '../core/notices.tsx'
import { loadTexts } from '../core/texts.ts'
import importDe from '../import/de.json?url'
import importEn from '../import/en.json?url'
import { parseLines } from '../import/paste.ts'
import { addQuestions } from './actions.ts'
import { questionOfInput } from './contract.ts'
import { deleteQuestion, insertQuestions, questionCount, limits, stageOf } from './model.ts'
import type { Editor } from './state.ts'

/** pasteInto replaces an empty question with the questions in the lines. It returns whether there are any. */
export function pasteInto(editor: Editor, key: string, lines: string): boolean {
  const { questions, faults } = parseLines(lines)
  const hasOptions = questions.some((input) => 'options' in input && (input.options?.length ?? 0) > 1)
  if (faults.length > 0 || !hasOptions) return false
  const doc = editor.doc.peek()
  const stage = stageOf(doc, key)
  if (!stage || questionCount(doc) - 1 + questions.length > limits.questions) return false
  const added = questions.map(questionOfInput)
  const index = stage.questions.findIndex((question) => question.key === key)
  const place = `/q/${added[0]!.key}/prompt`
  editor.change(insertQuestions(deleteQuestion(doc, key), stage.key, index, added), place)
  editor.show(place)
  report(editor, added.length)
  return true
}

function report(editor: Editor, count: number): void {
  notify(text('editor.pasted', { count }), { label: text('editor.undo'), act: () => void editor.undo() })
}

function reasonText(reason: string): string {
  const key = `import.reason.${reason}`
  return hasText(key) ? text(key) : text('editor.paste.unclear')
}

interface Props {
  editor: Editor
  /** The question or the stage after which the questions are added. */
  after: string
  close(): void
}

export function PasteDialog({ editor, after, close }: Props) {
  const draft = useDraft('paste', () => '')
  const lines = draft.value
  const { questions, faults } = useMemo(() => parseLines(lines), [lines])
  // The reasons are in the texts of the import. Until they are loaded, each line has a general one.
  const [, update] = useState({})
  useEffect(() => {
    loadTexts({ de: importDe, en: importEn }).then(
      () => update({}),
      () => undefined,
    )
  }, [])
  const add = () => {
    if (questions.length === 0 || !addQuestions(editor, after, questions.map(questionOfInput))) return
    draft.forget()
    close()
    report(editor, questions.length)
  }
  return (
    <Dialog title={text('editor.paste')} close={close} kind="wide">
      <p class="muted">{text('editor.paste.text')}</p>
      <pre class="editor-paste-example">{text('editor.paste.example')}</pre>
      {draft.isBack && <DraftNote discard={draft.drop} />}
      <div class="form-row">
        <label for="editor-paste">{text('editor.paste.lines')}</label>
        <textarea
          id="editor-paste"
          class="field"
          rows={8}
          value={lines}
          aria-describedby="editor-paste-found"
          onInput={(event) => draft.set(event.currentTarget.value)}
        />
      </div>
      <div id="editor-paste-found" role="status">
        {lines.trim() && <p>{text('editor.paste.found', { count: questions.length })}</p>}
        {faults.length > 0 && (
          <ul class="editor-paste-faults">
            {faults.slice(0, 20).map(({ line, text: source, reason }) => (
              <li key={line}>
                {text('editor.paste.line', { line })} {reasonText(reason)} <code>{source}</code>
              </li>
            ))}
          </ul>
        )}
      </div>
      <div class="go">
        <button type="button" class="button primary" aria-disabled={questions.length === 0} onClick={add}>
          {text('editor.paste.add', { count: questions.length })}
        </button>
        <button type="button" class="button" onClick={close}>
          {text('dialog.cancel')}
        </button>
      </div>
    </Dialog>
  )
}
