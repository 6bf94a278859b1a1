// Bad networks and slow devices.
import type { BrowserContext, CDPSession, Page, Request, Route } from 'playwright-core'

/** A part of an address, such as '/v1/candidate/session/answers', or a pattern. */
export type Target = string | RegExp

const matches = (target: Target) => (url: URL) =>
  typeof target === 'string' ? url.pathname.includes(target) : target.test(url.href)

export type Throttle = { kilobitsPerSecond: number; latencyMs: number; cpu: number }

/** 400 kbit/s, 400 ms, and a CPU that is six times slower. */
export const slowPhone: Throttle = { kilobitsPerSecond: 400, latencyMs: 400, cpu: 6 }

/** Slows the network and the CPU of a page. */
export async function throttle(page: Page, { kilobitsPerSecond, latencyMs, cpu }: Throttle): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page)
  const bytesPerSecond = (kilobitsPerSecond * 1000) / 8
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpu })
  return session
}

/** Takes the whole context off the network, or puts it back. */
export const setOffline = (context: BrowserContext, offline: boolean) => context.setOffline(offline)

/** Handles the next `times` requests with the method; all others go on to the server. */
async function intercept(
  page: Page,
  target: Target,
  { method, times = Infinity }: { method?: string | undefined; times?: number | undefined },
  handle: (route: Route) => Promise<void>,
): Promise<() => Promise<void>> {
  let left = times
  const matcher = matches(target)
  const handler = async (route: Route) => {
    if (left <= 0 || (method !== undefined && route.request().method() !== method)) return route.fallback()
    left--
    await handle(route)
  }
  await page.route(matcher, handler)
  return () => page.unroute(matcher, handler)
}

export type Interception = { method?: string; times?: number }

/** Holds requests back, and then lets them go on. Returns the end of the interception. */
export const delay = (page: Page, target: Target, milliseconds: number, which: Interception = {}) =>
  intercept(page, target, which, async (route) => {
    await new Promise((done) => setTimeout(done, milliseconds))
    await route.continue().catch(() => undefined) // the page may be gone
  })

/** Holds requests back until the returned function is called. */
export async function hold(page: Page, target: Target, which: Interception = {}): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((done) => (release = done))
  await intercept(page, target, which, async (route) => {
    await released
    await route.continue().catch(() => undefined)
  })
  return release
}

/** Makes requests fail before they reach the server. */
export const abort = (page: Page, target: Target, which: Interception = {}) =>
  intercept(page, target, which, (route) => route.abort('connectionfailed'))

/** Lets requests reach the server, and loses the responses. */
export const loseResponse = (page: Page, target: Target, which: Interception = {}) =>
  intercept(page, target, which, async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  })

/** A response of the server. `fields` are pointers of `errors` with their codes. */
export type Answer = {
  status: number
  retryAfter?: number
  code?: string
  /** The data of a response with the status 200. */
  data?: object
  requestId?: string
  fields?: Record<string, string>
  /** How a sign-in continues. */
  secondFactor?: object
}

/** Answers requests with a status, such as 429 or 503, instead of the server. */
export const answer = (
  page: Page,
  target: Target,
  { status, retryAfter, code, data, requestId, fields = {}, secondFactor, ...which }: Interception & Answer,
) =>
  intercept(page, target, which, (route) =>
    route.fulfill({
      status,
      headers: {
        ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
        ...(requestId !== undefined && { 'X-Request-Id': requestId }),
      },
      contentType: 'application/problem+json',
      body: data ? JSON.stringify({ data }) : status < 300 ? '' : JSON.stringify({
        type: 'https://assay.example/errors/test',
        status,
        code: code ?? 'unavailable',
        title: 'Unavailable',
        detail: 'A test.',
        secondFactor,
        errors: Object.entries(fields).map(([pointer, code]) => ({ in: 'body', pointer, code, detail: 'A test.' })),
      }),
    }),
  )

/** Answers requests to another origin with a small page, as the site of the organization does. */
export const answerElsewhere = (page: Page, origin: string) =>
  page.route(
    (url) => url.origin === origin,
    (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Elsewhere</title>Elsewhere' }),
  )

/** Collects the requests to an address from now on. */
export function requestsTo(page: Page, target: Target, method?: string): Request[] {
  const found: Request[] = []
  const fits = matches(target)
  page.on('request', (request) => {
    if (fits(new URL(request.url())) && (method === undefined || request.method() === method)) found.push(request)
  })
  return found
}
