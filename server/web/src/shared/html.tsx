// HTML that the server has rendered from Markdown and sanitized.
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { contentLanguage, text } from './i18n.tsx'
import type { pictures as Pictures } from './pictures.ts'
import address from './pictures.ts?url'

interface Policy {
  createHTML(html: string): unknown
}
declare global {
  interface Window {
    trustedTypes?: { createPolicy(name: string, rules: Policy): Policy }
  }
}

// The only way in which text becomes HTML on the page. The name is in the page's
// Content-Security-Policy.
const rules: Policy = { createHTML: (html) => html }
const policy = (globalThis as unknown as Window).trustedTypes?.createPolicy('assay', rules) ?? rules

/** trusted permits HTML that the server has sanitized or escaped. */
export const trusted = (html: string): string => policy.createHTML(html) as string

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
 * Code, tables, and formulas that are too wide scroll inside themselves.
 */
export function Html({ html, class: name, lang, id }: Props) {
  const place = useRef<HTMLDivElement>(null)
  // One object for one text: Preact replaces the elements of another object, with what is changed below.
  const safe = useMemo(() => ({ __html: trusted(html) }), [html])
  useLayoutEffect(() => arrange(place.current!), [html])
  return (
    <div
      id={id}
      class={`prose ${name ?? ''}`}
      dir="auto"
      lang={lang ?? contentLanguage.value}
      ref={place}
      dangerouslySetInnerHTML={safe}
    />
  )
}

// What is too wide scrolls in itself, and the keyboard must reach it, but only while it scrolls. One
// observer serves all blocks.
const observer = new ResizeObserver((changed) => {
  for (const { target } of changed) {
    const block = target.closest('pre,.scroll')!
    const isScrolling = block.scrollWidth > block.clientWidth
    // The name of an option, or of a formula, which is a span, is its content. A label would replace it.
    const isNamed = isScrolling && !block.closest('span,label')
    const set = (name: string, value: string | false) =>
      value ? block.setAttribute(name, value) : block.removeAttribute(name)
    set('tabindex', isScrolling && '0')
    set('role', isNamed && 'group') // not a region, because a page with 50 landmarks has none
    set('aria-label', isNamed && text(block.matches('pre') ? 'prose.code' : 'prose.table'))
  }
})

function arrange(place: HTMLElement): () => void {
  for (const code of place.querySelectorAll<HTMLElement>('pre,code')) {
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
  // Without this part, a picture is only shown.
  if (place.querySelector('img'))
    import(address).then((part: { pictures: typeof Pictures }) => part.pictures(place, text), () => {})
  const blocks = place.querySelectorAll('pre,.scroll,table') // a table can become wider in its block
  blocks.forEach((block) => observer.observe(block))
  return () => blocks.forEach((block) => observer.unobserve(block))
}
