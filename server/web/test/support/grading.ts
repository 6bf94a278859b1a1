// Answers that people grade.
import { ok, type Assessment, type Invite, type Organization, type Schemas } from './api.ts'

type Question = Extract<Schemas['QuestionInput'], { type: 'FREE_TEXT' }>

/** A question with a rubric of three criteria. */
export const soup: Question = {
  type: 'FREE_TEXT',
  prompt: 'A pot of soup must be **cold** by the morning. Describe how you cool it.',
  points: 7,
  explanation: 'Flat pans or an ice bath; from 57 °C to 21 °C within two hours, and to 5 °C within four more. The time and the temperature are written down.',
  maxWords: 80,
  rubric: [
    { id: 'method', title: 'A safe method', points: 3, description: 'Flat pans, an ice bath, or a blast chiller. A lid on a deep pot is no method.' },
    { id: 'times', title: 'Names the times', points: 2, description: '57 to 21 °C in two hours, then to 5 °C in four.' },
    { id: 'record', title: 'Writes it down', points: 2 },
  ],
}

/** A question without a rubric. */
export const guest: Question = {
  type: 'FREE_TEXT',
  prompt: 'A guest says that the fish tastes bitter. What do you do?',
  points: 5,
}

export const freeText: Assessment = {
  title: 'Line cook: in your own words',
  stages: [{ title: 'Safe work', questions: [soup, guest] }],
}

const texts = [
  'I divide the soup into flat pans and put them in an ice bath.\nAfter two hours it is at 21 °C and goes into the cooler.\n\nI write both times on the label.',
  'In the fridge, with the lid on.',
  'We have a blast chiller. The soup goes in at 60 °C, and the probe tells me when it is at 5 °C, usually after 90 minutes. I sign the list.',
  'Stir it from time to time, then cool it overnight near the back door where it is cold in winter. ' +
    'I would also ask the head chef, because every kitchen does it differently and the pots are not the same size, ' +
    'and I do not want to be responsible for somebody being ill. In my last job we had an ice wand for this, which is a bottle of frozen water that you put into the pot. ' +
    'It worked well, and nobody was ever ill as far as I know, although we never measured anything and I could not say at which temperature it was in the morning.',
]

/** Candidates who answer all questions and finish at the same time. Each answer differs. */
export function submitted(made: Organization, assessmentId: string, count: number): Promise<Invite[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const invite = await made.invite(assessmentId, { candidateName: `Candidate ${i + 1}` })
      const { candidate } = invite
      await ok(candidate.POST('/v1/candidate/session/start'))
      const stage = await ok(candidate.GET('/v1/candidate/session/stage'))
      const answers = stage.questions.map(({ id }, number) => ({
        questionId: id,
        answer: { text: `${texts[(i + number) % texts.length]} (${i + 1})` },
        revision: 1,
        seenRevision: 0,
      }))
      await ok(candidate.POST('/v1/candidate/session/stage/submit', { body: { stageId: stage.id, clientId: 'page', answers } }))
      return invite
    }),
  )
}

/** Grades the shown answer outside the queue. Such a grade counts at once, so that the one of the queue cannot be undone. */
export async function gradedElsewhere(made: Organization, sessions: Invite[], shown: string): Promise<void> {
  for (const { sessionId } of sessions) {
    const waiting = { params: { path: { id: sessionId } } }
    const open = await ok(made.api.GET('/v1/candidate-sessions/{id}/open-decision', waiting))
    const question = open.stages[0]!.questions[0]!
    if (!question.answer?.text?.endsWith(shown.slice(-3))) continue
    const path = { id: sessionId, questionId: question.id }
    await ok(made.api.PUT('/v1/candidate-sessions/{id}/grades/{questionId}', { params: { path }, body: { points: 4, version: 0 } }))
  }
}
