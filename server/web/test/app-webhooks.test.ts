// Endpoints in the dashboard: from the first one to the repair of one that fails.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, ok, organization, type Organization } from './support/api.ts'
import { long } from './support/assessments.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard, type User } from './support/dashboard.ts'
import { accept, close, fail, hang, receiver, redirect, type Behaviour } from './support/receiver.ts'
import { startServer, type Server } from './support/server.ts'
import { until } from './support/until.ts'

after(disconnect)

const env = {
  ASSAY_WEBHOOK_ALLOW_INSECURE: 'true',
  ASSAY_WEBHOOK_BACKOFF: '50ms,50ms',
  ASSAY_WEBHOOK_TIMEOUT: '1s',
}
const databases = ['sqlite', 'postgres'] as const
const servers = Object.fromEntries(databases.map((database) => [database, startServer({ database, env })])) as Record<
  (typeof databases)[number],
  Promise<Server>
>
after(async () => {
  for (const server of Object.values(servers)) await (await server).stop()
})

/** Adds an endpoint for invites through the API. */
async function endpoint({ api }: Organization, url: string): Promise<string> {
  const { id } = await ok(api.POST('/v1/webhooks', { body: { url, events: ['candidate.invited'] } }))
  return id
}

/** Waits until as many deliveries of the endpoint have the status. */
function deliveries({ api }: Organization, webhookId: string, status: 'SUCCEEDED' | 'FAILED' | 'CANCELLED', count: number) {
  const list = () => ok(api.GET('/v1/deliveries', { params: { query: { webhookId, status } } }))
  return eventually(list, (found) => found.length === count)
}

const part = (user: User, selector: string) => user.page.locator(selector)

for (const database of databases) {
  test(`a person finds out why the webhook for Ada did not arrive, and repairs it (${database})`, async (t) => {
    const made = await organization({}, (await servers[database]).url)
    const hook = await receiver(t, fail)
    const id = await endpoint(made, hook.url)
    const assessmentId = await made.publish(long(1))
    await made.invite(assessmentId, { candidateName: 'Ada Lovelace' })
    await made.invite(assessmentId, { candidateName: 'Lin Qiang' })
    await deliveries(made, id, 'FAILED', 2)

    const user = await dashboard(t, made, '/webhooks')
    await user.row('127.0.0.1').getByText(user.text('webhooks.health.failing')).waitFor()
    await user.row('127.0.0.1').getByRole('link').click()
    await user.read('webhooks.failure.5xx', { status: '500' })
    await user.read('webhooks.step.missed', { count: 2 })

    // The drawer shows one delivery, and Back closes it.
    await user.row('Ada Lovelace').getByRole('link').click()
    const drawer = user.dialog('webhooks.event.candidate.invited')
    await drawer.getByText(user.text('webhooks.drawer.failed', { count: 3 })).waitFor()
    await until(async () => assert.equal(await drawer.getByRole('listitem').count(), 3))
    await drawer.getByText('no table "events"').first().waitFor()
    await drawer.getByText('"candidateName": "Ada Lovelace"').waitFor()
    assert.match(await drawer.getByRole('link', { name: 'Ada Lovelace' }).getAttribute('href').then(String), /\/candidates\/ses_/)
    assert.match(user.page.url(), /delivery=dlv_/)
    await user.page.keyboard.press('Alt+ArrowUp')
    await drawer.getByText('"candidateName": "Lin Qiang"').waitFor()
    await user.page.goBack()
    await drawer.waitFor({ state: 'detached' })

    // The test shows the present answer, before and after the repair.
    await user.button('webhooks.ping').first().click()
    const ping = user.dialog('webhooks.ping.title')
    await ping.getByText(user.text('webhooks.failure.5xx', { status: '500' })).waitFor()
    hook.behave(accept)
    await ping.getByRole('button', { name: user.text('webhooks.ping.again') }).click()
    await ping.getByText(user.pattern('webhooks.ping.good', { status: '200' })).waitFor()
    await user.page.keyboard.press('Escape')

    const before = hook.received.length
    await part(user, '.webhooks-steps').getByRole('button', { name: user.text('webhooks.replay') }).click()
    await user.button('webhooks.replay.submit', { count: 2 }).click()
    await user.read('webhooks.replay.done', { count: 2 })
    await deliveries(made, id, 'SUCCEEDED', 2)
    const names = hook.received.slice(before).map(({ event }) => event.data.candidateName)
    assert.deepEqual(names.sort(), ['Ada Lovelace', 'Lin Qiang'])
    await user.read('webhooks.health.healthy')
    await part(user, '.webhooks-banner').waitFor({ state: 'detached' })
  })

  test(`a disabled endpoint is enabled, and what was missed is sent once (${database})`, async (t) => {
    const made = await organization({}, (await servers[database]).url)
    const hook = await receiver(t, fail)
    const id = await endpoint(made, hook.url)
    await made.invite(await made.publish(long(1)))
    await deliveries(made, id, 'FAILED', 1)
    await ok(made.api.PATCH('/v1/webhooks/{id}', { params: { path: { id } }, body: { enabled: false } }))
    hook.behave(accept)

    const user = await dashboard(t, made, `/webhooks/${id}`)
    await user.read('webhooks.banner.disabled')
    await user.read('webhooks.disabled.MANUAL')
    const replay = part(user, '.webhooks-steps').getByRole('button', { name: user.text('webhooks.replay') })
    await until(async () => assert.equal(await replay.getAttribute('aria-disabled'), 'true'))
    await part(user, '.webhooks-steps').getByRole('button', { name: user.text('webhooks.enable') }).click()
    await user.read('webhooks.enabled')
    await user.read('webhooks.banner.missed', { count: 1 })

    // One delivery is sent again from its drawer.
    await user.row(user.text('webhooks.delivery.FAILED')).getByRole('link').click()
    await user.button('webhooks.redeliver').click()
    await user.read('webhooks.drawer.arrived', { count: 1 })
    const [failed, ...others] = hook.received.filter(({ event }) => event.type === 'candidate.invited')
    assert.equal(new Set([failed!, ...others].map(({ event }) => event.id)).size, 1)
    assert.equal((await deliveries(made, id, 'SUCCEEDED', 1)).length, 1)

    // The failed delivery says that its event has arrived meanwhile.
    await user.page.keyboard.press('Escape')
    const old = user.row(user.text('webhooks.delivery.FAILED'))
    await old.getByText(user.text('webhooks.later')).waitFor()
    await old.getByRole('link').click()
    await user.page.getByRole('dialog').getByText(user.pattern('webhooks.drawer.later')).waitFor()
  })
}

const failures: { name: string; behaviour: Behaviour; key: string }[] = [
  { name: 'no answer in time', behaviour: hang, key: 'webhooks.failure.TIMEOUT' },
  { name: 'a closed connection', behaviour: close, key: 'webhooks.failure.CONNECTION' },
  { name: 'a redirect', behaviour: redirect, key: 'webhooks.failure.REDIRECT_REFUSED' },
  { name: '404', behaviour: (response) => response.writeHead(404).end(), key: 'webhooks.failure.404' },
]

test('each failure is explained in words', async (t) => {
  const made = await organization({}, (await servers.sqlite).url)
  for (const { behaviour, key } of failures) {
    const hook = await receiver(t, behaviour)
    const id = await endpoint(made, hook.url)
    const user = await dashboard(t, made, `/webhooks/${id}`)
    await user.button('webhooks.ping').first().click()
    await user.dialog('webhooks.ping.title').getByText(user.pattern(key)).waitFor()
  }
})

test('an endpoint is added, its secret is shown once and changed, and it is deleted', async (t) => {
  const made = await organization({}, (await servers.sqlite).url)
  const hook = await receiver(t)
  const user = await dashboard(t, made, '/webhooks')
  await user.read('webhooks.empty.text')
  await user.button('webhooks.add').click()
  const form = user.dialog('webhooks.add.title')
  const submit = form.getByRole('button', { name: user.text('webhooks.add'), exact: true })
  await submit.click()
  await form.getByText(user.text('webhooks.form.url.form')).waitFor()
  await user.field('webhooks.form.url').fill(hook.url)
  await form.getByLabel(user.text('webhooks.form.events.all')).check()
  await submit.click()

  const created = user.dialog('webhooks.add.done')
  const secret = await created.locator('[data-secret]').innerText()
  assert.match(secret, /^whsec_/)
  await user.page.keyboard.press('Escape')
  await created.waitFor()
  const done = created.getByRole('button', { name: user.text('webhooks.secret.done') })
  await until(async () => assert.equal(await done.getAttribute('aria-disabled'), 'true'))
  await created.getByLabel(user.text('webhooks.secret.stored')).check()
  await done.click()
  await user.page.waitForURL(/\/webhooks\/whk_/)

  const menu = user.page.locator('main details.more')
  await menu.locator('summary').click()
  await user.button('webhooks.rotate').click()
  await user.field('webhooks.rotate.overlap').selectOption('3600')
  await user.button('webhooks.rotate.submit').click()
  const rotated = user.dialog('webhooks.rotate.done')
  assert.notEqual(await rotated.locator('[data-secret]').innerText(), secret)
  await rotated.getByLabel(user.text('webhooks.secret.stored')).check()
  await rotated.getByRole('button', { name: user.text('webhooks.secret.done') }).click()

  await menu.locator('summary').click()
  await menu.getByRole('button', { name: user.text('webhooks.delete') }).click()
  const question = user.dialog('webhooks.delete.title')
  await question.getByText(hook.url).waitFor()
  await question.getByRole('button', { name: user.text('webhooks.delete') }).click()
  await user.read('webhooks.empty.text')
  assert.equal((await ok(made.api.GET('/v1/webhooks'))).length, 0)
})

test('a member sees everything, and learns why nothing can be changed', async (t) => {
  const made = await organization({}, (await servers.sqlite).url)
  const id = await endpoint(made, (await receiver(t)).url)
  const user = await dashboard(t, made, `/webhooks/${id}`, { role: 'MEMBER' })
  const ping = user.button('webhooks.ping')
  await until(async () => assert.equal(await ping.getAttribute('aria-disabled'), 'true'))
  await ping.click({ force: true })
  await user.read('role.needsAdmin')
  await user.page.goto(`${made.baseUrl}/app/api-keys`)
  await user.read('apiKeys.role.title')
  await user.page.goto(`${made.baseUrl}/app/audit-log`)
  await user.read('auditLog.role.title')
})
