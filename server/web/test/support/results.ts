// Candidates who have finished, for the screens that show results. They answer through the API.
import { eventually, ok, type Assessment, type Invite, type Organization, type Schemas } from './api.ts'

type Question = Schemas['QuestionInput']
type ChangedAnswer = Schemas['ChangedAnswer']

const choice = (prompt: string, correct: string, ...others: string[]): Question => ({
  type: 'SINGLE_CHOICE',
  prompt,
  points: 2,
  explanation: `The answer is ${correct}.`,
  options: [others[0]!, correct, ...others.slice(1)].map((text, i) => ({ id: `o${i + 1}`, text })),
  correctOptionId: 'o2',
})

/** Three stages: a gate that ends the session, a gate that is only reported, and no gate. */
export const kitchen: Assessment = {
  title: 'Line cook: food safety',
  description: 'Food safety for cooks.',
  passingScore: 70,
  timeLimitMinutes: 40,
  stages: [
    {
      title: 'Temperatures',
      gate: { required: true, minScore: 50 },
      questions: [
        choice(
          'A tray of cooked rice is held **hot** for service. What is the lowest temperature it may have?',
          '57 °C',
          '41 °C',
          '37 °C',
        ),
        choice('Which part of a refrigerator is the coldest?', 'The lowest shelf', 'The door', 'The top shelf'),
        {
          type: 'NUMERIC',
          prompt: 'Which core temperature, in °C, must stuffed chicken reach?',
          points: 3,
          answer: 74,
          tolerance: 0.5,
        },
        choice('How long may cut melon stand at room temperature?', 'Four hours', 'A day', 'Until it smells'),
      ],
    },
    {
      title: 'Allergens',
      gate: { required: false, minScore: 60 },
      questions: [
        {
          type: 'MULTIPLE_CHOICE',
          prompt: 'Which of these foods must stay cold?',
          points: 4,
          partialCredit: true,
          options: [
            { id: 'melon', text: 'Cut melon' },
            { id: 'tomato', text: 'Cut tomatoes' },
            { id: 'garlic', text: 'Garlic in oil' },
            { id: 'pasta', text: 'Dry pasta' },
          ],
          correctOptionIds: ['melon', 'tomato', 'garlic'],
        },
        {
          type: 'SHORT_TEXT',
          prompt: 'Which seed is a major allergen?',
          points: 1,
          acceptedAnswers: ['sesame', 'sesame seed'],
        },
        choice(
          'A guest with a nut allergy asks for the pesto. What do you do?',
          'Check the label',
          'Serve it',
          'Say that it has no nuts',
        ),
      ],
    },
    {
      title: 'Deliveries',
      questions: [
        choice(
          'Frozen fish arrives with ice crystals in the box. What do you do?',
          'Refuse it',
          'Store it at once',
          'Cook it today',
        ),
        choice('Who signs the delivery note?', 'The person who checked the goods', 'The driver', 'The head chef'),
        { type: 'NUMERIC', prompt: 'How many boxes of 12 eggs are 180 eggs?', points: 1, answer: 15, tolerance: 0 },
      ],
    },
  ],
}

/** The texts of all options and accepted answers, none of which is part of a prompt. */
export const possibleAnswers = ({ stages }: Assessment): string[] =>
  stages!
    .flatMap(({ questions }) => questions ?? [])
    .flatMap((question) => [
      ...('options' in question ? (question.options ?? []).map(({ text }) => text) : []),
      ...('acceptedAnswers' in question ? (question.acceptedAnswers ?? []) : []),
    ])

/** Names of candidates, in an order that is not that of their scores. */
export const names = [
  'Ada Lovelace',
  'Lin Qiang',
  'Amina Diallo',
  'Jonas Weber',
  'Mei Lindqvist',
  'Rafael Ortiz',
  'Noor Haddad',
  'Ewa Kowalska',
  'Tomás Silva',
  'Ifeoma Obi',
  'Hana Sato',
  'Luca Moretti',
  'Priya Nair',
  'Oskar Berg',
  'Zeynep Kaya',
  'Fatou Ba',
  'David Cohen',
  'Anneke de Vries',
  'Kwame Mensah',
  'Sofia Rossi',
  'Bilal Khan',
  'Grace Lee',
  'Ivan Petrov',
  'Clara Dubois',
]

const wrong: Record<string, ChangedAnswer> = {
  SINGLE_CHOICE: { optionId: 'o1' },
  MULTIPLE_CHOICE: { optionIds: ['melon', 'pasta'] },
  NUMERIC: { number: 60 },
  SHORT_TEXT: { text: 'pumpkin' },
  FREE_TEXT: { text: 'No idea' },
}

/** What a candidate writes as a free text. A person decides whether it is good. */
export const freeText = 'I put the pot into an ice bath.\nAfter two hours it must have 21 °C, and 5 °C after four more.'

function keyOf(question: Question): ChangedAnswer {
  switch (question.type) {
    case 'SINGLE_CHOICE':
      return { optionId: question.correctOptionId! }
    case 'MULTIPLE_CHOICE':
      return { optionIds: question.correctOptionIds! }
    case 'NUMERIC':
      return { number: question.answer! }
    case 'FREE_TEXT':
      return { text: freeText }
    default:
      return { text: question.acceptedAnswers![0]! }
  }
}

/**
 * What a candidate gives as the answer to the question with the number, from 1: the key, something wrong, or nothing.
 */
export type Work = (number: number) => 'right' | 'wrong' | 'none'

/** Answers the questions whose numbers are not in the list correctly. */
export const allBut =
  (...numbers: number[]): Work =>
  (number) =>
    numbers.includes(number) ? 'wrong' : 'right'

/** Starts a session of the assessment, and submits its stages until the session or the given number of stages ends. */
export async function work(
  { candidate }: Invite,
  assessment: Assessment,
  answer: Work,
  stages = Infinity,
): Promise<void> {
  const questions = assessment.stages!.flatMap((stage) => stage.questions!)
  await ok(candidate.POST('/v1/candidate/session/start'))
  for (let submitted = 0; submitted < stages; submitted++) {
    const stage = await ok(candidate.GET('/v1/candidate/session/stage'))
    const answers = stage.questions.flatMap(({ id, prompt }) => {
      const number = questions.findIndex((question) => question.prompt === prompt) + 1
      const kind = answer(number)
      if (kind === 'none') return []
      const question = questions[number - 1]!
      const given = kind === 'right' ? keyOf(question) : wrong[question.type]!
      return { questionId: id, answer: given, revision: 1, seenRevision: 0 }
    })
    const body = { stageId: stage.id, clientId: 'page', answers }
    const { nextStageId } = await ok(candidate.POST('/v1/candidate/session/stage/submit', { body }))
    if (!nextStageId) return
  }
}

/** The work of candidates whose scores differ, from all right to stopped at the first gate. */
export const works: Work[] = [
  allBut(),
  allBut(9),
  allBut(2, 6),
  allBut(1, 2, 3, 4),
  allBut(1, 5, 8),
  (number) => (number === 7 ? 'none' : allBut(3)(number)),
  allBut(2, 5, 6, 7, 10),
  allBut(1, 2, 5, 6, 8, 9),
]

/** Invites candidates who finish at the same time, and returns their sessions in the order of `names`. */
export async function finished(
  organization: Organization,
  assessmentId: string,
  count: number,
  assessment: Assessment = kitchen,
): Promise<Invite[]> {
  const some = names.slice(0, count)
  return Promise.all(
    some.map(async (candidateName, i) => {
      const candidateEmail = `${candidateName.toLowerCase().replaceAll(/[^a-z]+/g, '.')}@candidate.example`
      const invite = await organization.invite(assessmentId, {
        candidateName,
        candidateEmail,
        externalId: `application-${4700 + i}`,
      })
      await work(invite, assessment, works[i % works.length]!)
      return invite
    }),
  )
}

/** Waits until the server has counted the candidates who have finished or stopped, which it does every few seconds. */
export function counted({ api }: Organization, id: string, count: number) {
  return eventually(
    () => ok(api.GET('/v1/assessments/{id}', { params: { path: { id } } })),
    ({ sessionCounts: { completed, disqualified } }) => completed + disqualified === count,
    20_000,
  )
}
