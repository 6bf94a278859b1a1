// Opens pages as a candidate does, and watches for what must never happen on them.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { browser } from './chromium.ts'
import { recordLiveRegions } from './live.ts'

export type OpenOptions = Pick<
  BrowserContextOptions,
  | 'viewport'
  | 'locale'
  | 'colorScheme'
  | 'forcedColors'
  | 'reducedMotion'
  | 'offline'
  | 'timezoneId'
  | 'hasTouch'
  | 'deviceScaleFactor'
  | 'isMobile'
> & {
  /** An existing context, for a second tab. */
  context?: BrowserContext
  /** Faults that this test expects. */
  allow?: RegExp[]
  /** Runs before the page opens, for example to add routes or scripts. */
  before?: (page: Page, context: BrowserContext) => Promise<unknown>
}

export type Visit = {
  page: Page
  context: BrowserContext
  /** Expects a fault: an error of the page, a status of 500 or more, or a request to another origin. */
  allow(fault: RegExp): void
  /** The addresses of all requests so far. */
  requests: string[]
}

/** What each context has, unless the test asks for something else. */
const defaults: BrowserContextOptions = {
  viewport: { width: 1280, height: 800 },
  locale: 'en-GB',
  timezoneId: 'Europe/London',
  reducedMotion: 'reduce',
}

/**
 * Opens a link in a new browser context, or in a new tab of the given one. When the test
 * ends, it fails if the page had a fault that the test does not allow.
 */
export async function open(t: TestContext, link: string, options: OpenOptions = {}): Promise<Visit> {
  const visited = await visit(link, options)
  t.after(async () => {
    // The types lack `passed`.
    if (!(t as TestContext & { passed: boolean }).passed) await describe(t, visited.page)
    if (!options.context) await visited.context.close()
    assert.deepEqual(visited.unexpected(), [], 'faults of the page')
  })
  return visited
}

/** Opens a link as open does, without a test. The caller closes the context. */
export async function visit(link: string, options: OpenOptions): Promise<Visit & { unexpected(): string[] }> {
  const { context: given, allow = [], before, ...settings } = options
  const context = given ?? (await (await browser()).newContext({ ...defaults, ...settings }))
  // A page that hangs must fail its own test, not the run.
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  const allowed = [...allow]
  const faults: string[] = []
  const requests: string[] = []
  watch(page, new URL(link).origin, faults, requests)
  await page.addInitScript(reportViolations)
  await recordLiveRegions(page)
  await before?.(page, context)
  await page.goto(link)
  const unexpected = () => faults.filter((fault) => !allowed.some((pattern) => pattern.test(fault)))
  return { page, context, allow: (fault) => allowed.push(fault), requests, unexpected }
}

/** Prints what a failed test saw last, and keeps a picture of it. */
async function describe(t: TestContext, page: Page): Promise<void> {
  const name = t.name.replace(/[^A-Za-z0-9]+/g, '-').slice(0, 80)
  const path = join(import.meta.dirname, `../../screenshots/failed-${name}.png`)
  await page.screenshot({ path }).catch(() => undefined) // the page may have crashed
  const heading = await page
    .getByRole('heading', { level: 1 })
    .first()
    .textContent({ timeout: 1000 })
    .catch(() => 'none')
  t.diagnostic(`the page was at ${page.url()} with the heading "${heading}"; see ${path}`)
}

const mostRepeated = 10

/**
 * Returns a function that reports whether an address is requested too often by one document: for example by each row of
 * a list. On a busy machine, the requests of some seconds can be reported at once.
 */
function repetition(): (address: string, isDocument: boolean) => boolean {
  const times = new Map<string, number[]>()
  return (address, isDocument) => {
    if (isDocument) times.clear()
    const recent = (times.get(address) ?? []).filter((time) => time > Date.now() - 1000)
    times.set(address, [...recent, Date.now()])
    return recent.length >= mostRepeated
  }
}

/** Lists as faults: errors, violated policies, requests to other origins, repeated requests, and failing responses. */
function watch(page: Page, origin: string, faults: string[], requests: string[]): void {
  const isRepeated = repetition()
  page.on('pageerror', (error) => faults.push(`error: ${error.stack ?? error.message}`))
  page.on('console', (message) => {
    // Chromium reports each failed request here too. The handlers below report the failures that matter.
    if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return
    faults.push(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (!url.protocol.startsWith('http')) return
    requests.push(request.url())
    const isCounted = url.pathname.startsWith('/v1/') && request.method() === 'GET'
    if (isRepeated(url.href, request.isNavigationRequest()) && isCounted) {
      faults.push(`repeated: more than ${mostRepeated} requests in a second for ${url.href}`)
    }
    if (url.origin !== origin) faults.push(`other origin: ${request.url()}`)
  })
  page.on('response', (response) => {
    const isApi = /^\/(v1\/|app\/session$)/.test(new URL(response.url()).pathname)
    if (response.status() >= (isApi ? 500 : 400)) faults.push(`${response.status()}: ${response.url()}`)
  })
  page.on('crash', () => faults.push('the page crashed'))
}

/** Runs in the page before its scripts: a violation of a policy becomes an error in the console. */
function reportViolations(): void {
  document.addEventListener('securitypolicyviolation', (event) => {
    console.error(`policy violated: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`)
  })
}
