// States of webhooks, events, API keys, and the audit log.
import type { Page } from 'playwright-core'
import { ok, organization, type Organization } from '../support/api.ts'
import { long } from '../support/assessments.ts'
import type { User } from '../support/dashboard.ts'
import type { Open, State } from './types.ts'

/** An organization with two endpoints, a key, and an invited candidate. Its endpoints are not reachable. */
async function used(): Promise<{ made: Organization; webhookId: string }> {
  const made = await organization()
  const body = { url: 'https://hooks.example/assay/results', events: ['candidate.invited' as const] }
  const { id } = await ok(made.api.POST('/v1/webhooks', { body }))
  const other = await ok(made.api.POST('/v1/webhooks', { body: { ...body, url: 'https://old.example/', description: 'Before the move' } }))
  await ok(made.api.PATCH('/v1/webhooks/{id}', { params: { path: { id: other.id } }, body: { enabled: false } }))
  await ok(made.api.POST('/v1/api-keys', { body: { name: 'Careers page', scopes: ['candidates:write'] } }))
  await made.invite(await made.publish(long(1)), { candidateName: 'Ada Lovelace' })
  return { made, webhookId: id }
}

// A person may sign in only a few times in a minute, so an organization serves few states.
const perOrganization = 4
let count = 0
let shared: ReturnType<typeof used> | undefined
const filled = () => (shared = shared && count++ % perOrganization > 0 ? shared : used())

/** A state of an organization that has used everything. */
function state(name: string, path: string | ((webhookId: string) => string), act: (user: User) => Promise<unknown>): State {
  return {
    name,
    async reach(open: Open) {
      const { made, webhookId } = await filled()
      const user = await open(made, typeof path === 'string' ? path : path(webhookId))
      await act(user)
      return user
    },
  }
}

/** A state of a new organization. */
function empty(name: string, path: string, key: string): State {
  return {
    name,
    async reach(open) {
      const user = await open(await organization(), path)
      await user.read(key)
      return user
    },
  }
}

const endpoint = (webhookId: string) => `/webhooks/${webhookId}`

async function menuItem(user: User, key: string): Promise<void> {
  await user.row('Ada Lovelace').waitFor()
  await user.page.locator('main details.more > summary').click()
  await user.button(key).last().click()
}

const dialog = (page: Page) => page.locator('dialog[open] h2').waitFor()

export const states: State[] = [
  empty('webhooks-empty', '/webhooks', 'webhooks.empty.text'),
  state('webhooks', '/webhooks', (user) => user.row('hooks.example').waitFor()),
  state('webhooks-add', '/webhooks', async (user) => {
    await user.button('webhooks.add').click()
    await dialog(user.page)
  }),
  state('webhooks-endpoint', endpoint, (user) => user.row('Ada Lovelace').waitFor()),
  state('webhooks-no-match', (id) => `${endpoint(id)}?status=CANCELLED`, (user) => user.read('state.noMatch.title')),
  state('webhooks-unknown', '/webhooks/whk_01m6gawt5s25wsy9e6ktqqm37n', (user) => user.read('problem.not_found')),
  state('webhooks-delivery', endpoint, async (user) => {
    await user.row('Ada Lovelace').getByRole('link').click()
    await user.dialog('webhooks.event.candidate.invited').getByText('"candidateName"').waitFor()
  }),
  state('webhooks-edit', endpoint, (user) => menuItem(user, 'webhooks.edit').then(() => dialog(user.page))),
  state('webhooks-replay', endpoint, (user) => menuItem(user, 'webhooks.replay').then(() => dialog(user.page))),
  state('webhooks-rotate', endpoint, (user) => menuItem(user, 'webhooks.rotate').then(() => dialog(user.page))),
  state('webhooks-delete', endpoint, (user) => menuItem(user, 'webhooks.delete').then(() => dialog(user.page))),
  empty('events-empty', '/events', 'events.empty.text'),
  state('events', '/events', (user) => user.row('Ada Lovelace').waitFor()),
  state('events-no-match', '/events?type=candidate.expired', (user) => user.read('state.noMatch.title')),
  state('events-find', '/events', async (user) => {
    await user.page.locator('[data-search]').fill('Ada')
    await user.page.locator('.events-found button').waitFor()
  }),
  state('events-event', '/events', async (user) => {
    await user.row('Ada Lovelace').getByRole('link').click()
    await user.page.getByRole('dialog').getByText('"candidateName"').waitFor()
  }),
  empty('api-keys-empty', '/api-keys', 'apiKeys.empty.text'),
  state('api-keys', '/api-keys', (user) => user.row('Careers page').waitFor()),
  state('api-keys-create', '/api-keys', async (user) => {
    await user.button('apiKeys.create').click()
    await dialog(user.page)
  }),
  state('api-keys-revoke', '/api-keys', async (user) => {
    await user.row('Careers page').getByRole('button').click()
    await dialog(user.page)
  }),
  state('audit-log', '/audit-log', (user) => user.row('Careers page').waitFor()),
  state('audit-log-no-match', '/audit-log?action=MEMBER_REMOVED', (user) => user.read('state.noMatch.title')),
  state('audit-log-period', '/audit-log', async (user) => {
    await user.page.getByRole('combobox', { name: user.text('range.label') }).selectOption('own')
    await dialog(user.page)
  }),
]
