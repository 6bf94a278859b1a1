// Links that write an email: each reaches one address, and says nothing else.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { organization } from './support/api.ts'
import { eachType } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard } from './support/dashboard.ts'
import { mailto } from '../src/shared/mailto.ts'

after(disconnect)

// The rows of store/encode/encode_test.go, so that both sides have one rule.
const source = readFileSync(join(import.meta.dirname, '../../../store/encode/encode_test.go'), 'utf8')
const rows = [...source.matchAll(/^\t("(?:[^"\\]|\\.)*"|`[^`]*`): +"(mailto:.*)",$/gm)].map(
  ([, address, link]) => [address!.startsWith('`') ? address!.slice(1, -1) : (JSON.parse(address!) as string), link!] as const,
)

test('A link is that of the server, and a parser finds one recipient', () => {
  assert.ok(rows.length >= 12, `found ${rows.length} rows`)
  for (const [address, link] of rows) {
    assert.equal(mailto(address), link)
    const { protocol, pathname, search, hash } = new URL(link)
    assert.deepEqual([protocol, decodeURIComponent(pathname), search, hash], ['mailto:', address, '', ''])
    assert.doesNotMatch(pathname, /[,?&#]/)
  }
})

test('The page of a candidate links to the address that was typed', async (t) => {
  const made = await organization()
  const { sessionId } = await made.invite(await made.publish(eachType()), { candidateEmail: 'ada?bcc=eve&cc=b@candidate.example' })
  const user = await dashboard(t, made, `/candidates/${sessionId}`)
  const link = user.page.locator('a[href^="mailto:"]').first()
  assert.equal(await link.getAttribute('href'), 'mailto:ada%3Fbcc%3Deve%26cc%3Db@candidate.example')
  assert.equal(await link.textContent(), 'ada?bcc=eve&cc=b@candidate.example')
})
