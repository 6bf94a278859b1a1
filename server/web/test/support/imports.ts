// Responses of the import that a server of another version, or a rare source, would give.
import type { Page } from 'playwright-core'
import type { Schemas } from './api.ts'

type Imported = Schemas['AssessmentImport']
type Note = Schemas['ImportNote']
type Question = Imported['stages'][number]['questions'][number]

export const note = (code: string, severity: string, line: number | null, text = ''): Note => ({
  code,
  severity,
  line,
  text,
  detail: `The server says: ${code}.`,
})

/** A question as a dry run returns it. */
export function question(order: number, fields: Partial<Question> = {}): Question {
  const prompt = fields.prompt ?? `What is question ${order}?`
  const option = (id: string, text: string) => ({ id, text, textHtml: `<p>${text}</p>` })
  return {
    id: '',
    order,
    type: 'SINGLE_CHOICE',
    prompt,
    promptHtml: `<p>${prompt}</p>`,
    points: 1,
    explanation: null,
    explanationHtml: null,
    options: [option('a', 'One'), option('b', 'Two'), option('c', 'Three')],
    correctOptionId: 'b',
    correctOptionIds: null,
    partialCredit: null,
    answer: null,
    tolerance: null,
    acceptedAnswers: null,
    caseSensitive: null,
    exactMatch: null,
    maxWords: null,
    rubric: null,
    ...fields,
  } as Question
}

/** A response with these questions, each of five lines, in one stage. */
export function imported(questions: Question[], report: Partial<Schemas['ImportReport']> = {}): Imported {
  const stage = { id: '', order: 1, title: 'Questions', description: null, descriptionHtml: null }
  return {
    assessmentId: null,
    title: '',
    description: null,
    stages: questions.length > 0 ? [{ ...stage, timeLimitMinutes: null, gate: null, questions }] : [],
    report: {
      format: 'TEXT',
      recognisedFormats: ['TEXT'],
      columns: [],
      questions: questions.map(({ order, prompt }, i) => ({
        line: i * 5 + 1,
        lastLine: i * 5 + 4,
        itemId: null,
        stageOrder: 1,
        questionOrder: order,
        excerpt: prompt,
        notes: [],
      })),
      notes: [],
      ...report,
    },
  } as Imported
}

/** Answers imports with what `make` returns for the address and the source. */
export async function answerImports(page: Page, make: (url: URL, source: string) => Imported): Promise<void> {
  await page.route(
    (url) => url.pathname === '/v1/assessments/import',
    async (route) => {
      const request = route.request()
      const data = make(new URL(request.url()), request.postData() ?? '')
      // The page may have aborted the request.
      await route.fulfill({ json: { data }, headers: { 'X-Request-Id': 'req_test' } }).catch(() => undefined)
    },
  )
}
