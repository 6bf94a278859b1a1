// States of the home page, the list of assessments, and the ways to a new one.
import { ok, organization, type Organization } from '../support/api.ts'
import { answer, hold } from '../support/network.ts'
import { finished, kitchen } from '../support/results.ts'
import { sample } from '../support/samples.ts'
import type { State } from './types.ts'

/** An organization at work: drafts, results, an invite that expires, and an endpoint that is disabled. */
async function busy(): Promise<Organization> {
  const made = await organization({ inviteExpiryDays: 1 })
  const id = await made.publish(kitchen)
  await made.publish({
    ...sample('warehouse'),
    title: 'Warehouse safety, night shift, all sites in the north and the east',
  })
  const archived = await made.publish({ ...sample('support'), title: 'Customer support agent 2025' })
  await ok(made.api.POST('/v1/assessments/{id}/archive', { params: { path: { id: archived } } }))
  for (const title of ['Bookkeeper', 'Shift lead'])
    await ok(made.api.POST('/v1/assessments', { body: { title, stages: [] } }))
  await finished(made, id, 6)
  for (const candidateName of ['Maximiliane Oberhuber-Steinmetz', 'Kwame Mensah', 'Sofia Rossi']) {
    await made.invite(id, { candidateName })
  }
  const webhook = { url: 'https://hooks.example/assay/candidates', events: ['candidate.completed' as const] }
  const { id: endpoint } = await ok(made.api.POST('/v1/webhooks', { body: webhook }))
  await ok(made.api.PATCH('/v1/webhooks/{id}', { params: { path: { id: endpoint } }, body: { enabled: false } }))
  return made
}

const pasted = `Kitchen basics, first draft

1. Which board is for raw poultry?
A) The green one
*B) The yellow one
C) The white one, if it is washed between two uses and dried with a paper towel
Explanation: Yellow is for poultry.

2. Which need cooling? (2 points)
- [x] Cream
- [ ] Salt
- [x] Fresh fish

3. At how many °C do you store frozen food at the most?
Answer: -18 ± 1

4. What is HACCP for?
A) Paperwork
B) Food safety

5. Describe your last job.
`

const table = `Question,A,B,C,Correct,Points,Level,Section
Which board is for raw poultry?,Green,Yellow,White,B,1,easy,Hygiene
How many grams has a kilogram?,,,,1000,1,easy,Measures
Which need cooling?,Cream,Salt,Fresh fish,"A, C",2,hard,Hygiene
`

export const states: State[] = [
  {
    name: 'home-first-run',
    async reach(open) {
      const user = await open(await organization(), '/')
      await user.button('home.create.go').waitFor()
      return user
    },
  },
  {
    name: 'home-second-step',
    async reach(open) {
      const made = await organization()
      await made.publish(sample('support'))
      const user = await open(made, '/')
      await user.button('assessment.take').waitFor()
      return user
    },
  },
  {
    name: 'home-webhook-left',
    async reach(open) {
      const made = await organization()
      await made.invite(await made.publish(sample('support')))
      const user = await open(made, '/')
      await user.link('home.webhook.go').waitFor()
      await user.read('home.attention.none')
      return user
    },
  },
  {
    name: 'home-busy',
    async reach(open) {
      const user = await open(await busy(), '/')
      await user.read('home.results.all')
      return user
    },
  },
  {
    name: 'home-error',
    async reach(open) {
      const made = await organization()
      await made.invite(await made.publish(sample('support')))
      const user = await open(made, '/', {
        allow: [/500/],
        before: (page) =>
          answer(page, '/v1/overview', { status: 500, code: 'internal_error', requestId: 'req_home' }),
      })
      await user.page.getByRole('alert').waitFor()
      return user
    },
  },
  {
    name: 'assessments',
    async reach(open) {
      const user = await open(await busy(), '/assessments')
      await user.row('Shift lead').waitFor()
      return user
    },
  },
  {
    name: 'assessments-loading',
    async reach(open) {
      const user = await open(await organization(), '/assessments', {
        before: (page) => hold(page, '/v1/assessments', { method: 'GET' }),
      })
      await user.see('assessments.title')
      await user.page.getByRole('status').first().waitFor()
      return user
    },
  },
  {
    name: 'assessments-menu',
    async reach(open) {
      const user = await open(await busy(), '/assessments')
      await user.page
        .locator('summary', { has: user.page.locator('svg') })
        .nth(2)
        .click()
      return user
    },
  },
  {
    name: 'assessments-empty',
    async reach(open) {
      const user = await open(await organization(), '/assessments')
      await user.read('assessments.none.title')
      return user
    },
  },
  {
    name: 'assessments-empty-member',
    async reach(open) {
      const user = await open(await organization(), '/assessments', { role: 'MEMBER' })
      await user.read('assessments.none.member')
      return user
    },
  },
  {
    name: 'assessments-no-match',
    async reach(open) {
      const user = await open(await busy(), '/assessments?q=astronaut')
      await user.read('state.noMatch.title')
      return user
    },
  },
  {
    name: 'assessments-delete',
    async reach(open) {
      const user = await open(await busy(), '/assessments?q=Shift')
      await user.row('Shift lead').locator('summary').click()
      await user.button('assessment.delete').click()
      await user.dialog('assessment.delete.question').waitFor()
      return user
    },
  },
  {
    name: 'new-assessment',
    async reach(open) {
      const user = await open(await organization(), '/assessments/new')
      await user.see('new.title')
      return user
    },
  },
  {
    name: 'import-empty',
    async reach(open) {
      const user = await open(await organization(), '/assessments/import')
      await user.read('import.nothing.title')
      return user
    },
  },
  {
    name: 'import-pasted',
    async reach(open) {
      const user = await open(await organization(), '/assessments/import')
      await user.field('import.paste.label').fill(pasted)
      await user.read('import.understood', { count: 4 })
      return user
    },
  },
  {
    name: 'import-table',
    async reach(open) {
      const user = await open(await organization(), '/assessments/import')
      await user.field('import.paste.label').fill(table)
      await user.read('import.columns.text')
      return user
    },
  },
]
