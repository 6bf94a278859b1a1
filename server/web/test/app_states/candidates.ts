// States of the list of candidates and of invites.
import { ok, organization, type Organization } from '../support/api.ts'
import type { User } from '../support/dashboard.ts'
import { finished, kitchen } from '../support/results.ts'
import { withEmail } from '../support/with_email.ts'
import type { State } from './types.ts'

/** An email that waits can be cancelled only before it is sent. */
const soon = () => new Date(Date.now() + 30 * 60_000).toISOString()

// Each visit signs in as another colleague, because the attempts of one person are limited.
const options = { role: 'ADMIN' } as const

const made = once(async () => {
  const owner = await organization()
  const assessmentId = await owner.publish(kitchen)
  await finished(owner, assessmentId, 12)
  const { sessionId } = await owner.invite(assessmentId, {
    candidateName: 'Ola Nordmann',
    candidateEmail: 'ola@candidate.example',
    metadata: { source: 'registration' },
  })
  const params = { path: { id: sessionId } }
  await ok(owner.api.PUT('/v1/candidate-sessions/{id}/review/state', { params, body: { stateId: 'shortlisted' } }))
  await ok(owner.api.PUT('/v1/candidate-sessions/{id}/review/rating', { params, body: { rating: 4 } }))
  return { owner, assessmentId }
})

/** An organization without candidates. */
const fresh = async () => {
  const owner = await organization()
  return { owner, assessmentId: await owner.publish(kitchen) }
}
const published = once(fresh)

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => (result ??= make())
}

async function fail(user: User, owner: Organization, path: string): Promise<void> {
  const problem = { type: 'about:blank', title: 'Bad Request', status: 400, code: 'invalid_request', detail: 'A filter is wrong.', errors: [] }
  const headers = { 'X-Request-Id': 'req_01m6dqscsj8xn3t84xa93s7nk0', 'Content-Type': 'application/problem+json' }
  await user.page.route(/candidate-sessions\?/, (route) => route.fulfill({ status: 400, headers, body: JSON.stringify(problem) }))
  await user.page.goto(`${owner.baseUrl}/app${path}`)
  await user.page.getByText('A filter is wrong.').waitFor()
}

async function paste(user: User, content: string): Promise<void> {
  await user.page.locator('textarea').evaluate((field, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', text)
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, content)
}

const rows = [
  'Name\tE-mail\tApplication\tExtra time',
  'Ann Lee\tann@candidate.example\ta-1\t',
  'Bo Kerr\tbo@candidate\ta-2\t25 %',
  '\tcy@candidate.example\ta-3\t',
  'Ann Lee\tANN@candidate.example\ta-1\t',
  'Ola Nordmann\tola@candidate.example\t\t',
  'Di Oz\tdi@candidate.example\ta-4\tlots',
].join('\n')

/** A list of candidates, and what the person does there. */
const list = (name: string, path: string, act: (user: User) => Promise<void>): State => ({
  name: `app-candidates-${name}`,
  async reach(open) {
    const user = await open((await made()).owner, path, options)
    await user.see('candidates.title')
    await act(user)
    return user
  },
})

const invite = (name: string, make: typeof made, query: string, act: (user: User) => Promise<void>): State => ({
  name: `app-invite-${name}`,
  async reach(open) {
    const { owner, assessmentId } = await make()
    const user = await open(owner, `/invite?assessment=${assessmentId}${query}`, options)
    await user.see('invite.title')
    await act(user)
    return user
  },
})

const select = async (user: User) => {
  for (const name of ['Ola Nordmann', 'Ada Lovelace']) await user.page.getByLabel(user.text('candidates.select', { name })).check()
}
const openMenu = (key: string) => async (user: User) => {
  await user.row('Ada Lovelace').waitFor()
  await user.page.locator('summary', { hasText: user.text(key) }).click()
  await user.page.locator('.filter-menu .panel :is(input, button)').first().waitFor()
}

export const states: State[] = [
  list('filled', '/candidates', (user) => user.row('Ada Lovelace').waitFor()),
  list('none', '/candidates?q=nobody', (user) => user.read('state.noMatch.title')),
  list('selected', '/candidates', select),
  list('assessments', '/candidates', openMenu('candidates.assessment')),
  list('scores', '/candidates?min=50&passed=true', openMenu('candidates.score')),
  list('dates', '/candidates', openMenu('candidates.period')),
  list('cancel', '/candidates', async (user) => {
    await select(user)
    await user.button('candidates.cancel').click()
    await user.dialog('candidates.cancel.title').waitFor()
  }),
  {
    name: 'app-candidates-reject',
    async reach(open) {
      const { owner } = await made()
      const user = await open(owner, '/candidates', { ...options, before: withEmail })
      await user.see('candidates.title')
      await select(user)
      await user.button('candidates.setState').click()
      const dialog = user.dialog('candidates.setState.title')
      await dialog.getByLabel(user.text('candidates.state'), { exact: true }).selectOption('rejected')
      await dialog.getByLabel(user.text('candidates.email'), { exact: true }).check()
      await dialog.getByRole('button', { name: user.text('candidates.email.preview') }).click()
      await dialog.getByText('ola@candidate.example').first().waitFor()
      await dialog.locator('.email-preview').scrollIntoViewIfNeeded()
      return user
    },
  },
  {
    name: 'app-candidates-tags',
    async reach(open) {
      const { owner, assessmentId } = await fresh()
      const tags = ['Night shift', 'Speaks French and a little Portuguese', 'Reference checked', 'Can start in January']
      for (const [i, candidateName] of ['Ola Nordmann', 'Mei Lindqvist', 'Rafael Ortiz'].entries()) {
        const { sessionId: id } = await owner.invite(assessmentId, { candidateName })
        const params = { params: { path: { id } } }
        await ok(owner.api.PATCH('/v1/candidate-sessions/{id}/review/tags', { ...params, body: { add: tags.slice(i) } }))
        await ok(owner.api.PUT('/v1/candidate-sessions/{id}/review/rating', { ...params, body: { rating: 3 + i } }))
        await ok(owner.api.PUT('/v1/candidate-sessions/{id}/review/state', { ...params, body: { stateId: 'shortlisted' } }))
      }
      const user = await open(owner, '/candidates?sort=-rating', options)
      await user.page.getByLabel(user.text('candidates.selectAll')).check()
      await user.page.waitForLoadState('networkidle')
      return user
    },
  },
  {
    name: 'app-candidates-set-tags',
    async reach(open) {
      const { owner } = await made()
      const user = await open(owner, '/candidates', options)
      await select(user)
      await user.button('candidates.setTags').click()
      await user.dialog('candidates.setTags.title').waitFor()
      return user
    },
  },
  {
    name: 'app-candidates-rejected',
    async reach(open) {
      const { owner, assessmentId } = await fresh()
      await owner.invite(assessmentId, { candidateName: 'Ola Nordmann' })
      const user = await open(owner, '/candidates', { ...options, before: withEmail })
      await user.page.route('**/review-states', async (route) => {
        if (route.request().method() !== 'PUT') return route.continue()
        const email = { id: 'eml_1', batchId: 'reb_1', status: 'QUEUED', subject: 'S', sendAt: soon(), endedAt: null }
        const rows = [{ index: 0, outcome: 'CHANGED', error: null, email }]
        const headers = { 'X-Request-Id': 'req_01m6dqscsj8xn3t84xa93s7nk0' }
        const data = { changedCount: 1, unchangedCount: 0, failedCount: 0, emailBatchId: 'reb_1', rows }
        await route.fulfill({ headers, json: { data } })
      })
      await user.page.getByLabel(user.text('candidates.select', { name: 'Ola Nordmann' })).check()
      await user.button('candidates.setState').click()
      const dialog = user.dialog('candidates.setState.title')
      await dialog.getByLabel(user.text('candidates.state'), { exact: true }).selectOption('rejected')
      await dialog.getByLabel(user.text('candidates.email'), { exact: true }).check()
      await dialog.getByRole('button', { name: user.text('candidates.setState') }).click()
      await dialog.getByRole('button', { name: user.text('candidates.email.cancel', { count: 1 }) }).waitFor()
      return user
    },
  },
  {
    name: 'app-candidates-planned',
    async reach(open) {
      const { owner, assessmentId } = await fresh()
      const { sessionId: id } = await owner.invite(assessmentId, { candidateName: 'Ola Nordmann' })
      const params = { params: { path: { id } } }
      await ok(owner.api.PUT('/v1/candidate-sessions/{id}/review/state', { ...params, body: { stateId: 'rejected' } }))
      const user = await open(owner, '/nothing-here', options)
      await user.page.route('**/review', async (route) => {
        const response = await route.fetch()
        const json = (await response.json()) as { data: { changes: { email: unknown }[] } }
        const times = { sendAt: soon(), endedAt: null }
        json.data.changes[0]!.email = { id: 'eml_1', batchId: 'reb_1', status: 'QUEUED', subject: 'S', ...times }
        await route.fulfill({ response, json })
      })
      await user.page.goto(`${owner.baseUrl}/app/candidates/${id}`)
      await user.button('candidate.email.cancel').waitFor()
      return user
    },
  },
  list('resend', '/candidates', async (user) => {
    await select(user)
    await user.button('candidates.resend').click()
    await user.dialog('candidates.resend.title').waitFor()
  }),
  {
    name: 'app-candidates-loading',
    async reach(open) {
      const { owner } = await made()
      const user = await open(owner, '/nothing-here', options)
      await user.page.route(/candidate-sessions\?/, () => undefined)
      await user.page.goto(`${owner.baseUrl}/app/candidates`)
      await user.see('candidates.title')
      await user.page.locator('.list .skeleton').waitFor()
      return user
    },
  },
  {
    name: 'app-candidates-error',
    async reach(open) {
      const { owner } = await made()
      const user = await open(owner, '/nothing-here', options)
      await fail(user, owner, '/candidates')
      return user
    },
  },
  {
    name: 'app-candidates-empty',
    async reach(open) {
      const user = await open((await published()).owner, '/candidates', options)
      await user.read('candidates.empty.title')
      return user
    },
  },
  {
    name: 'app-candidates-of-assessment',
    async reach(open) {
      const { owner, assessmentId } = await made()
      const user = await open(owner, `/assessments/${assessmentId}/candidates`, options)
      await user.row('Ada Lovelace').waitFor()
      return user
    },
  },
  {
    name: 'app-invite-none-published',
    async reach(open) {
      const user = await open(await organization(), '/invite')
      await user.read('invite.none.title')
      return user
    },
  },
  invite('many-draft', made, '&many=1', async (user) => {
    const buffer = Buffer.from('Name,Email\nMei Lindqvist,mei@candidate.example\nTheo Marsh,theo@candidate.example\n')
    const file = { name: 'people.csv', mimeType: 'text/csv', buffer }
    await user.page.locator('.invite-source input[type=file]').setInputFiles(file)
    await user.page.locator('.invite-columns').waitFor()
    await user.page.reload()
    await user.button('draft.discard').waitFor()
    await user.page.getByText('Theo Marsh').last().waitFor()
  }),
  invite('one', made, '', async (user) => {
    await user.page.locator('.invite-more summary').click()
    await user.button('invite.one.submit').click()
    await user.read('invite.fault.candidateName.too_short')
  }),
  invite('one-done', made, '', async (user) => {
    await user.page.getByLabel(user.text('invite.name')).fill('Ola Nordmann')
    await user.page.getByLabel(user.text('invite.email.address')).fill('ola@candidate.example')
    await user.button('invite.one.submit').click()
    await user.read('invite.one.existing.title', { name: 'Ola Nordmann' })
  }),
  invite('paste', made, '&many=1', (user) => user.page.locator('textarea').waitFor()),
  invite('preview', made, '&many=1', async (user) => {
    await paste(user, rows)
    await user.read('invite.checked', { ready: '1', count: 6 })
  }),
  invite('again', made, '&many=1', async (user) => {
    await paste(user, 'Name\tE-mail\nAda Lovelace\tada.lovelace@candidate.example\nAnn Lee\tann@candidate.example')
    await user.page.getByText(user.text('invite.state.BEFORE')).first().waitFor()
  }),
  invite('one-again', made, '', async (user) => {
    await user.page.getByLabel(user.text('invite.email.address')).fill('ada.lovelace@candidate.example')
    await user.page.getByLabel(user.text('invite.before.again')).waitFor()
  }),
  invite('columns', made, '&many=1', async (user) => {
    await paste(user, 'a\tb\tc\n1\t2\t3')
    await user.read('invite.columns.noEmail')
  }),
  invite('outcome', fresh, '&many=1', async (user) => {
    await paste(user, 'Ann Lee\tann@candidate.example\nBo Kerr\tbo@candidate.example')
    await user.page.getByRole('button', { name: user.text('invite.send', { count: 2 }) }).click()
    await user.read('invite.done.title', { count: 2 })
  }),
]
