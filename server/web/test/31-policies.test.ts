// The policies of the page, as the browser enforces them. Every other test fails too if a
// page violates a policy or asks another origin (support/page.ts).
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { invited } from './support/api.ts'
import { eachType } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { open } from './support/page.ts'
import { sharedServer, startServer } from './support/server.ts'

after(disconnect)

test('31: The policies are as strict as possible, and the browser turns off the features that they name', async (t) => {
  const { page, allow } = await open(t, 'about:blank#')
  const response = (await page.goto(`${sharedServer()}/take`))!
  const headers = await response.allHeaders()
  assert.equal(
    headers['content-security-policy']!.replace(/'sha256-[^']+'/, 'HASH'),
    "default-src 'none'; script-src 'self'; style-src HASH; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
      "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types assay",
  )
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.match(headers['x-robots-tag'] ?? '', /noindex/)
  assert.equal(headers['set-cookie'], undefined)
  // Another version of the browser has other features, so only the named ones count.
  const named = headers['permissions-policy']!.split(', ').map((rule) => rule.replace('=()', ''))
  const { known, allowed } = await page.evaluate(() => {
    const { featurePolicy } = document as unknown as {
      featurePolicy: { features(): string[]; allowedFeatures(): string[] }
    }
    return { known: featurePolicy.features(), allowed: featurePolicy.allowedFeatures() }
  })
  for (const feature of ['camera', 'microphone', 'geolocation', 'display-capture', 'clipboard-write']) {
    assert.ok(named.includes(feature) && known.includes(feature), `${feature} is turned off`)
  }
  assert.deepEqual(
    allowed.filter((feature) => named.includes(feature)),
    [],
    'features that the page could use',
  )

  allow(/./) // what follows violates the policies
  const refused = await page.evaluate(async () => {
    const attempts: Record<string, () => unknown> = {
      html: () => (document.body.innerHTML = '<p>'),
      policy: () =>
        (
          window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): void } }
        ).trustedTypes.createPolicy('other', {}),
      elsewhere: () => fetch('http://localhost:9/'),
    }
    const failed: string[] = []
    for (const [name, attempt] of Object.entries(attempts)) {
      try {
        await attempt()
      } catch {
        failed.push(name)
      }
    }
    return failed
  })
  assert.deepEqual(refused, ['html', 'policy', 'elsewhere'])
})

test('31: No other page can frame the page, unless the operator allows it', async (t) => {
  const site = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end(
      `<!doctype html><iframe src="${sharedServer()}/take"></iframe><iframe src="${permitted.url}/take"></iframe>`,
    )
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  const permitted = await startServer({ env: { ASSAY_FRAME_ANCESTORS: origin } })
  t.after(() => Promise.all([permitted.stop(), site.close()]))

  const { page } = await open(t, origin, { allow: [/./] })
  const [, closed, framed] = page.frames()
  await framed!.getByRole('heading', { level: 1 }).waitFor()
  assert.equal(await closed!.locator('#app').count(), 0)
})

test('31: The page keeps no cookies, asks no other origin, and keeps nothing after the end', async (t) => {
  const invite = await invited(eachType())
  const { page, context, requests } = await open(t, invite.link)
  const candidate = new Candidate(page)
  await candidate.start()
  await candidate.answerEachType()
  await candidate.submitStage()
  await candidate.seeEnd()
  assert.deepEqual(await context.cookies(), [])
  assert.deepEqual([...new Set(requests.map((address) => new URL(address).origin))], [sharedServer()])
  const kept = await page.evaluate(async () => {
    const databases: Record<string, number> = {}
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((done) => {
        const request = indexedDB.open(name!)
        request.onsuccess = () => done(request.result)
      })
      for (const store of database.objectStoreNames) {
        const request = database.transaction(store).objectStore(store).count()
        await new Promise((done) => (request.onsuccess = done))
        databases[store] = request.result
      }
      database.close()
    }
    return {
      databases,
      local: localStorage.length,
      caches: await caches.keys(),
      workers: (await navigator.serviceWorker.getRegistrations()).length,
    }
  })
  assert.deepEqual(
    { ...kept, databases: Object.values(kept.databases).filter((count) => count > 0) },
    { databases: [], local: 0, caches: [], workers: 0 },
  )
})
