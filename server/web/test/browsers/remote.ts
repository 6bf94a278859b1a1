// A browser under remote control, through what WebDriver and WebDriver BiDi have in
// common: navigation, scripts, and the input of a real pointer and keyboard.
// Playwright drives neither Debian's Firefox nor WebKitGTK.
import { setTimeout as sleep } from 'node:timers/promises'

/** Input sources with their actions, the same in both protocols (WebDriver, section 17.4). */
export type Actions = { type: string; id: string; parameters?: object; actions: object[] }[]

export type Browser = {
  name: string
  navigate(url: string): Promise<void>
  /** Runs the function body in the page, and returns its value. The values are JSON. */
  execute(body: string, ...args: unknown[]): Promise<unknown>
  perform(actions: Actions): Promise<void>
  close(): Promise<void>
}

export type Role = keyof typeof selectors

const selectors = {
  button: 'button',
  checkbox: 'input[type=checkbox]',
  heading: 'h1',
  radio: 'input[type=radio]',
  textbox: 'main textarea, main input:not([type]), main input[type=text]',
}

/** Runs in the page: finds an element, and returns its center and its value. */
const find = `
  const [selector, pattern] = arguments
  for (const element of document.querySelectorAll(selector)) {
    const label = [...(element.labels ?? [])].map((one) => one.textContent).join(' ')
    const name = (element.getAttribute('aria-label') ?? (label || element.textContent)).trim()
    if (element.getClientRects().length === 0 || !new RegExp(pattern).test(name)) continue
    element.scrollIntoView({ block: 'center', behavior: 'instant' })
    const box = element.getBoundingClientRect()
    return {
      x: Math.round(box.x + box.width / 2),
      y: Math.round(box.y + box.height / 2),
      checked: Boolean(element.checked),
      value: element.value ?? '',
    }
  }
  return null`

export type Found = { x: number; y: number; checked: boolean; value: string }

/** Waits until a visible element with the role and the name exists. */
export async function seek(browser: Browser, role: Role, name = /.*/): Promise<Found> {
  const found = async () => (await browser.execute(find, selectors[role], name.source)) as Found | null
  let last: Found | null = null
  for (const until = Date.now() + 15_000; Date.now() < until; await sleep(50)) {
    const element = await found()
    // A view that has just appeared can still scroll.
    if (element && element.x === last?.x && element.y === last.y) return element
    last = element
  }
  const text = await browser.execute('return location.href.split("#")[0] + "\\n" + document.body.innerText')
  throw new Error(`there is no ${role} ${name.source} on the page:\n${String(text)}`)
}

/** Waits until a text of the page matches. */
export async function read(browser: Browser, text: RegExp): Promise<void> {
  for (const until = Date.now() + 15_000; Date.now() < until; await sleep(50)) {
    const lines = String(await browser.execute('return document.body.innerText')).split('\n')
    if (lines.some((line) => text.test(line.trim()))) return
  }
  throw new Error(`the page does not say ${text.source}`)
}

/** Presses the primary button of the pointer on an element. */
export async function click(browser: Browser, role: Role, name?: RegExp): Promise<void> {
  const { x, y } = await seek(browser, role, name)
  await browser.perform([
    {
      type: 'pointer',
      id: 'mouse',
      parameters: { pointerType: 'mouse' },
      actions: [
        { type: 'pointerMove', x, y, duration: 0 },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ],
    },
  ])
}

/** Clicks a field, and types. */
export async function type(browser: Browser, text: string): Promise<void> {
  await click(browser, 'textbox')
  const keys = [...text].flatMap((value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ])
  await browser.perform([{ type: 'key', id: 'keyboard', actions: keys }])
}
