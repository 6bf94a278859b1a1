// What a page looks like on paper.
import type { Page } from 'playwright-core'
import { outOfReach } from './hostile.ts'

/** Lists what hides a text on paper: bars that stay in sight on a screen, blocks that scroll, and light ink. */
export async function unprintable(page: Page): Promise<string[]> {
  const size = page.viewportSize()!
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.setViewportSize({ width: 700, height: 900 }) // A4 with its margins
  const found = [...(await outOfReach(page)), ...(await page.evaluate(find))]
  await page.emulateMedia({ media: null, colorScheme: null })
  await page.setViewportSize(size)
  return found
}

/** Runs in the page. */
function find(): string[] {
  const seen = [...document.querySelectorAll('body *')].filter((element) => element.checkVisibility())
  const name = (element: Element) => element.outerHTML.slice(0, 100)
  const staying = seen.filter(
    (element) => /fixed|sticky/.test(getComputedStyle(element).position) && !element.matches('dialog'),
  )
  const scrolling = seen.filter(
    (element) => element.scrollWidth > element.clientWidth && /auto|scroll/.test(getComputedStyle(element).overflowX),
  )
  const light = seen.filter((element) => {
    const isText = [...element.childNodes].some((node) => node instanceof Text && node.data.trim())
    const [r = 0, g = 0, b = 0] = getComputedStyle(element).color.match(/\d+/g)!.map(Number)
    const ownGround = '.button, .mark, .tag, .settings-sample'
    return isText && Math.min(r, g, b) > 200 && !element.closest(ownGround)
  })
  return [
    ...staying.map((element) => `stays in sight: ${name(element)}`),
    ...scrolling.map((element) => `scrolls: ${name(element)}`),
    ...light.map((element) => `is light on paper: ${name(element)}`),
  ]
}
