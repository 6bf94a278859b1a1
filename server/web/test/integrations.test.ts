// Applicant tracking systems in the settings: connected, called, and disconnected.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ok, organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard } from './support/dashboard.ts'
import { kitchen } from './support/results.ts'
import { sharedServer } from './support/server.ts'

after(disconnect)

test('an applicant tracking system is connected with a key that is shown once, and its requests appear', async (t) => {
  const made = await organization()
  await made.publish(kitchen)
  const user = await dashboard(t, made, '/settings')
  const section = user.page.locator('#integrations')
  await section.getByRole('button', { name: 'Connect Greenhouse' }).click()
  await user.button('integrations.create').click()
  await user.dialog('integrations.made.title').waitFor()
  const key = await user.page.getByLabel(user.text('integrations.made.key')).inputValue()
  const address = await user.page.getByLabel(/list_tests/).first().inputValue()
  assert.match(key, /^pk_live_/)
  await user.page.keyboard.press('Escape')
  await user.field('integrations.made.stored').check()
  await user.button('integrations.made.done').click()

  // What a person enters at Greenhouse works there.
  const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`
  const path = new URL(address).pathname
  const listed = await fetch(new URL(path, sharedServer()), { headers: { authorization } })
  assert.equal(listed.status, 200)
  const refused = await fetch(new URL(path.replace('list_tests', 'send_test'), sharedServer()), {
    method: 'POST',
    headers: { authorization },
    body: JSON.stringify({ partner_test_id: 'x', url: 'https://app.greenhouse.io/1' }),
  })
  assert.equal(refused.status, 400)
  await user.button('integrations.exchanges').click()
  await user.page.getByText('/partners/greenhouse/list_tests').last().waitFor()
  await user.page.getByText(/candidate\.email/).waitFor()
  await user.page.keyboard.press('Escape')

  // The other systems need a key of their own.
  await section.getByRole('button', { name: 'Connect Ashby' }).click()
  await user.button('integrations.create').click()
  await user.read('field.required')
  await user.field('integrations.key.ashby').fill('a-key-of-ashby-1234')
  await user.button('integrations.create').click()
  await user.field('integrations.made.stored').check()
  await user.button('integrations.made.done').click()
  await section.getByText(/ends with 1234/).waitFor()

  await section.getByRole('button', { name: user.text('integrations.disconnect') }).first().click()
  await user.dialog('integrations.disconnect.title').waitFor()
  await user.page.getByRole('dialog').getByRole('button', { name: user.text('integrations.disconnect') }).click()
  await section.getByRole('button', { name: 'Connect Ashby' }).waitFor()
  const left = await ok(made.api.GET('/v1/integrations'))
  assert.deepEqual(left.map(({ partner }) => partner), ['greenhouse'])
})
