// The candidate page as it is shipped, without a browser: with a small document, virtual time, and a network that
// the test decides about. It takes milliseconds, so that thousands of faults can be tried.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, Script, type Context } from 'node:vm'
import { parseHTML } from 'linkedom'
import { pattern } from '../texts.ts'
import { keyRange, newSessionStorage, VirtualDatabase } from './storage.ts'
import type { Reply, Request_ } from './model.ts'
import type { VirtualTime } from './time.ts'

const folder = join(import.meta.dirname, '../../../dist/take')
const origin = 'http://assay.test'
const html = readFileSync(join(folder, 'take.html'), 'utf8').replace(/<style>[^<]*<\/style>/, '')
const file = readdirSync(folder).find((name) => /^take-.*\.js$/.test(name))!
const code = readFileSync(join(folder, file), 'utf8')
const script = new Script(code.replaceAll('import.meta.url', `'${origin}/take/take.js'`))

/** What a network does with a request: a reply, no connection, or no answer at all. */
export type Fate = Reply | 'lost' | 'silence'
export type Network = (request: Request_) => Fate

const patterns = new Map<string, RegExp>()
function patternOf(key: string): RegExp {
  const known = patterns.get(key) ?? pattern(key)
  patterns.set(key, known)
  return known
}

const read = new Map<string, string>()
function fileOf(name: string): string {
  const known = read.get(name) ?? readFileSync(join(folder, name), 'utf8')
  read.set(name, known)
  return known
}

/** How long a reply takes, in milliseconds. */
const latency = 30

/** A browser: it outlives its pages. */
export class VirtualBrowser {
  /** The faults of all pages. */
  readonly faults: string[] = []
  /** Where the page has sent the candidate, outside of Assay. */
  left: string | undefined
  /** How many requests with answers to a stage are in flight, and the most at once. */
  private inFlight = new Map<string, number>()
  mostInFlight = 0
  network: Network
  private time: VirtualTime
  private database = new VirtualDatabase()
  private sessionStorage = newSessionStorage()
  private context!: Context
  private document!: Document
  private listeners!: EventTarget
  private history: { state: unknown; hash: string }[] = [{ state: null, hash: '' }]
  private at = 0

  constructor(time: VirtualTime, network: Network) {
    this.time = time
    this.network = network
  }

  /** open loads the page. */
  open(hash = ''): void {
    this.time.forget()
    this.inFlight = new Map()
    if (hash) this.history[this.at] = { state: null, hash }
    const window = parseHTML(html)
    this.document = window.document as unknown as Document
    this.listeners = new EventTarget()
    Object.assign(window.Element.prototype, { scrollIntoView() {}, focus() {}, blur() {} })
    Object.defineProperty(this.document, 'visibilityState', { value: 'visible' })
    Object.defineProperty(this.document, 'activeElement', { get: () => this.document.body })
    this.context = createContext(this.globals(window as unknown as Record<string, unknown>))
    new Script(dates).runInContext(this.context)
    script.runInContext(this.context)
  }

  /** reload ends the page, as the browser does, and opens it again. */
  reload(): void {
    this.fire('pagehide')
    this.open()
  }

  /** fire dispatches an event of the window. */
  fire(type: string, fields: object = {}): void {
    this.guard(() => this.listeners.dispatchEvent(Object.assign(new Event(type, { cancelable: true }), fields)))
  }

  get heading(): string {
    return this.document.querySelector('h1')?.textContent ?? ''
  }

  /** The text of the first element that the selector finds. */
  textOf(selector: string): string {
    return this.document.querySelector(selector)?.textContent ?? ''
  }

  is(key: string, text = this.heading): boolean {
    return patternOf(key).test(text.trim())
  }

  /** Whether the page shows the text somewhere. */
  shows(key: string): boolean {
    const all = [...this.document.querySelectorAll('p')]
    return all.some((element) => this.is(key, element.textContent ?? ''))
  }

  /** The fields and buttons that the candidate can use. */
  get enabled(): Element[] {
    const fields = 'main button, footer button, aside.notices button, input, textarea'
    return [...this.document.querySelectorAll(fields)].filter(
      (element) =>
        element.getAttribute('aria-disabled') !== 'true' &&
        !(element as HTMLInputElement).readOnly &&
        !element.closest('fieldset')?.disabled,
    )
  }

  /** goTo goes to a view, as the address bar does. */
  goTo(fragment: string): void {
    this.history.splice(++this.at, Infinity, { state: null, hash: fragment })
    this.fire('popstate')
  }

  /** press presses the button with the name, and returns whether it could. */
  press(key: string): boolean {
    const buttons = this.enabled.filter(({ localName }) => localName === 'button')
    const button = buttons.find((element) => this.is(key, element.textContent ?? ''))
    if (button) this.dispatch(button, 'click')
    return button !== undefined
  }

  /** enter answers the question that is shown: it types the text, or chooses the option at the position. */
  enter(answer: string | number): boolean {
    const fields = this.enabled.filter(({ localName }) => localName !== 'button') as HTMLInputElement[]
    const field = fields[typeof answer === 'number' ? answer : 0]
    if (!field) return false
    if (typeof answer === 'string') field.value = answer
    else field.checked = true
    this.dispatch(field, typeof answer === 'string' ? 'input' : 'change')
    return true
  }

  private dispatch(element: Element, type: string): void {
    const made = this.document.createEvent('Event')
    made.initEvent(type, true, true)
    this.guard(() => element.dispatchEvent(made))
  }

  /** guard notes what the page throws. */
  guard<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      this.faults.push(String((error as Error).stack ?? error))
      return undefined
    }
  }

  private fetch = async (address: URL | string, options: RequestInit = {}): Promise<unknown> => {
    const { pathname } = new URL(address)
    const { signal } = options
    if (pathname.startsWith('/take/')) {
      return responseOf({ status: 200, type: 'application/json', body: fileOf(pathname.slice(6)) })
    }
    const body: unknown = options.body === undefined ? undefined : JSON.parse(options.body as string)
    const { answers = [], stageId = '' } = (body ?? {}) as { answers?: unknown[]; stageId?: string }
    const { inFlight } = this
    const counts = (by: number) => {
      if (answers.length === 0 || options.keepalive) return
      inFlight.set(stageId, (inFlight.get(stageId) ?? 0) + by)
      this.mostInFlight = Math.max(this.mostInFlight, inFlight.get(stageId)!)
    }
    counts(1)
    try {
      const fate = this.network({ method: options.method ?? 'GET', path: pathname, body })
      const ends = new Promise<void>((done, fail) => {
        signal?.addEventListener('abort', () => fail(new Error('aborted')))
        if (fate !== 'silence') this.time.set(done, latency)
      })
      await ends
      // Browsers treat a redirect as an error if the page asks for that.
      const isRedirect = typeof fate === 'object' && fate.status >= 300 && fate.status < 400 && fate.status !== 304
      const isError = typeof fate !== 'object' || (isRedirect && options.redirect === 'error')
      if (isError) throw new TypeError('Failed to fetch')
      return responseOf(isRedirect ? { status: 405, type: 'text/html', body: '<h1>405</h1>' } : fate)
    } finally {
      counts(-1)
    }
  }

  private globals(window: Record<string, unknown>): Record<string, unknown> {
    const { time, listeners } = this
    const target = { addEventListener: listeners.addEventListener.bind(listeners) }
    const entry = () => this.history[this.at]!
    const change = (state: unknown, address: string) => ({ state, hash: new URL(address, `${origin}/take`).hash })
    const run = (act: () => void) => () => void this.guard(act)
    const timer = (isRepeated: boolean) => (act: () => void, wait?: number) => time.set(run(act), wait, isRepeated)
    const browser = this
    return {
      ...{ document: this.document, Element: window.Element, HTMLElement: window.HTMLElement },
      ...{ URL, URLSearchParams, Headers, AbortController, TextEncoder, console, structuredClone, queueMicrotask },
      ...target,
      removeEventListener: listeners.removeEventListener.bind(listeners),
      dispatchEvent: listeners.dispatchEvent.bind(listeners),
      crypto: { getRandomValues: crypto.getRandomValues.bind(crypto) },
      navigator: { languages: ['en'], onLine: true },
      performance: { now: () => time.now },
      virtualNow: () => time.now + 1e12, // the wall clock of the device, which is wrong
      setTimeout: timer(false),
      setInterval: timer(true),
      clearTimeout: (id: number) => time.clear(id),
      clearInterval: (id: number) => time.clear(id),
      requestAnimationFrame: (act: () => void) => time.set(run(act), 16),
      cancelAnimationFrame: (id: number) => time.clear(id),
      scrollTo() {},
      ResizeObserver: class {
        observe() {}
        unobserve() {}
      },
      BroadcastChannel: class {
        name: string
        constructor(name: string) {
          this.name = name
        }
        postMessage() {}
        close() {}
      },
      indexedDB: { open: () => this.database.open() },
      IDBKeyRange: keyRange,
      sessionStorage: this.sessionStorage,
      fetch: this.fetch,
      location: {
        pathname: '/take',
        search: '',
        get hash() {
          return entry().hash
        },
        set hash(hash: string) {
          browser.goTo(hash)
        },
        reload() {},
        replace: (address: string) => {
          browser.left = address
        },
      },
      history: {
        get state() {
          return entry().state
        },
        pushState: (state: unknown, _: string, address: string) =>
          void this.history.splice(++this.at, Infinity, change(state, address)),
        replaceState: (state: unknown, _: string, address?: string) => {
          this.history[this.at] = address === undefined ? { ...entry(), state } : change(state, address)
        },
      },
    }
  }
}

// Code of the page must not see the real time.
const dates = `{
  const Real = Date
  globalThis.Date = class extends Real {
    constructor(...given) { super(...(given.length > 0 ? given : [virtualNow()])) }
    static now() { return virtualNow() }
  }
}`

function responseOf({ status, type, body, headers = {} }: Reply): unknown {
  return {
    status,
    ok: status >= 200 && status < 300,
    headers: new Headers({ 'Content-Type': type, ...headers }),
    text: () => Promise.resolve(body),
    json: () => Promise.resolve().then(() => JSON.parse(body) as unknown),
  }
}
