// Texts of the organization, which the server has rendered from Markdown.
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Html } from '../../shared/html.tsx'
import { text } from '../../shared/i18n.tsx'

// A block that scrolls must be reachable by keyboard. One observer serves all blocks.
const observer = new ResizeObserver((blocks) => {
  for (const { target } of blocks) {
    const block = target as HTMLElement
    if (block.scrollWidth <= block.clientWidth) {
      for (const name of ['tabindex', 'role', 'aria-label']) block.removeAttribute(name)
      continue
    }
    block.tabIndex = 0
    block.setAttribute('role', 'group') // not a region, because a page with 50 landmarks has none
    block.setAttribute('aria-label', text(block.matches('pre') ? 'prose.code' : 'prose.table'))
  }
})

/** Prose shows a text of the organization. Code and tables scroll inside themselves. */
export function Prose({ html, class: name = '', id }: { html: string; class?: string; id?: string }) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    for (const table of place.current!.querySelectorAll('table')) {
      const scroll = document.createElement('div')
      scroll.className = 'scroll'
      table.replaceWith(scroll)
      scroll.append(table)
    }
    const blocks = [...place.current!.querySelectorAll<HTMLElement>('pre, .scroll')]
    for (const block of blocks) {
      // dir=auto of the text ignores elements with a direction of their own.
      if (block.matches('pre')) block.dir = 'ltr'
      observer.observe(block)
    }
    return () => blocks.forEach((block) => observer.unobserve(block))
  }, [html])
  return <Html place={place} class={`prose ${name}`} id={id} html={html} />
}
