// States of candidates who wait for a person, and of what people have decided.
import { organization, type Invite, type Organization } from '../support/api.ts'
import type { User } from '../support/dashboard.ts'
import { atGate, cook, grade, rule, soup, withTexts } from '../support/in_review.ts'
import type { Open, State } from './types.ts'

interface Prepared {
  made: Organization
  gate: Invite
  texts: Invite
  passed: Invite
  stopped: Invite
  graded: Invite
}

async function prepare(): Promise<Prepared> {
  const made = await organization({ supportEmail: 'jobs@harbour-kitchens.example' })
  const id = await made.publish(cook)
  // The list of waiting sessions is sorted by time, so the sessions begin one after the other.
  const gate = await atGate(made, id)
  const texts = await withTexts(made, id)
  const passed = await atGate(made, id, 'Noor Haddad')
  const stopped = await atGate(made, id, 'Oskar Berg')
  const graded = await withTexts(made, id, 'Hana Sato')
  await rule(made, passed, 'PASS', 'The wrong answers concern equipment that we do not use')
  await rule(made, stopped, 'STOP', 'The temperatures are needed on the first day')
  await grade(made, graded, soup, { points: 6 })
  return { made, gate, texts, passed, stopped, graded }
}

let prepared: Promise<Prepared> | undefined
const shared = () => (prepared ??= prepare())

function state(
  name: string,
  path: (all: Prepared) => string,
  key: string,
  more?: (user: User, all: Prepared) => Promise<unknown>,
): State {
  return {
    name,
    async reach(open: Open) {
      const all = await shared()
      const user = await open(all.made, path(all), { role: 'ADMIN' })
      await user.read(key)
      await more?.(user, all)
      return user
    },
  }
}

const candidate = (invite: Invite, query = '') => `/candidates/${invite.sessionId}${query}`

const press = (key: string, title: string) => async (user: User) => {
  await user.button(key).first().click()
  await user.dialog(title).waitFor()
}

export const states: State[] = [
  state('results-candidate-in-review-gate', ({ gate }) => candidate(gate), 'decision.gate.title'),
  state('results-candidate-in-review-grades', ({ texts }) => candidate(texts), 'decision.grades.good'),
  state(
    'results-candidate-in-review-ruling',
    ({ gate }) => candidate(gate),
    'decision.gate.title',
    press('decision.pass', 'decision.pass.title'),
  ),
  state(
    'results-candidate-in-review-stop',
    ({ gate }) => candidate(gate),
    'decision.gate.title',
    press('decision.stop', 'decision.stop.title'),
  ),
  state('results-candidate-in-review-after', ({ stopped }) => candidate(stopped), 'decision.ruled.back'),
  state(
    'results-candidate-in-review-goes-on',
    ({ passed }) => candidate(passed),
    'candidate.progress.title',
    ({ page }) => page.locator('.ruled').waitFor(),
  ),
  state(
    'results-candidate-graded',
    ({ graded }) => candidate(graded),
    'candidate.answers.title',
    async ({ page }) => {
      await page.locator('.stage-answers > summary').last().click()
      await page.locator('.free-text').first().waitFor()
    },
  ),
  state(
    'results-candidate-explanation',
    ({ stopped }) => candidate(stopped),
    'decision.ruled.back',
    async (user) => {
      await user.page.locator('.head .more > summary[aria-label]').click()
      await user.page.locator('.head .menu').getByRole('button', { name: user.text('candidate.explain') }).click()
      await user.page.locator('.explanation h3').first().waitFor()
    },
  ),
  state('home-waiting', () => '/', 'home.waiting.title'),
  state('candidates-in-review', () => '/candidates?status=IN_REVIEW', 'candidates.status.IN_REVIEW', (user) =>
    user.row('Theo Marsh').waitFor(),
  ),
]
