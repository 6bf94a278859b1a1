// A language whose texts are 40 percent longer than English.
import type { Page } from 'playwright-core'
import { texts, type PageName } from './texts.ts'

const accents: Record<string, string> = {
  a: 'áà',
  e: 'éè',
  i: 'íì',
  o: 'óò',
  u: 'úù',
  y: 'ýÿ',
  A: 'Áà',
  E: 'Éè',
  I: 'Íì',
  O: 'Óò',
  U: 'Úù',
}

/** Makes a text at least 40 percent longer, mostly inside its words, and keeps its parameters. */
export function longer(text: string): string {
  const parts = text.split(/(\{\w+\})/)
  const made = parts.map((part, index) =>
    index % 2 === 1 ? part : part.replace(/[a-z]/gi, (letter) => accents[letter] ?? letter),
  )
  const length = (all: string[]) => all.filter((_, index) => index % 2 === 0).join('').length
  const lacks = Math.ceil(length(parts) * 1.4) - length(made)
  const last = made.map((part, index) => index % 2 === 0 && /\p{L}/u.test(part)).lastIndexOf(true)
  if (lacks > 0 && last >= 0) made[last] = made[last]!.replace(/(\p{L})(\P{L}*)$/u, `$1${'ë'.repeat(lacks)}$2`)
  return made.join('')
}

const messages = (name: PageName) =>
  Object.fromEntries(
    Object.entries(texts('en', name)).map(([key, message]) => {
      if (typeof message === 'string') return [key, longer(message)]
      return [key, Object.fromEntries(Object.entries(message).map(([form, text]) => [form, longer(text)]))]
    }),
  )

/** Chooses German in the menu of languages, which is this language instead. */
export async function useLonger(page: Page, name: PageName = 'take'): Promise<void> {
  const file = new RegExp(`/${name}/de-\\w+\\.json$`)
  await page.route(file, (route) => route.fulfill({ json: messages(name) }))
  await page.locator('.language select').selectOption('de')
  await page.locator('html[lang=de]').waitFor({ state: 'attached' })
}

/** Texts that lie on each other, and texts that are cut off below. */
export function overlaps(page: Page): Promise<string[]> {
  return page.evaluate(find)
}

/** Runs in the page. */
function find(): string[] {
  const faults: string[] = []
  const name = (element: Element) =>
    `${element.tagName.toLowerCase()}.${element.className} "${(element.textContent ?? '').trim().slice(0, 40)}"`
  const above = (element: Element): Element[] =>
    element.parentElement ? [element, ...above(element.parentElement)] : [element]
  const isSeen = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) && !element.closest('.unseen, .who, svg, option')
  // What is fixed or sticky may cover a text that scrolls below it.
  const isApart = (element: Element) =>
    above(element).some((one) => {
      const { position, overflowX } = getComputedStyle(one)
      return /fixed|sticky/.test(position) || /auto|scroll/.test(overflowX)
    })
  const lines: { box: DOMRect; owner: Element }[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const owner = walker.currentNode.parentElement!
    if (!walker.currentNode.textContent?.trim() || !isSeen(owner) || isApart(owner)) continue
    const range = document.createRange()
    range.selectNodeContents(walker.currentNode)
    for (const box of range.getClientRects()) lines.push({ box, owner })
    const cut = above(owner).find(
      (one) => getComputedStyle(one).overflowY !== 'visible' && one.scrollHeight > one.clientHeight + 1,
    )
    if (cut && cut !== document.documentElement && cut !== document.body) faults.push(`is cut off below: ${name(cut)}`)
  }
  for (const [index, one] of lines.entries()) {
    for (const other of lines.slice(index + 1)) {
      if (one.owner === other.owner) continue
      const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left)
      const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top)
      if (across > 2 && down > 4) faults.push(`lies on another text: ${name(one.owner)} and ${name(other.owner)}`)
    }
  }
  return [...new Set(faults)]
}
