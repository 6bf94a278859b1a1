// HTML that the server has rendered from Markdown and sanitized.
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { contentLanguage, text } from './i18n.tsx'
import { watchScrolling } from './scrolling.ts'

interface Policy {
  createHTML(html: string): unknown
}
declare const trustedTypes:
  { createPolicy(name: string, rules: { createHTML(html: string): string }): Policy } | undefined

// The only way in which text becomes HTML on the page. The name is in the page's
// Content-Security-Policy.
const policy: Policy =
  typeof trustedTypes === 'undefined'
    ? { createHTML: (html) => html }
    : trustedTypes.createPolicy('assay', { createHTML: (html) => html })

interface Props {
  html: string
  class?: string
  /** The language of the text, if it is not that of the page's assessment. */
  lang?: string | null | undefined
  id?: string | undefined
}

/**
 * Html shows sanitized HTML of the server (a field of the contract whose name ends
 * with Html). It is a text of the organization, in the language of the assessment.
 * Code and tables that are too wide scroll inside themselves.
 */
export function Html({ html, class: name, lang, id }: Props) {
  const place = useRef<HTMLDivElement>(null)
  // One object for one text: Preact replaces the elements of another object, with what is changed below.
  const safe = useMemo(() => ({ __html: policy.createHTML(html) as string }), [html])
  useLayoutEffect(() => arrange(place.current!), [html])
  return (
    <div
      id={id}
      class={name ? `prose ${name}` : 'prose'}
      dir="auto"
      lang={lang ?? contentLanguage.value}
      ref={place}
      dangerouslySetInnerHTML={safe}
    />
  )
}

function arrange(place: HTMLElement): () => void {
  for (const code of place.querySelectorAll<HTMLElement>('pre, code')) {
    code.translate = false
    // dir=auto of the text ignores elements with a direction of their own.
    code.dir = 'ltr'
  }
  for (const table of place.querySelectorAll('table')) {
    const scroll = document.createElement('div')
    scroll.className = 'scroll'
    table.replaceWith(scroll)
    scroll.append(table)
  }
  // The name of an option is its content. A label inside would replace the content that it belongs to.
  const isName = place.closest('label') !== null
  const stops = [...place.querySelectorAll<HTMLElement>('pre, .scroll')].map((block) =>
    watchScrolling(block, isName ? undefined : () => text(block.matches('pre') ? 'prose.code' : 'prose.table')),
  )
  return () => stops.forEach((stop) => stop())
}
