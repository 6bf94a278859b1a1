// Texts that are hard to lay out, for each place where people write.
import type { Page } from 'playwright-core'
import type { Assessment, Schemas } from './api.ts'
import { assessment, stage } from './assessments.ts'

export const codeLine = 'const total = orders.filter(({ paid }) => paid).reduce((sum, { amount }) => sum + amount, 0) // €'

const words = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const columns = ['Warehouse', 'January', 'February', 'September', 'October', 'November', 'December', 'Temperature']
const row = (cells: string[]) => `| ${cells.join(' | ')} |`

/** Markdown, and for names and titles the same on one line. */
export type Texts = { markdown: string; line: string }

/** The kinds of texts. */
export const hostileTexts: Record<string, Texts> = {
  inlineCode: { markdown: `What is \`${codeLine}\`?`, line: `\`${codeLine}\`` },
  fencedCode: { markdown: `What is this?\n\n\`\`\`js\n${codeLine}\nreturn total\n\`\`\``, line: codeLine },
  longWord: { markdown: `# ${words}\n\nIs **${words}** one word?`, line: words + words },
  longAddress: {
    markdown: `See https://example.com/${'path'.repeat(30)}?q=1 and <https://example.com/${'a'.repeat(90)}>.`,
    line: `https://example.com/${'path'.repeat(30)}`,
  },
  wideTable: {
    markdown: `Read.\n\n${[columns, columns.map(() => '---'), columns, columns.map(() => words)].map(row).join('\n')}`,
    line: row(columns),
  },
  deepList: {
    markdown: Array.from({ length: 14 }, (_, depth) => `${'  '.repeat(depth)}- level ${depth + 1}`).join('\n'),
    line: '- '.repeat(60) + words,
  },
  deepQuote: { markdown: `${'> '.repeat(14)}quoted words of somebody`, line: '>'.repeat(120) },
  formula: {
    markdown: `Solve ${'x₁²+3·y₂³−'.repeat(14)}z=0 and ∑${'∫'.repeat(90)}.`,
    line: `${'x₁²+3·y₂³−'.repeat(14)}z=0`,
  },
  rightToLeft: {
    markdown: `ما هي درجة الحرارة \`${codeLine}\` ${'درجةالحرارة'.repeat(12)}؟`,
    line: `${'درجةالحرارة'.repeat(12)} 57 °C`,
  },
  thai: { markdown: 'อุณหภูมิใดที่ทำให้ข้าวสุกปลอดภัย'.repeat(6), line: 'อุณหภูมิใดที่ทำให้ข้าวสุกปลอดภัย'.repeat(4) },
  chinese: { markdown: '煮熟的米饭在什么温度下是安全的'.repeat(12), line: '煮熟的米饭在什么温度下是安全的'.repeat(8) },
  korean: { markdown: '안전한온도는몇도입니까'.repeat(14), line: '안전한온도는몇도입니까'.repeat(12) },
}

/** An assessment with the text at each place that an author writes. */
export function everywhere({ markdown, line }: Texts, more: Partial<Assessment> = {}): Assessment {
  const options = ['a', 'b', 'c'].map((id) => ({ id, text: `${markdown}\n\n${id}` }))
  const title = line.slice(0, 190)
  const questions: Schemas['QuestionInput'][] = [
    { type: 'SINGLE_CHOICE', prompt: markdown, points: 1, options, correctOptionId: 'a', explanation: markdown },
    { type: 'MULTIPLE_CHOICE', prompt: markdown, points: 1, options, correctOptionIds: ['a'] },
    { type: 'SHORT_TEXT', prompt: markdown, points: 1, acceptedAnswers: ['a', line], explanation: markdown },
    { type: 'NUMERIC', prompt: markdown, points: 1, answer: 1, tolerance: 0 },
  ]
  return assessment(
    [
      stage({ title, description: markdown, questions, gate: { required: true, minScore: 0 } }),
      stage({ title, description: markdown, questions: questions.slice(2) }),
      stage({ title, description: markdown, questions: questions.slice(2), timeLimitMinutes: 10 }),
    ],
    { title, description: markdown, instructions: markdown, closingMessage: markdown, timeLimitMinutes: 60, ...more },
  )
}

/** Small phones, and a window of 1280 × 1024 px at 400 %. */
export const smallScreens = [
  { name: '320 px', width: 320, height: 640, deviceScaleFactor: 1 },
  { name: '360 px', width: 360, height: 740, deviceScaleFactor: 1 },
  { name: '400 %', width: 320, height: 256, deviceScaleFactor: 4 },
] as const

/** What cannot be read on each small screen, by its name. Afterwards the window is as large as before. */
export async function unreadable(page: Page, abridged = ''): Promise<Record<string, string[]>> {
  const session = await page.context().newCDPSession(page)
  const faults: Record<string, string[]> = {}
  for (const { name, ...metrics } of smallScreens) {
    await session.send('Emulation.setDeviceMetricsOverride', { ...metrics, mobile: false })
    const found = await outOfReach(page, abridged)
    if (found.length > 0) faults[name] = found
  }
  await session.send('Emulation.clearDeviceMetricsOverride')
  await session.detach()
  return faults
}

/**
 * Lists sideways scrolling of the page, and texts that cannot be scrolled into sight: outside of the page, cut
 * off by an element, or in a block that the keyboard cannot scroll. `abridged` selects elements whose whole
 * text another place shows.
 */
export function outOfReach(page: Page, abridged = ''): Promise<string[]> {
  return page.evaluate(find, abridged)
}

/** Runs in the page. */
async function find(abridged: string): Promise<string[]> {
  // The observer of blocks that scroll runs after the layout.
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  const faults = new Set<string>()
  const name = (element: Element) =>
    `${element.tagName.toLowerCase()}.${element.getAttribute('class')} "${element.textContent!.trim().slice(0, 30)}"`
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth) {
    faults.add(`the page is ${scrollWidth} px wide instead of ${clientWidth}`)
    const isWide = (element: Element) => element.getBoundingClientRect().right > clientWidth + 1
    const all = [...document.querySelectorAll('body *')].filter((one) => isWide(one) && !isWide(one.parentElement!))
    for (const element of all.slice(0, 4)) faults.add(`too wide: ${name(element.parentElement!)} > ${name(element)}`)
  }

  /** Follows the box outwards, and says what hides it. */
  const check = (from: Element, box: { left: number; right: number; top: number; bottom: number }) => {
    let { left, right, top, bottom } = box
    for (let at: Element | null = from; at && at !== document.body; at = at.parentElement) {
      const style = getComputedStyle(at)
      const bounds = at.getBoundingClientRect()
      if (style.display === 'inline') continue
      if (style.position === 'fixed' || at.matches('dialog')) return
      const isOut = left < bounds.left - 1 || right > bounds.right + 1
      if (/auto|scroll/.test(style.overflowX) && at.scrollWidth > at.clientWidth) {
        if (at.getAttribute('tabindex') !== '0' && !at.querySelector('a[href], button, input, summary, [tabindex="0"]'))
          faults.add(`scrolls, but not by keyboard: ${name(at)}`)
        const isNamed = at.getAttribute('role') && (at.hasAttribute('aria-label') || at.hasAttribute('aria-labelledby'))
        if (!isNamed && !at.closest('label, nav')) faults.add(`scrolls, but has no name: ${name(at)}`)
        ;({ left, right } = bounds)
      } else if (/hidden|clip/.test(style.overflowX) && isOut) {
        faults.add(`is cut off by ${name(at)}: ${name(from)}`)
        return
      }
      if (/auto|scroll/.test(style.overflowY)) ({ top, bottom } = bounds)
      else if (/hidden|clip/.test(style.overflowY) && (top > bounds.bottom - 2 || bottom < bounds.top + 2)) {
        faults.add(`is cut off below by ${name(at)}: ${name(from)}`)
        return
      }
    }
    if (left < -1 || right > innerWidth + 1) faults.add(`is outside of the page: ${name(from)}`)
  }

  const isSeen = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.closest('.unseen, .skip, svg, option') &&
    getComputedStyle(element.closest('thead') ?? element).clipPath === 'none' && // for screen readers
    !(abridged && element.closest(abridged))
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const owner = walker.currentNode.parentElement!
    if (!walker.currentNode.textContent?.trim() || !isSeen(owner)) continue
    const range = document.createRange()
    range.selectNodeContents(walker.currentNode)
    for (const box of range.getClientRects()) if (box.width > 0) check(owner, box)
  }
  for (const control of document.querySelectorAll('a[href], button, input, select, textarea, summary, img')) {
    if (isSeen(control) && control.getBoundingClientRect().width > 0) check(control, control.getBoundingClientRect())
  }
  return [...faults].slice(0, 12)
}
