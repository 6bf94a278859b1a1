// Candidates whose sessions wait for a person.
import { ok, type Assessment, type Invite, type Organization } from './api.ts'
import { allBut, kitchen, work } from './results.ts'

/** A gate about which a person decides, and free texts with and without a rubric. */
export const cook: Assessment = {
  title: 'Line cook: safety and texts',
  passingScore: 60,
  timeLimitMinutes: 40,
  locale: 'de',
  stages: [
    { ...kitchen.stages![0]!, gate: { required: true, minScore: 50, onFail: 'REVIEW' } },
    {
      title: 'Cooling',
      questions: [
        {
          type: 'FREE_TEXT',
          prompt: 'A pot of soup must be cold by the morning. **Describe** how you cool it.',
          points: 4,
          explanation: 'Cool to 21 °C within two hours.',
          maxWords: 200,
          rubric: [
            { id: 'time', title: 'Names the time limits', points: 2 },
            {
              id: 'method',
              title: 'Describes a safe method',
              points: 2,
              description: 'An ice bath, shallow pans, or an ice paddle.',
            },
          ],
        },
        { type: 'FREE_TEXT', prompt: 'What do you say to a guest with an allergy?', points: 10, rubric: [] },
      ],
    },
  ],
}

/** A person who is held at the gate of the first stage, with 0 %. */
export async function atGate(made: Organization, id: string, candidateName = 'Theo Marsh'): Promise<Invite> {
  const invite = await made.invite(id, { candidateName })
  await work(invite, cook, allBut(1, 2, 3, 4))
  return invite
}

/** A person who has finished, and whose two texts must be graded. */
export async function withTexts(made: Organization, id: string, candidateName = 'Mei Lindqvist'): Promise<Invite> {
  const invite = await made.invite(id, { candidateName })
  await work(invite, cook, allBut(2))
  return invite
}

export async function rule(made: Organization, { sessionId }: Invite, decision: 'PASS' | 'STOP', reason: string) {
  const params = { path: { id: sessionId } }
  const { stageId } = await ok(made.api.GET('/v1/candidate-sessions/{id}/open-decision', { params }))
  const body = { stageId: stageId!, decision, reason }
  return ok(made.api.POST('/v1/candidate-sessions/{id}/rulings', { params, body }))
}

type GradeInput = { points: number; rubric?: { id: string; points: number }[]; comment?: string }

/** Grades the texts that wait, in their order. */
export async function grade(made: Organization, { sessionId: id }: Invite, ...grades: GradeInput[]): Promise<void> {
  const session = { params: { path: { id } } }
  const { questionIds } = await ok(made.api.GET('/v1/candidate-sessions/{id}/open-decision', session))
  for (const [i, body] of grades.entries()) {
    const params = { path: { id, questionId: questionIds[i]! } }
    await ok(made.api.PUT('/v1/candidate-sessions/{id}/grades/{questionId}', { params, body: { ...body, version: 0 } }))
  }
}

export const soup: GradeInput = {
  points: 3,
  rubric: [
    { id: 'time', points: 2 },
    { id: 'method', points: 1 },
  ],
  comment: 'The ice bath is right. The pot is too deep.',
}
