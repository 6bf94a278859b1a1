// What the states of the candidate page have in common: what the candidate opens, and how far the candidate goes.
import { invited, type Assessment, type Invite, type Organization } from './api.ts'
import * as assessments from './assessments.ts'
import type { Candidate } from './journey.ts'
import type { OpenOptions } from './page.ts'

export type Opener = (link: string, options?: OpenOptions) => Promise<Candidate>
export type State = { name: string; reach(open: Opener): Promise<Candidate> }

/** What an organization sets that uses everything. */
export const settings = {
  supportEmail: 'jobs@harbour-kitchens.example',
  privacyUrl: 'https://harbour-kitchens.example/privacy',
  privacyNotice: 'We keep your answers for **six months**, and then delete them.',
  acknowledgementRequired: true,
  accentColor: '#0f766e',
  timeZone: 'Europe/London',
}

/** Three stages with a description, a limit, and a gate. */
export const rich: Assessment = assessments.assessment(
  [
    assessments.stage({ description: 'What keeps food **out of danger**.', gate: { required: true, minScore: 50 } }),
    assessments.stage({ title: 'Allergens', timeLimitMinutes: 10, description: 'What a label must say.' }),
    assessments.stage({ title: 'Knives', timeLimitMinutes: 5, questions: [assessments.shortText] }),
  ],
  {
    description: 'Food safety for cooks.',
    instructions:
      'You need **paper and a pen**.\n\n- Read each question twice.\n- You can change each answer until you submit the stage.',
    closingMessage: 'We answer within a week.',
    timeLimitMinutes: 45,
  },
)

/** Opens the link of a new invite. */
export async function introduced(open: Opener, assessment: Assessment, more: Parameters<typeof invited>[1] = {}) {
  const invite = await invited(assessment, more)
  const candidate = await open(invite.link)
  return { candidate, invite }
}

/** Opens the link of a new invite, and starts. */
export async function started(
  open: Opener,
  assessment: Assessment,
  more: Parameters<typeof invited>[1] = {},
): Promise<{ candidate: Candidate; invite: Invite & { organization: Organization } }> {
  const made = await introduced(open, assessment, more)
  await made.candidate.start()
  return made
}

/** Starts, and goes to a question of assessments.ts, stage(). */
export async function atQuestion(open: Opener, number: number, assessment = assessments.timed(20)): Promise<Candidate> {
  const { candidate } = await started(open, assessment)
  for (let at = 1; at < number; at++) await candidate.next()
  await candidate.seeQuestion(number)
  return candidate
}

export const state = (name: string, reach: State['reach']): State => ({ name, reach })
