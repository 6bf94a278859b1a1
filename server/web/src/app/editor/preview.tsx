// The Markdown of a field as candidates see it. The server renders it when it saves.
import { Html } from '../../shared/html.tsx'
import { text } from '../../shared/i18n.tsx'
import { Pictures } from './pictures.tsx'
import { isPlain, type Rendered } from './plain.ts'
import { renderedAt } from './rendered.ts'
import type { FieldEditor } from './state.ts'

interface Props {
  editor: FieldEditor
  place: string
  /** The text in the field now. */
  source: string
}

/** Preview also has what adds pictures to the field. An email shows none. It shows no text that looks the same in the field. */
export function Preview(props: Props) {
  return (
    <>
      {props.place !== '/inviteMessage' && <Pictures place={props.place} source={props.source} />}
      <Shown {...props} />
    </>
  )
}

function Shown({ editor, place, source }: Props) {
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
