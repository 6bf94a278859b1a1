// States of the home page, the list of assessments, and the ways to a new one.
import { ok, organization, type Organization } from '../support/api.ts'
import { answerImports, imported, note, question } from '../support/imports.ts'
import { abort, answer, hold } from '../support/network.ts'
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

/** Notes of each severity, one of a later version, code, and a question that is not imported. */
function noted() {
  const code = '```\nif a:\n    print("a line that is longer than a phone is wide, and longer still")\n```'
  const made = imported(
    [
      question(1, { correctOptionId: null }),
      question(2, { prompt: code, promptHtml: `<pre><code>${code.slice(4, -3)}</code></pre>` }),
      question(3, { type: 'FREE_TEXT', options: null, correctOptionId: null, explanation: 'Why', explanationHtml: '<p>Why</p>' }),
    ],
    { notes: [note('heading_ignored', 'NOT_IMPORTED', 1, 'Kitchen basics, first draft'), note('of_a_later_version', 'INFO', null)] },
  )
  const [first, second, third] = made.report.questions
  first!.notes = [note('keys_disagree', 'INCOMPLETE', 3, 'Answer: B')]
  second!.notes = [note('feedback_dropped', 'CHANGED', 7, '#Well-done-you-have-found-the-right-answer-and-now-go-on')]
  third!.notes = [note('type_unknown', 'INFO', 11, 'Essay')]
  const rest = { itemId: 'choices/item-number-seven-of-the-package.xml', stageOrder: null, questionOrder: null }
  made.report.questions.push({
    ...rest, line: null, lastLine: null, excerpt: 'Match the words', notes: [note('type_unsupported', 'NOT_IMPORTED', null)],
  })
  return made
}

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
      await user.read('import.create', { count: 4 })
      await user.page.getByRole('button', { name: 'Line 21' }).first().click()
      return user
    },
  },
  {
    name: 'import-result',
    async reach(open) {
      const user = await open(await organization(), '/assessments/import?view=result&notes=1')
      await answerImports(user.page, noted)
      await user.page.locator('#import-text').fill(pasted)
      await user.page.getByText('The server says: of_a_later_version.').waitFor({ state: 'attached' })
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
  {
    name: 'import-ambiguous',
    async reach(open) {
      const user = await open(await organization(), '/assessments/import')
      await user.field('import.paste.label').fill('Question,A,B,C,D,Correct\nHow many?,5,6,4,1,1\n')
      await user.read('import.ambiguous')
      return user
    },
  },
  {
    name: 'import-not-readable',
    async reach(open) {
      const user = await open(await organization(), '/assessments/import')
      const buffer = Buffer.from('PK\u0003\u0004workbook')
      const file = { name: 'Food safety for the night shift in all kitchens of the north.xlsx', mimeType: '', buffer }
      await user.page.locator('.import-file input').setInputFiles(file)
      await user.field('import.format').selectOption('XLSX')
      await user.read('import.notReadable')
      return user
    },
  },
  {
    name: 'import-offline',
    async reach(open) {
      const user = await open(await organization(), '/assessments/import')
      await abort(user.page, '/v1/assessments/import')
      await user.field('import.paste.label').fill(pasted)
      await user.read('fault.offline')
      return user
    },
  },
  {
    name: 'import-member',
    async reach(open) {
      const user = await open(await organization(), '/assessments/import', { role: 'MEMBER' })
      await user.read('role.needsEditor')
      return user
    },
  },
  {
    name: 'assessment-export',
    async reach(open) {
      const made = await organization()
      const user = await open(made, `/assessments/${await made.publish(kitchen)}`)
      await user.page.getByTitle(user.text('assessment.more')).click()
      await user.button('assessment.export').click()
      await user.dialog('export.title').waitFor()
      return user
    },
  },
]
