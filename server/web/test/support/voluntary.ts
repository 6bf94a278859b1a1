// Assessments with voluntary questions at their end.
import { invited, ok, type Assessment, type Schemas } from './api.ts'
import { assessment, shortText, stage } from './assessments.ts'
import type { Candidate } from './journey.ts'

export const questions: Schemas['SelfIdentificationQuestionInput'][] = [
  {
    id: 'sex',
    text: 'What is your sex?',
    options: [
      { id: 'female', text: 'Female' },
      { id: 'male', text: 'Male' },
    ],
  },
  {
    id: 'age',
    text: 'How old are you?',
    options: [
      { id: 'under-40', text: 'Under 40' },
      { id: '40-and-over', text: '40 and over' },
    ],
  },
]

/** Invites a candidate to an assessment with one question, and with voluntary questions at its end. */
export async function asked(
  more: Partial<Assessment> = {},
  settings: Schemas['OrganizationUpdate'] = {},
  stages = [stage({ questions: [shortText] })],
) {
  const invite = await invited(assessment(stages, more), { settings })
  const path = { id: invite.assessmentId }
  const replace = (questions: Schemas['SelfIdentificationQuestionInput'][]) =>
    ok(invite.organization.api.PUT('/v1/assessments/{id}/self-identification', { params: { path }, body: { questions } }))
  await replace(questions)
  const answers = async () => (await ok(invite.candidate.GET('/v1/candidate/session/self-identification'))).answers
  return { ...invite, replace, answers }
}

/** Works until the voluntary questions are shown. */
export async function finish(candidate: Candidate): Promise<void> {
  await candidate.start()
  await candidate.submitStage()
  await candidate.page.getByRole('heading', { name: candidate.pattern('voluntary.title') }).waitFor()
}
