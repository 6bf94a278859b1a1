// The states of the page that have to do with long texts, and with answers that a person judges.
import { rule } from './support/api.ts'
import * as assessments from './support/assessments.ts'
import type { Candidate } from './support/journey.ts'
import { atQuestion, introduced, settings, started, state, type Opener, type State } from './support/states.ts'

const sentence = 'I divide the soup among shallow pans, and put them into an ice bath until they have 21 °C. '

/** Fills the field of a question at once, as a paste does. */
async function fill(candidate: Candidate, text: string): Promise<Candidate> {
  await candidate.field().fill(text)
  await candidate.seeSaved()
  return candidate
}

/** Submits the stage whose gate waits for a person. */
async function held(open: Opener) {
  const { supportEmail, timeZone } = settings
  const assessment = assessments.reviewed({ closingMessage: 'We answer within a week.' })
  const made = await started(open, assessment, { settings: { supportEmail, timeZone } })
  await made.candidate.submitStage()
  await made.candidate.see('end.held.title')
  return made
}

export const states: State[] = [
  state('intro-review', async (open) => {
    const last = assessments.stage({
      title: 'In your words',
      questions: [assessments.freeText],
      gate: { required: true, minScore: 50, onFail: 'REVIEW' },
    })
    const { candidate } = await introduced(open, assessments.reviewed({}, [last]), { settings })
    await candidate.startButton().waitFor()
    return candidate
  }),
  state('question-long', async (open) => {
    const candidate = await atQuestion(open, 1, assessments.written())
    await candidate.field().fill(`${sentence}\n\n${sentence.repeat(3)}`)
    await candidate.page.getByText(candidate.pattern('field.words.asked')).waitFor()
    await candidate.seeSaved()
    return candidate
  }),
  state('question-long-nearly-full', async (open) => {
    const candidate = await atQuestion(open, 1, assessments.written())
    return fill(candidate, sentence.repeat(215))
  }),
  state('question-long-too-long', async (open) => {
    const candidate = await atQuestion(open, 1, assessments.written())
    await candidate.field().fill(sentence.repeat(225))
    await candidate.page.getByText(candidate.pattern('field.text.tooLong')).first().waitFor()
    return candidate
  }),
  state('confirm-review', async (open) => {
    const { candidate } = await started(open, assessments.reviewed())
    await candidate.openOverview()
    await candidate.submit()
    return candidate
  }),
  state('end-review', async (open) => {
    const { candidate } = await started(open, assessments.written({ closingMessage: 'We answer within **a week**.' }))
    await candidate.field().fill(sentence)
    await candidate.submitStage()
    await candidate.seeEnd()
    return candidate
  }),
  state('end-held', async (open) => (await held(open)).candidate),
  state('end-decided', async (open) => {
    const { candidate, invite } = await held(open)
    await rule(invite, 'STOP')
    await candidate.page.reload()
    await candidate.page.getByText(candidate.pattern('end.gate.person')).waitFor()
    return candidate
  }),
]
