// The forms of the dashboard in which a person can type, and how to reach each.
import type { Locator } from 'playwright-core'
import { ok, organization, type Organization } from './api.ts'
import type { DashboardOptions, User } from './dashboard.ts'
import { freeText } from './grading.ts'
import { atGate, cook } from './in_review.ts'
import { allBut, kitchen, work } from './results.ts'
import { withEmail } from './with_email.ts'

export interface Prepared {
  made: Organization
  id: string
  written: string
  draft: string
  webhook: string
  invited: string
  working: string
  done: string
  /** Waits for a decision about a gate. */
  gate: string
  questionId: string
}

let prepared: Promise<Prepared> | undefined
/** The organization that the tests share. */
export const shared = () => (prepared ??= prepare())

async function prepare(): Promise<Prepared> {
  const made = await organization()
  const id = await made.publish(kitchen)
  const written = await made.publish(freeText)
  const [invited, working, finished] = await Promise.all([made.invite(id), made.invite(id), made.invite(id)])
  await Promise.all([work(working, kitchen, allBut(), 1), work(finished, kitchen, allBut(1))])
  const comments = { params: { path: { id: finished.sessionId } } }
  await ok(made.api.POST('/v1/candidate-sessions/{id}/review/comments', { ...comments, body: { text: 'Friendly' } }))
  const endpoint = { url: 'https://hooks.example/', events: ['candidate.completed' as const] }
  const { id: webhook } = await ok(made.api.POST('/v1/webhooks', { body: endpoint }))
  const { id: draft } = await ok(made.api.POST('/v1/assessments', { body: kitchen }))
  const { stages } = await ok(made.api.GET('/v1/candidate-sessions/{id}/result', comments))
  const question = stages[2]!.questions[0]!
  const body = { questionId: question.id, action: 'FULL_POINTS', policy: 'NEVER_LOWER', reason: 'Unclear' } as const
  await ok(made.api.POST('/v1/assessments/{id}/corrections', { params: { path: { id } }, body }))
  const options = [{ id: 'below', text: 'Below 40' }, { id: 'above', text: '40 or above' }]
  const asked = { params: { path: { id } }, body: { questions: [{ id: 'age', text: 'How old are you?', options }] } }
  await ok(made.api.PUT('/v1/assessments/{id}/self-identification', asked))
  const questionId = stages[0]!.questions[0]!.id
  const { sessionId: gate } = await atGate(made, await made.publish(cook))
  const sessions = { invited: invited.sessionId, working: working.sessionId, done: finished.sessionId }
  return { made, id, written, draft, webhook, ...sessions, gate, questionId }
}

export interface Walk {
  /** The file in src/app, and the name of the draft in it. */
  draft: string
  path(prepared: Prepared): string
  /** Opens the form. */
  reach?(user: User): Promise<unknown>
  /** What contains the fields. */
  root: string
  /** Types what `fill` cannot. */
  type?(user: User, root: Locator): Promise<unknown>
  before?: DashboardOptions['before']
  /** Whether discarding leaves the fields where they were. Loaded data disappears with them. */
  isGoneAfter?: boolean
}

const press = (key: string) => (user: User) => user.button(key).first().click()
const inMenu = (more: string, key: string) => async (user: User) => {
  await user.page.getByLabel(user.text(more)).first().click()
  await user.page.locator('details.more[open]').getByRole('button', { name: user.text(key), exact: true }).click()
}
const select = async (user: User) => {
  await user.page.getByRole('checkbox', { name: user.text('candidates.selectAll') }).check()
  await user.button('candidates.setState').click()
}
const candidate = (which: 'invited' | 'working' | 'done' | 'gate') => (prepared: Prepared) => `/candidates/${prepared[which]}`
const table = 'Name,Email,Reference\nMei Lindqvist,mei@candidate.example,A-1\nTheo Marsh,theo@candidate.example,A-2\n'

const late: Walk['before'] = async (page) => {
  // An answer can be late only after a minute, which is too long for a test.
  const { questionId } = await shared()
  const given = { questionId, answer: { optionId: 'o2' }, arrivedAt: '2026-11-26T12:00:00Z' }
  const json = { data: [{ ...given, secondsLate: 4, points: 2, counted: false }] }
  const headers = { 'X-Request-Id': 'req_01m6gagea5f23rz6arqmjfkxcm' }
  await page.route('**/late-answers', (route) => route.fulfill({ headers, json }))
}

export const walks: Walk[] = [
  { draft: 'profile/profile.tsx person', path: () => '/profile', root: 'main form >> nth=0' },
  { draft: 'new/new.tsx blank', path: () => '/assessments/new', root: 'main form' },
  { draft: 'assessment/repeat.tsx repeat', path: ({ id }) => `/assessments/${id}/settings`, root: 'main form >> nth=0' },
  {
    draft: 'grading_rules/rules.tsx grading',
    path: ({ written }) => `/assessments/${written}/settings`,
    root: 'main form:has([name="grading/promisedHours"])',
  },
  {
    draft: 'invite/registration.tsx registration',
    path: ({ id }) => `/invite?assessment=${id}&link=1`,
    root: 'main form',
  },
  ...['general', 'candidates', 'brand', 'region', 'email'].map((name) => ({
    draft: 'settings/section.tsx name',
    path: () => '/settings',
    root: `#${name} form`,
  })),
  { draft: 'email-texts/email_texts.tsx draft', path: () => '/settings?email=REMINDER&language=fr', root: '#words form' },
  {
    draft: 'email-texts/email_texts.tsx draft',
    path: ({ id }) => `/assessments/${id}/settings`,
    root: '.email-texts form',
  },
  {
    draft: 'company_sign_in/second_factor.tsx second-factor',
    path: () => '/settings/sign-in',
    root: '#secondFactor form',
  },
  {
    draft: 'company_sign_in/provider.tsx provider',
    path: () => '/settings/sign-in',
    root: '#provider form',
    // The secret of the client is not kept.
    async type(user) {
      await user.field('companySignIn.issuer').fill('https://login.example')
      await user.field('companySignIn.clientId').fill('assay')
    },
  },
  { draft: 'company_sign_in/domains.tsx domain', path: () => '/settings/sign-in', root: '#domains form' },
  { draft: 'settings/states.tsx states', path: () => '/settings', root: '#states form' },
  { draft: 'protection/retention.tsx retention', path: () => '/settings/data-protection', root: '#retention form' },
  {
    draft: 'protection/hold.tsx hold',
    path: candidate('done'),
    reach: inMenu('candidate.more', 'candidate.hold'),
    root: 'dialog form',
  },
  { draft: 'api-keys/create.tsx create', path: () => '/api-keys', reach: press('apiKeys.create'), root: 'dialog form' },
  { draft: 'members/dialogs.tsx invite', path: () => '/members', reach: inviteMember, root: 'dialog form' },
  {
    draft: 'segments/form.tsx segment',
    path: ({ id }) => `/assessments/${id}`,
    reach: press('segments.new'),
    root: 'dialog form',
  },
  {
    draft: 'groups/voluntary.tsx voluntary',
    path: ({ id }) => `/assessments/${id}/groups`,
    root: 'main form',
  },
  { draft: 'cut_score/cut_score.tsx cut-score', path: ({ id }) => `/assessments/${id}/cut-score`, root: 'main form' },
  {
    draft: 'correction/corrections.tsx withdraw',
    path: ({ id }) => `/assessments/${id}/corrections`,
    reach: press('correction.withdraw.ask'),
    root: 'dialog form',
  },
  { draft: 'webhooks/add.tsx add', path: () => '/webhooks', reach: press('webhooks.add'), root: 'dialog form' },
  ...(['edit', 'rotate', 'replay'] as const).map((name) => ({
    draft: `webhooks/${name === 'replay' ? 'replay' : 'settings'}.tsx ${name}`,
    path: ({ webhook }: Prepared) => `/webhooks/${webhook}`,
    reach: inMenu('webhooks.more', `webhooks.${name}`),
    root: 'dialog form',
  })),
  { draft: 'candidate/comments.tsx comment', path: candidate('done'), root: '.comments > form' },
  {
    draft: 'candidate/edit_comment.tsx comment id',
    path: candidate('done'),
    reach: async (user) => {
      await user.page.locator('.comments details.more > summary').first().click()
      const edit = { name: user.text('candidate.comments.edit') }
      await user.page.locator('.comments').getByRole('button', edit).click()
    },
    root: '.comments li form',
  },
  { draft: 'candidate/review.tsx state', path: candidate('done'), root: '.review-state', type: changeState },
  {
    draft: 'candidate/forms.tsx extend',
    path: candidate('working'),
    reach: press('candidate.extend'),
    root: 'dialog form',
  },
  {
    draft: 'candidate/forms.tsx change',
    path: candidate('invited'),
    reach: inMenu('candidate.more', 'candidate.change'),
    root: 'dialog form',
  },
  {
    draft: 'candidate/reopen.tsx reopen',
    path: candidate('done'),
    reach: inMenu('candidate.more', 'candidate.reopen'),
    root: 'dialog form',
  },
  {
    draft: 'decision/ruling.tsx ruling',
    path: candidate('gate'),
    reach: press('decision.stop'),
    root: 'dialog form',
  },
  {
    draft: 'result_links/share.tsx share',
    path: candidate('done'),
    reach: inMenu('candidate.more', 'candidate.share'),
    root: 'dialog form',
  },
  {
    draft: 'candidate/count_dialog.tsx count',
    path: candidate('done'),
    reach: press('candidate.late.count'),
    root: 'dialog form',
    before: late,
  },
  {
    draft: 'decision/grade_form.tsx grade',
    path: ({ done }) => `/candidates/${done}?answers=wrong`,
    reach: press('candidate.grade.change'),
    root: 'dialog form',
  },
  {
    draft: 'candidates/set_state.tsx state',
    path: () => '/candidates',
    reach: select,
    root: 'dialog .form-row:has([name=reason])',
  },
  {
    draft: 'decision_email/email.tsx email',
    path: () => '/candidates',
    before: withEmail,
    reach: async (user) => {
      await select(user)
      const dialog = user.page.getByRole('dialog')
      await dialog.getByLabel(user.text('candidates.state'), { exact: true }).selectOption('rejected')
      await user.page.getByLabel(user.text('candidates.email'), { exact: true }).check()
    },
    root: '.candidates-email',
  },
  {
    draft: 'invite/one.tsx draft',
    path: ({ id }) => `/invite?assessment=${id}`,
    root: '.invite-one form',
    reach: openMore,
  },
  { draft: 'invite/source.tsx paste', path: ({ id }) => `/invite?assessment=${id}&many=1`, root: '.invite-source' },
  {
    draft: 'invite/many.tsx table',
    path: ({ id }) => `/invite?assessment=${id}&many=1`,
    root: '.invite-columns',
    type: loadTable,
    isGoneAfter: true,
  },
  { draft: 'import/import.tsx source', path: () => '/assessments/import', root: '.import-source' },
  {
    draft: 'import/create.tsx title',
    path: () => '/assessments/import',
    root: '.import',
    type: importQuestions,
    isGoneAfter: true,
  },
  {
    draft: 'editor/paste.tsx paste',
    path: ({ draft }) => `/assessments/${draft}/edit`,
    reach: press('editor.paste'),
    root: 'dialog .form-row',
  },
]

async function inviteMember(user: User): Promise<void> {
  // The open dialog is in the address.
  if (!user.page.url().includes('dialog=')) await press('members.invite')(user)
}

async function openMore({ page }: User): Promise<void> {
  await page.locator('.invite-more > summary').click()
}

async function changeState({ page }: User): Promise<void> {
  await page.locator('#review-state').selectOption('shortlisted')
  await page.locator('.review-state [name=reason]').fill('Strong in both stages')
}

async function loadTable({ page }: User): Promise<void> {
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(table) }
  await page.locator('.invite-source input[type=file]').setInputFiles(file)
  await page.locator('.invite-columns summary').click()
  await page.locator('.invite-columns select').last().selectOption('ignore')
}

async function importQuestions({ page }: User): Promise<void> {
  await page.locator('#import-text').fill('1. Is sesame an allergen?\na) Yes *\nb) No\n')
  await page.locator('.import-create [name=title]').fill('Allergens')
}
