// API keys in the dashboard.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { ok, organization } from './support/api.ts'
import { long } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard } from './support/dashboard.ts'

after(disconnect)

const run = promisify(execFile)

test('a key is created, works with the curl line, and is revoked', async (t) => {
  const made = await organization()
  const assessmentId = await made.publish(long(1))
  const user = await dashboard(t, made, '/api-keys')
  await user.read('apiKeys.empty.text')
  await user.button('apiKeys.create').click()
  const form = user.dialog('apiKeys.create.title')
  const submit = form.getByRole('button', { name: user.text('apiKeys.create') })
  await submit.click()
  await form.getByText(user.text('apiKeys.scopes.none')).waitFor()
  await form.getByLabel(user.text('apiKeys.name')).fill('Careers page')
  await form.getByLabel(user.text('apiKeys.scope.assessments:read')).check()
  await form.getByLabel(user.text('apiKeys.expiry')).selectOption('30')
  await submit.click()

  const created = user.dialog('apiKeys.made.title')
  const curl = await created.locator('[data-curl]').innerText()
  await user.page.keyboard.press('Escape')
  const { stdout } = await run('bash', ['-c', `${curl} --silent --fail`])
  assert.equal((JSON.parse(stdout) as { data: { id: string }[] }).data[0]?.id, assessmentId)
  await created.getByLabel(user.text('apiKeys.made.stored')).check()
  await created.getByRole('button', { name: user.text('apiKeys.made.done') }).click()
  await created.waitFor({ state: 'detached' })

  // A list that is loaded again knows that the key was used.
  await user.page.reload()
  await user.row('Careers page').getByRole('button', { name: user.text('apiKeys.revoke') }).click()
  const question = user.page.getByRole('dialog')
  await question.getByText(user.pattern('apiKeys.revoke.used')).waitFor()
  await question.getByRole('button', { name: user.text('apiKeys.revoke') }).click()
  await user.row('Careers page').locator('.tag', { hasText: user.text('apiKeys.state.revoked') }).waitFor()
  assert.notEqual((await ok(made.api.GET('/v1/api-keys')))[0]?.revokedAt, null)
  await assert.rejects(run('bash', ['-c', `${curl} --silent --fail`]))
})

test('a key for webhooks has a curl line that works', async (t) => {
  const user = await dashboard(t, await organization(), '/api-keys')
  await user.button('apiKeys.create').click()
  const form = user.dialog('apiKeys.create.title')
  await form.getByLabel(user.text('apiKeys.name')).fill('Sync')
  await form.getByLabel(user.text('apiKeys.scope.webhooks:manage')).check()
  await form.getByRole('button', { name: user.text('apiKeys.create') }).click()
  const curl = await user.dialog('apiKeys.made.title').locator('[data-curl]').innerText()
  const { stdout } = await run('bash', ['-c', `${curl} --silent --fail`])
  assert.deepEqual((JSON.parse(stdout) as { data: { scopes: string[] } }).data.scopes, ['webhooks:manage'])
})

test('a key works until the end of the chosen day in the zone of the organization', async (t) => {
  const made = await organization()
  await ok(made.api.PATCH('/v1/organization', { body: { timeZone: 'Asia/Tokyo' } }))
  const user = await dashboard(t, made, '/api-keys')
  await user.button('apiKeys.create').click()
  const form = user.dialog('apiKeys.create.title')
  await form.getByLabel(user.text('apiKeys.name')).fill('Careers page')
  await form.getByLabel(user.text('apiKeys.scope.results:read')).check()
  await form.getByLabel(user.text('apiKeys.expiry')).selectOption('date')
  const year = new Date().getUTCFullYear() + 1
  await form.getByLabel(user.text('apiKeys.expiry.at')).fill(`${year}-06-30`)
  await form.getByRole('button', { name: user.text('apiKeys.create') }).click()
  await user.dialog('apiKeys.made.title').waitFor()
  assert.equal((await ok(made.api.GET('/v1/api-keys')))[0]?.expiresAt, `${year}-06-30T14:59:59.000Z`)
})
