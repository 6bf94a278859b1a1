// States of the connections with applicant tracking systems.
import { organization, ok, type Organization } from '../support/api.ts'
import type { User } from '../support/dashboard.ts'
import { kitchen } from '../support/results.ts'
import { sharedServer } from '../support/server.ts'
import type { State } from './types.ts'

let prepared: Promise<Organization> | undefined
const shared = () => (prepared ??= prepare())

/** An organization with two systems. One system has sent a request. */
async function prepare(): Promise<Organization> {
  const made = await organization()
  const assessmentId = await made.publish(kitchen)
  const { key } = await ok(made.api.POST('/v1/api-keys', { body: { name: 'Greenhouse', scopes: ['ats:connect'] } }))
  for (const partner of ['greenhouse', 'workable'] as const) {
    await ok(made.api.PUT('/v1/integrations', { body: { partner, callbackKey: key } }))
  }
  const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`
  const call = (path: string, body?: object) =>
    fetch(new URL(`/partners/greenhouse/${path}`, sharedServer()), {
      headers: { authorization },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  await call('list_tests')
  const url = 'https://app.greenhouse.io/integrations/testing_partners/take_home_tests/12345'
  const candidate = { first_name: 'Mei', last_name: 'Lindqvist', email: 'mei@candidate.example' }
  await call('send_test', { partner_test_id: assessmentId, candidate, url })
  await call('send_test', { partner_test_id: assessmentId, candidate: { first_name: 'Theo' }, url: `${url}6` })
  await call('response_error', { api_call: 'test_status', errors: ['partner_score is not a number'] })
  return made
}

const section = (user: User) => user.page.locator('#integrations')

function state(name: string, more: (user: User) => Promise<unknown>): State {
  return {
    name: `integrations-${name}`,
    async reach(open) {
      const user = await open(await shared(), '/settings#integrations')
      await section(user).locator('li').first().waitFor()
      await section(user).scrollIntoViewIfNeeded()
      await more(user)
      return user
    },
  }
}

export const states: State[] = [
  state('section', async () => undefined),
  state('connect', async (user) => {
    await section(user).getByRole('button', { name: user.text('integrations.connect', { name: 'Ashby' }) }).click()
    await user.dialog('integrations.connect.title').waitFor()
  }),
  state('made', async (user) => {
    await section(user).getByRole('button', { name: user.text('integrations.again') }).first().click()
    await user.button('integrations.create').click()
    await user.dialog('integrations.made.title').waitFor()
  }),
  state('exchanges', async (user) => {
    await section(user).getByRole('button', { name: user.text('integrations.exchanges') }).first().click()
    await user.page.getByText('/partners/greenhouse/response_error').waitFor()
  }),
  state('disconnect', async (user) => {
    await section(user).getByRole('button', { name: user.text('integrations.disconnect') }).first().click()
    await user.dialog('integrations.disconnect.title').waitFor()
  }),
]
