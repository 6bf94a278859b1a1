// Finds texts that are cut off or that leave their place.
import type { Page } from 'playwright-core'

/** The elements whose content is wider than they are, that leave the window, or whose text lies on that of another. */
export function overflows(page: Page): Promise<string[]> {
  return page.evaluate(find)
}

/** Runs in the page. */
function find(): string[] {
  const faults: string[] = []
  const name = (element: Element) => `${element.tagName.toLowerCase()}.${element.className || element.id} "${(element.textContent ?? '').trim().slice(0, 40)}"`
  const isSeen = (element: Element) => element.checkVisibility({ visibilityProperty: true }) && !element.closest('.unseen, svg, noscript')
  const scrolls = (element: Element) => /auto|scroll/.test(getComputedStyle(element).overflowX)
  const width = document.documentElement.clientWidth
  if (document.documentElement.scrollWidth > width) faults.push(`the page is ${document.documentElement.scrollWidth} px wide`)

  for (const element of document.querySelectorAll('body *')) {
    if (!isSeen(element) || [...ancestors(element)].some(scrolls)) continue
    const { left, right } = element.getBoundingClientRect()
    if (right > left && (left < -1 || right > width + 1)) faults.push(`leaves the window: ${name(element)}`)
    if (getComputedStyle(element).display !== 'inline' && element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1) {
      faults.push(`is cut off: ${name(element)}`)
    }
    const isClipped = /hidden|clip/.test(getComputedStyle(element).overflowY)
    if (isClipped && element.scrollHeight > element.clientHeight + 1) faults.push(`is cut off below: ${name(element)}`)
  }

  // Lines of text of different elements must not lie on each other. What is fixed or
  // sticky may cover the text that scrolls below it.
  const lines: { box: DOMRect; owner: Element }[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const owner = walker.currentNode.parentElement!
    if (!walker.currentNode.textContent?.trim() || !isSeen(owner) || owner.closest('option')) continue
    if ([owner, ...ancestors(owner)].some((one) => /fixed|sticky/.test(getComputedStyle(one).position) || scrolls(one))) continue
    const range = document.createRange()
    range.selectNodeContents(walker.currentNode)
    for (const box of range.getClientRects()) lines.push({ box, owner })
  }
  for (const [index, one] of lines.entries()) {
    for (const other of lines.slice(index + 1)) {
      if (one.owner === other.owner) continue
      const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
      const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
      if (across > 2 && down > 4) faults.push(`lies on another text: ${name(one.owner)} and ${name(other.owner)}`)
    }
  }
  return faults

  function* ancestors(element: Element): Generator<Element> {
    for (let at = element.parentElement; at; at = at.parentElement) yield at
  }
}
