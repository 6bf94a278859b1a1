// Questions of the bank.
import { ok, type Organization, type Schemas } from './api.ts'
import { freeText, multipleChoice, numeric, shortText, singleChoice } from './assessments.ts'

/** Adds a question to the bank, and returns it. */
export const bank = (
  { api }: Organization,
  question: Schemas['QuestionInput'],
  tags: string[] = [],
): Promise<Schemas['BankQuestion']> => ok(api.POST('/v1/questions', { body: { question, tags } }))

/** Adds a question of each type. The newest is first in the list. */
export async function bankOfEachType(made: Organization): Promise<Schemas['BankQuestion'][]> {
  const found: Schemas['BankQuestion'][] = []
  const rows: [Schemas['QuestionInput'], string[]][] = [
    [shortText, ['allergens']],
    [freeText, ['storage', 'hard']],
    [multipleChoice, ['storage', 'easy']],
    [numeric, ['temperatures', 'easy']],
    [singleChoice, ['temperatures', 'easy', 'rice']],
  ]
  for (const [question, tags] of rows) found.push(await bank(made, question, tags))
  return found
}

/** What the server has of a question. */
export const saved = ({ api }: Organization, id: string) =>
  ok(api.GET('/v1/questions/{id}', { params: { path: { id } } }))
