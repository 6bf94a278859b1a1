// What a screen reader announces: the texts that appear in live regions.
import type { Page } from 'playwright-core'

export type Announcement = {
  text: string
  politeness: 'polite' | 'assertive'
  /** Milliseconds since the document started. */
  at: number
  /** Whether the region appeared together with its text. Screen readers often miss such a text. */
  late: boolean
}

/** Records from before the scripts of the page. */
export async function recordLiveRegions(page: Page): Promise<void> {
  await page.addInitScript(record)
}

/** The announcements since the document was loaded. */
export function announcements(page: Page): Promise<Announcement[]> {
  return page.evaluate(() => (window as unknown as { announced: Announcement[] }).announced)
}

/** The texts of the announcements since the document was loaded. */
export async function announced(page: Page): Promise<string[]> {
  return (await announcements(page)).map(({ text }) => text)
}

/** Waits until a text is announced that contains the given one. */
export async function awaitAnnouncement(page: Page, text: string, timeout = 10_000): Promise<void> {
  await page.waitForFunction(
    (wanted) => (window as unknown as { announced: Announcement[] }).announced.some((one) => one.text.includes(wanted)),
    text,
    { timeout },
  )
}

/** Runs in the page. */
function record(): void {
  const announced: Announcement[] = []
  Object.assign(window, { announced })
  const selector = '[aria-live=polite], [aria-live=assertive], [role=status], [role=alert]'
  // A part of a region can change without an announcement, for example a countdown.
  const silent = '[aria-live=off]'
  const clean = (texts: string[]) => texts.join(' ').replace(/\s+/g, ' ').trim()
  const note = (region: Element, changed: string[], late: boolean) => {
    const role = region.getAttribute('role')
    const isAtomic = role === 'status' || role === 'alert' || region.getAttribute('aria-atomic') === 'true'
    const text = clean(isAtomic || late ? [region.textContent ?? ''] : changed)
    if (clean(changed) === '' || text === '') return
    const isAssertive = region.getAttribute('aria-live') === 'assertive' || role === 'alert'
    announced.push({ text, politeness: isAssertive ? 'assertive' : 'polite', at: performance.now(), late })
  }
  new MutationObserver((mutations) => {
    const late = new Set<Element>()
    const changes = new Map<Element, string[]>()
    for (const { addedNodes, target, type } of mutations) {
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue
        for (const region of [node, ...node.querySelectorAll('*')]) if (region.matches(selector)) late.add(region)
      }
      // Screen readers announce what is added, and nothing when a text is removed.
      const texts = (type === 'characterData' ? [target] : [...addedNodes]).map((node) => node.textContent ?? '')
      const region = (target instanceof Element ? target : target.parentElement)?.closest(`${selector}, ${silent}`)
      if (region && !region.matches(silent)) changes.set(region, [...(changes.get(region) ?? []), ...texts])
    }
    for (const region of late) note(region, [region.textContent ?? ''], true)
    for (const [region, texts] of changes) if (!late.has(region)) note(region, texts, false)
  }).observe(document, { childList: true, characterData: true, subtree: true })
}
