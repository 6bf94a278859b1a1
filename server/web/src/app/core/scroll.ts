// Where the person was on a screen, so that Back returns to the same place in a list.
const positions = new Map<string, number>()
let restored: number | undefined

history.scrollRestoration = 'manual'
addEventListener('scroll', () => positions.set(location.href, scrollY), { passive: true })
// This listener runs before the router shows the screen.
addEventListener('popstate', () => (restored = positions.get(location.href)), { capture: true })

/** place scrolls a screen that has just opened: to its top, or after Back to where the person was. */
export function place(): void {
  const wanted = restored ?? 0
  restored = undefined
  scrollTo(0, wanted)
  if (wanted === 0) return
  // The list that the position belongs to can still be loading.
  let until = performance.now() + 2000
  const again = () => {
    if (scrollY >= wanted - 1 || performance.now() > until) return
    scrollTo(0, wanted)
    requestAnimationFrame(again)
  }
  requestAnimationFrame(again)
  // The person scrolls by themselves.
  for (const type of ['wheel', 'touchmove', 'keydown']) addEventListener(type, () => (until = 0), { once: true, passive: true })
}
