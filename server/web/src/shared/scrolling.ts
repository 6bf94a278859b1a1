// What scrolls sideways must be reachable by keyboard, but only while it scrolls.

const names = new WeakMap<Element, (() => string) | undefined>()

// One observer serves all blocks of the page.
const observer = new ResizeObserver((blocks) => {
  for (const { target } of blocks) {
    // A table can become wider inside a block that stays as it is.
    const block = (names.has(target) ? target : target.parentElement) as HTMLElement | null
    if (block && names.has(block)) mark(block)
  }
})

function mark(block: HTMLElement): void {
  if (block.scrollWidth <= block.clientWidth) {
    for (const name of ['tabindex', 'role', 'aria-label']) block.removeAttribute(name)
    return
  }
  block.tabIndex = 0
  const label = names.get(block)?.()
  if (!label) return
  block.setAttribute('role', 'group') // not a region, because a page with 50 landmarks has none
  block.setAttribute('aria-label', label)
}

/** watchScrolling lets the keyboard reach the block while its content is too wide. It returns how to stop. */
export function watchScrolling(block: HTMLElement, label?: () => string): () => void {
  names.set(block, label)
  const watched = [block, ...block.children]
  for (const element of watched) observer.observe(element)
  return () => watched.forEach((element) => observer.unobserve(element))
}
