// Assessments as the server returns them, for tests of the editor without a server.
import type { Detail } from '../../src/app/editor/model.ts'

type Stage = Detail['stages'][number]
type Question = Stage['questions'][number]

export function question(id: string, more: Partial<Question> = {}): Question {
  return {
    id, order: 1, type: 'SINGLE_CHOICE', prompt: `Question ${id}`, promptHtml: `<p>Question ${id}</p>`, points: 1,
    explanation: null, explanationHtml: null,
    options: [{ id: 'a', text: 'A', textHtml: '<p>A</p>' }, { id: 'b', text: 'B', textHtml: '<p>B</p>' }],
    correctOptionId: 'b', correctOptionIds: null, partialCredit: null, answer: null, tolerance: null,
    acceptedAnswers: null, caseSensitive: null, exactMatch: null, maxWords: null, rubric: null,
    bankQuestionId: null, bankVersion: null, poolId: null, ...more,
  }
}

export function stage(id: string, questions: Question[]): Stage {
  const empty = { description: null, descriptionHtml: null, timeLimitMinutes: null, gate: null }
  return { id, order: 1, title: `Stage ${id}`, ...empty, questions, pools: [] }
}

type Pool = Stage['pools'][number]

export function pool(id: string, more: Partial<Pool> = {}): Pool {
  return { title: null, count: 2, tags: ['easy'], points: 1, questionCount: null, ...more, id }
}

export function detailOf(more: Partial<Detail>): Detail {
  return {
    id: 'asm_1', title: 'Line cook', description: null, descriptionHtml: null, status: 'DRAFT', passingScore: null,
    timeLimitMinutes: null, inviteExpiryDays: 14, redirectUrl: null, locale: null, shuffleQuestions: false,
    shuffleOptions: false,
    opensAt: null, closesAt: null, stageCount: 0, questionCount: 0, maxPoints: 0, createdAt: '2026-11-20T10:00:00.000Z',
    updatedAt: '2026-11-20T10:00:00.000Z', publishedAt: null, archivedAt: null, repeatRule: 'ASK',
    repeatAfterDays: 180, instructions: null,
    instructionsHtml: null,
    closingMessage: null, closingMessageHtml: null, inviteMessage: null, inviteMessageHtml: null, remindAfterHours: [],
    grading: { graders: 1, blind: true, maxDifferencePercent: 20, promisedHours: 72 },
    sessionCounts: { invited: 0, inProgress: 0, inReview: 0, completed: 0, disqualified: 0, expired: 0, cancelled: 0 },
    stages: [],
    ...more,
  }
}
