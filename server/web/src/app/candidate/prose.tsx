// A text of the organization as HTML, in the language of its assessment.
import { Html } from '../../shared/html.tsx'

export function Prose({ html, lang, class: more }: { html: string; lang?: string | null | undefined; class?: string }) {
  return <Html class={more ? `prose ${more}` : 'prose'} html={html} lang={lang ?? undefined} />
}
