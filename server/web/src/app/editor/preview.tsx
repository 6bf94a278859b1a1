// The Markdown of a field as candidates see it. The server renders it when it saves.
import { Html } from '../../shared/html.tsx'
import { text } from '../../shared/i18n.tsx'
import { isPlain, type Rendered } from './plain.ts'
import { renderedAt } from './rendered.ts'
import type { Editor } from './state.ts'

interface Props {
  editor: Editor
  place: string
  /** The text in the field now. */
  source: string
}

/** Preview is empty for a text without Markdown, which looks the same in the field. */
export function Preview({ editor, place, source }: Props) {
  const rendered = renderedAt(editor.rendered.value, place)
  if (!rendered || !source.trim() || isPlain(rendered)) return null
  const isOld = rendered.text !== source
  return (
    <figure class="editor-preview">
      <figcaption class="muted small">{text(isOld ? 'editor.preview.old' : 'editor.preview')}</figcaption>
      <Html html={rendered.html} class={isOld ? 'stale' : ''} />
    </figure>
  )
}

/** Markdown shows a text rendered if the server has rendered exactly this text. */
export function Markdown({ rendered, source }: { rendered: Rendered | undefined; source: string }) {
  if (!rendered || rendered.text !== source || isPlain(rendered)) return <span dir="auto">{source}</span>
  return <Html html={rendered.html} />
}
