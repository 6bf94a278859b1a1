// What a page looks like: sizes of targets, clipped texts, and what covers the focus.
import type { Page } from 'playwright-core'

/** The spacing of text that WCAG 2.2, 1.4.12, asks a page to stand. */
const textSpacing =
  '* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important } p { margin-bottom: 2em !important }'

/** Spaces the texts of the page, or removes the spacing. */
export async function spaceTexts(page: Page, spaced: boolean): Promise<void> {
  await page.evaluate(
    (rules) => {
      // The policy of the page forbids style elements.
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(rules)
      document.adoptedStyleSheets = [sheet]
    },
    spaced ? textSpacing : '',
  )
}

/** Elements that a person can press and that are smaller than 44 × 44 px. Links within a sentence may be smaller. */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isInSentence = (element: Element) =>
      getComputedStyle(element).display === 'inline' &&
      element.parentElement!.closest(':not(bdi)')!.textContent !== element.textContent
    return [...document.querySelectorAll('a[href], button, input, select, textarea, summary')].flatMap((element) => {
      const target = element.matches('input[type=radio], input[type=checkbox]') ? element.closest('label')! : element
      const { width, height } = target.getBoundingClientRect()
      const isHidden = width === 0 || !element.checkVisibility({ visibilityProperty: true })
      if (isHidden || (element.matches('a') && isInSentence(element)) || (width >= 43.5 && height >= 43.5)) return []
      return [`${Math.round(width)} × ${Math.round(height)}: ${target.outerHTML.slice(0, 120)}`]
    })
  })
}

/** Sideways scrolling of the page, and texts that are cut off. */
export function overflows(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const found: string[] = []
    const scrolls = 'pre, .scroll, .table-box, .tabs, .skip, .unseen, .who, .editor-outline .name, svg, option, textarea[wrap=off]'
    for (const element of document.querySelectorAll<HTMLElement>('body *')) {
      // Code, tables, and lines with numbers scroll inside themselves. The bar repeats what the title says, and the
      // outline of the editor what the questions say.
      if (element.closest(scrolls) || !element.checkVisibility()) continue
      const box = element.getBoundingClientRect()
      // A long text scrolls inside its field.
      const isClipped = getComputedStyle(element).overflowX !== 'visible' && !element.matches('input')
      const isCut = isClipped && element.scrollWidth > element.clientWidth + 1
      if (isCut || box.right > innerWidth + 1 || box.left < -1) found.push(element.outerHTML.slice(0, 120))
    }
    return scrollWidth > clientWidth
      ? [`the page is ${scrollWidth} px wide instead of ${clientWidth}`, ...found]
      : found
  })
}

/** Texts in which nothing stands before a full stop or a comma, or between a colon and a full stop: a parameter was empty. */
export function gaps(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('p, dd, dt, li, td, th, h1, h2, h3, label, button, span')].flatMap((element) => {
      // Code and texts that people type can contain anything.
      if (element.closest('pre, code, textarea, [translate=no]') || !element.checkVisibility()) return []
      const text = element.innerText
      return /[^\s.][ \u00a0][.,](?=\s|$)|:\s*\.(?=\s|$)|\{\w+\}/.test(text) ? [text.slice(0, 120)] : []
    }),
  )
}

/** Transitions and animations. */
export function motions(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const moving = [...document.querySelectorAll('*')].filter((element) => {
      const { transitionDuration, animationName, animationDuration, scrollBehavior } = getComputedStyle(element)
      // An animation without a duration only delays.
      const isAnimated = animationName !== 'none' && animationDuration !== '0s'
      return /[1-9]/.test(transitionDuration) || isAnimated || scrollBehavior === 'smooth'
    })
    return moving.map((element) => element.outerHTML.slice(0, 120))
  })
}

/**
 * Presses the key until the focus returns to where it began, and lists the elements whose
 * focus cannot be seen: without an outline, out of sight, or under a bar that stays in sight.
 */
export async function hiddenFocus(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<string[]> {
  const found: string[] = []
  await page.evaluate(() => {
    ;(window as unknown as { visited: Set<Element> }).visited = new Set()
  })
  for (let i = 0; i < 100; i++) {
    await page.keyboard.press(key)
    const fault = await page.evaluate(describeFocus)
    if (fault === 'end') return found
    // A view without controls has nothing to focus.
    if (fault === 'none' && i > 0) return found
    if (fault !== '' && fault !== 'none') found.push(fault)
  }
  return [...found, 'the focus does not return to where it began']
}

/** Runs in the page. Returns 'end' at an element that had the focus before. */
function describeFocus(): string {
  const { visited } = window as unknown as { visited: Set<Element> }
  const focused = document.activeElement
  if (!focused || focused === document.body || focused.matches('h1, h2')) return visited.size > 0 ? 'end' : 'none'
  if (visited.has(focused)) return 'end'
  visited.add(focused)
  const shown = focused.closest('.option') ?? focused
  const name = shown.outerHTML.slice(0, 120)
  const { outlineStyle, outlineWidth } = getComputedStyle(shown)
  if (outlineStyle === 'none' || parseFloat(outlineWidth) < 2) return `no outline: ${name}`
  const box = shown.getBoundingClientRect()
  // The place that the bars leave.
  let [top, bottom] = [0, innerHeight]
  for (const bar of document.querySelectorAll('body *')) {
    if (!['sticky', 'fixed'].includes(getComputedStyle(bar).position) || bar.contains(shown)) continue
    const place = bar.getBoundingClientRect()
    if (place.width < innerWidth / 2 || place.height === 0 || !bar.checkVisibility()) continue
    if (place.top <= 0) top = Math.max(top, place.bottom)
    else if (place.bottom >= innerHeight - 1) bottom = Math.min(bottom, place.top)
  }
  // What is higher than the place fills it.
  if (box.height > bottom - top) return box.top <= top + 1 || box.bottom >= bottom - 1 ? '' : `out of sight: ${name}`
  if (box.top < top - 1 || box.bottom > bottom + 1) {
    return `covered: ${Math.round(box.top)} to ${Math.round(box.bottom)}, in sight ${Math.round(top)} to ${Math.round(bottom)}: ${name}`
  }
  return ''
}
