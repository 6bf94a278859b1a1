// How much the dashboard loads.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Page, Request } from 'playwright-core'
import { ok, organization } from './support/api.ts'
import { long, singleChoice } from './support/assessments.ts'
import { bank } from './support/bank.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard } from './support/dashboard.ts'

after(disconnect)

const kilobytes = 1000
const source = readFileSync(join(import.meta.dirname, '../src/app/screens.ts'), 'utf8')
const paths = [...source.matchAll(/^ {2}'(\/[^']*)': screen/gm)].map((match) => match[1]!)

const folder = join(import.meta.dirname, '../dist/app')
const compressed = (name: string) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length

/** Runs the visit, and returns the compressed sizes of the files that the page loaded, by name. */
async function loaded(page: Page, visit: () => Promise<unknown>): Promise<Map<string, number>> {
  const names = new Set(['app.html'])
  const note = (request: Request) => {
    const name = /\/app\/([^/]+\.\w+)$/.exec(new URL(request.url()).pathname)?.[1]
    if (name) names.add(name)
  }
  page.on('request', note)
  await visit()
  await page.waitForLoadState('networkidle')
  page.off('request', note)
  return new Map([...names].map((name) => [name, compressed(name)]))
}

const sum = (sizes: Iterable<number>) => [...sizes].reduce((total, size) => total + size, 0)

test('the first load has at most 60 KB, and each further screen at most 25 KB', async (t) => {
  assert.ok(paths.length > 15, `found ${paths.length} screens`)
  const made = await organization()
  const assessmentId = await made.publish(long(3))
  const { sessionId } = await made.invite(assessmentId)
  const { id: webhookId } = await ok(
    made.api.POST('/v1/webhooks', { body: { url: 'https://hooks.example/', events: ['candidate.completed'] } }),
  )
  const { id: questions } = await bank(made, singleChoice)
  const ids: Record<string, string> = {
    assessments: assessmentId, candidates: sessionId, webhooks: webhookId, questions,
  }

  const { page } = await dashboard(t, made, '/nothing-here')
  const core = await loaded(page, () => page.goto(`${made.baseUrl}/app/nothing-here`))
  const home = await loaded(page, () => page.goto(`${made.baseUrl}/app`))
  t.diagnostic(`the frame has ${sum(core.values())} bytes, the first load ${sum(home.values())}`)
  assert.ok(sum(home.values()) <= 60 * kilobytes, `the first load has ${sum(home.values())} bytes`)

  const faults: string[] = []
  for (const path of paths.filter((path) => path !== '/')) {
    const address = `${made.baseUrl}/app${path.replace(':id', ids[path.split('/')[1]!] ?? '')}`
    const all = await loaded(page, () => page.goto(address))
    const size = sum([...all].filter(([name]) => !home.has(name)).map(([, size]) => size))
    t.diagnostic(`${path}: ${size} bytes`)
    if (size === 0) faults.push(`${path} loads nothing of its own`)
    if (size > 25 * kilobytes) faults.push(`${path} has ${size} bytes`)
    if (sum(all.values()) > 75 * kilobytes) faults.push(`${path} has ${sum(all.values())} bytes if it is opened first`)
  }
  assert.deepEqual(faults, [])
})
