// States of a reviewer's dashboard, and of the screens that make somebody a reviewer.
import type { Invite, Organization } from '../support/api.ts'
import { organization } from '../support/api.ts'
import { colleague, type Person } from '../support/dashboard.ts'
import { kitchen, work } from '../support/results.ts'
import type { State } from './types.ts'

export interface Judged {
  made: Organization
  reviewer: Person
  assessmentId: string
  invites: Invite[]
}

/** An organization whose reviewer has some sessions at a failed gate to decide. Another assessment is not assigned. */
export async function judged(count: number): Promise<Judged> {
  const [first, ...rest] = kitchen.stages!
  const gated = { ...kitchen, stages: [{ ...first!, gate: { required: true, minScore: 90, onFail: 'REVIEW' as const } }, ...rest] }
  const made = await organization()
  const assessmentId = await made.publish({ ...gated, title: 'Night porter' })
  const hidden = await made.publish({ ...gated, title: 'Head chef' })
  const invites: Invite[] = []
  for (let i = 0; i < count; i++) {
    const invite = await made.invite(assessmentId, { candidateName: 'Mei Lindqvist' })
    await work(invite, gated, () => 'wrong', 1)
    invites.push(invite)
  }
  await work(await made.invite(hidden, { candidateName: 'Ada Byron' }), gated, () => 'wrong', 1)
  const reviewer = await colleague(made, 'REVIEWER', { name: 'Noor Haddad', assessmentIds: [assessmentId] })
  return { made, reviewer, assessmentId, invites }
}

export const states: State[] = [
  {
    name: 'app-reviewer-home',
    async reach(open) {
      const { made, reviewer } = await judged(2)
      const user = await open(made, '/', { person: reviewer })
      await user.page.getByText('Night porter').first().waitFor()
      return user
    },
  },
  {
    name: 'app-reviewer-home-empty',
    async reach(open) {
      const { made, reviewer } = await judged(0)
      const user = await open(made, '/', { person: reviewer })
      await user.read('judging.none.title')
      return user
    },
  },
  {
    name: 'app-reviewer-session',
    async reach(open) {
      const { made, reviewer, invites } = await judged(1)
      const user = await open(made, `/candidates/${invites[0]!.sessionId}`, { person: reviewer })
      await user.button('decision.stop').waitFor()
      return user
    },
  },
  {
    name: 'app-reviewer-grading',
    async reach(open) {
      const { made, reviewer } = await judged(0)
      const user = await open(made, '/grading', { person: reviewer })
      await user.read('grading.empty.title')
      return user
    },
  },
  {
    name: 'app-reviewer-no-access',
    async reach(open) {
      const { made, reviewer } = await judged(0)
      const user = await open(made, '/webhooks', { person: reviewer })
      await user.see('page.noAccess.title')
      return user
    },
  },
  {
    name: 'app-members-invite-reviewer',
    async reach(open) {
      const { made } = await judged(0)
      const user = await open(made, '/members?dialog=invite')
      await user.dialog('members.invite.title').getByRole('radio', { name: user.text('members.role.REVIEWER') }).check()
      await user.page.getByRole('checkbox', { name: 'Night porter' }).waitFor()
      return user
    },
  },
  {
    name: 'app-members-make-reviewer',
    async reach(open) {
      const { made } = await judged(0)
      await colleague(made, 'EDITOR', { name: 'Jonas Weber' })
      const user = await open(made, '/members')
      await user.row('Jonas Weber').getByRole('combobox').selectOption('REVIEWER')
      await user.dialog('members.access.judges.title').waitFor()
      await user.page.getByRole('checkbox', { name: 'Night porter' }).check()
      return user
    },
  },
]
