// How much the page loads.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { invited } from './support/api.ts'
import { eachType } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { throttle } from './support/network.ts'
import { open } from './support/page.ts'
import { sharedServer } from './support/server.ts'

after(disconnect)

const kilobytes = 1000

test('35: The page loads at most 45 KB in five requests and three round trips', async (t) => {
  const invite = await invited(eachType())
  const { page, requests } = await open(t, `${sharedServer()}/healthz`)
  requests.length = 0
  const sizes = new Map<string, Promise<number>>()
  page.on('response', (response) =>
    sizes.set(
      response.url(),
      response.body().then((body) => gzipSync(body, { level: 9 }).length),
    ),
  )
  // Without latency, a request that begins a little later would seem to wait for one that has ended.
  await throttle(page, { kilobitsPerSecond: 10_000, latencyMs: 300, cpu: 1 })
  await page.goto(invite.link)
  await new Candidate(page).startButton().waitFor()
  await page.waitForLoadState('networkidle')
  assert.ok(requests.length <= 5, `${requests.length} requests: ${requests.join(' ')}`)

  const loaded = await Promise.all([...sizes].map(async ([url, size]) => [new URL(url).pathname, await size] as const))
  const scripts = loaded.filter(([path]) => path.endsWith('.js')).reduce((sum, [, size]) => sum + size, 0)
  const total = loaded.reduce((sum, [, size]) => sum + size, 0)
  t.diagnostic(`${scripts} bytes of scripts, ${total} in total: ${loaded.map((one) => one.join(' ')).join(', ')}`)
  assert.ok(scripts <= 30 * kilobytes, `${scripts} bytes of scripts`)
  assert.ok(total <= 45 * kilobytes, `${total} bytes`)

  // A request needs one round trip more than the longest chain of requests that ended before it began.
  const chain = await page.evaluate(() => {
    const navigation = performance.getEntriesByType('navigation')[0] as PerformanceResourceTiming
    const all = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    // The browser loads the icon when it has nothing else to do.
    const files = all.filter(({ name }) => !name.endsWith('.svg'))
    // The browser asks for the files of the page as soon as it reads their names.
    const depth = (file: PerformanceResourceTiming): number =>
      1 +
      Math.max(
        file.startTime > navigation.responseStart ? 1 : 0,
        ...files.filter((earlier) => earlier.responseEnd <= file.startTime).map(depth),
      )
    return Math.max(...files.map(depth))
  })
  assert.ok(chain <= 3, `${chain} round trips, one after another`)
})
