// A model of what the contract says about taking an assessment, for tests without a server. The real server is
// tested with the same page in a real browser, in 12-*.test.ts.
import type { VirtualTime } from './time.ts'

export interface Request_ {
  method: string
  /** The path without the address of the server. */
  path: string
  body: unknown
}

export interface Reply {
  status: number
  type: string
  body: string
  headers?: Record<string, string>
}

type Answer = Record<string, unknown> | null
interface Change {
  questionId: string
  answer: Answer
  revision: number
  seenRevision: number
}

interface ModelStage {
  id: string
  seconds: number | null
  questions: { id: string; type: string }[]
  status: 'NOT_REACHED' | 'READY' | 'IN_PROGRESS' | 'COMPLETED'
  deadline: number | null
}

/** How long after a deadline answers count, in milliseconds. */
const grace = 5000
const epoch = Date.UTC(2026, 10, 20, 10)

export class ModelServer {
  status: 'INVITED' | 'IN_PROGRESS' | 'COMPLETED' = 'INVITED'
  stages: ModelStage[]
  answers = new Map<string, { answer: Answer; revision: number; client: string; clientRevision: number; at: string }>()
  undelivered: string[] = []
  private time: VirtualTime
  private tokens = 0

  constructor(time: VirtualTime, stages: Pick<ModelStage, 'id' | 'seconds' | 'questions'>[]) {
    this.time = time
    this.stages = stages.map((stage) => ({ ...stage, status: 'NOT_REACHED', deadline: null }))
  }

  get current(): ModelStage | undefined {
    return this.stages.find(({ status }) => status === 'READY' || status === 'IN_PROGRESS')
  }

  /** reply does what the request asks for. */
  reply({ method, path, body }: Request_): Reply {
    this.applyDeadlines()
    const given = (body ?? {}) as { stageId: string; clientId: string; answers?: Change[]; undelivered?: string[] }
    switch (`${method} ${path}`) {
      case 'GET /v1/candidate/session':
        return this.ok(this.taking())
      case 'POST /v1/candidate/session/start':
        if (this.status === 'INVITED') {
          this.status = 'IN_PROGRESS'
          this.begin(this.stages[0], true)
        }
        return this.status === 'IN_PROGRESS' ? this.ok(this.taking()) : problem(409, 'session_not_in_progress')
      case 'GET /v1/candidate/session/stage':
        return this.current ? this.ok(this.stage(this.current)) : problem(409, 'session_not_in_progress')
      case 'POST /v1/candidate/session/stage/start':
        if (this.current?.id !== given.stageId) return problem(409, 'stage_closed')
        this.begin(this.current, true)
        return this.ok(this.stage(this.current))
      case 'PUT /v1/candidate/session/answers':
        if (!this.current) return problem(409, 'session_not_in_progress')
        if (this.current.id !== given.stageId) return problem(409, 'stage_closed')
        if (this.current.status === 'READY') return problem(409, 'stage_not_started')
        return this.ok({ deadlineAt: this.at(this.current.deadline), answers: this.save(given) })
      case 'POST /v1/candidate/session/stage/submit': {
        const stage = this.stages.find(({ id }) => id === given.stageId)
        if (!stage || stage.status === 'NOT_REACHED') return problem(404, 'not_found')
        const answers = this.save(given)
        this.undelivered.push(...(given.undelivered ?? []).filter((id) => !this.undelivered.includes(id)))
        if (stage.status === 'IN_PROGRESS') this.close(stage)
        return this.ok({ status: this.status, nextStageId: null, redirectUrl: null, closeReason: null, answers })
      }
    }
    return problem(404, 'not_found')
  }

  applyDeadlines(): void {
    const { current } = this
    if (current?.deadline != null && this.time.now >= current.deadline + grace) this.close(current)
  }

  private begin(stage: ModelStage | undefined, isStarted: boolean): void {
    if (!stage || stage.status === 'IN_PROGRESS') return
    stage.status = stage.seconds === null || isStarted ? 'IN_PROGRESS' : 'READY'
    if (stage.status === 'IN_PROGRESS' && stage.seconds) stage.deadline = this.time.now + stage.seconds * 1000
  }

  private close(stage: ModelStage): void {
    stage.status = 'COMPLETED'
    const next = this.stages[this.stages.indexOf(stage) + 1]
    if (next) this.begin(next, false)
    else this.status = 'COMPLETED'
  }

  private save({ stageId, clientId, answers = [] }: { stageId: string; clientId: string; answers?: Change[] }) {
    return answers.map(({ questionId, answer, revision, seenRevision }) => {
      const before = this.answers.get(questionId)
      const isOwn = before?.client === clientId
      const isNewer = !before || (isOwn ? revision > before.clientRevision : seenRevision >= before.revision)
      const isOpen = this.current?.id === stageId
      if (isNewer && isOpen) {
        const at = this.at(this.time.now)!
        const made = { answer, revision: (before?.revision ?? 0) + 1, client: clientId, clientRevision: revision, at }
        this.answers.set(questionId, made)
      }
      const stored = this.answers.get(questionId)
      const isSaved = isNewer ? isOpen : isOwn && revision === before.clientRevision
      return {
        questionId,
        outcome: isSaved ? 'SAVED' : isNewer ? 'REFUSED' : 'OUTDATED',
        answer: stored?.answer ?? null,
        revision: stored?.revision ?? 0,
        savedAt: stored?.at ?? null,
        error: isNewer && !isOpen ? { code: 'stage_closed', detail: 'The stage is closed.', errors: [] } : null,
      }
    })
  }

  private ok(data: object): Reply {
    const body = JSON.stringify({ data: { ...data, serverTime: this.at(this.time.now) } })
    return { status: 200, type: 'application/json; charset=utf-8', body }
  }

  /** Another zero than the page's, because the page must not assume that they are equal. */
  private at(time: number | null): string | null {
    return time === null ? null : new Date(epoch + time).toISOString()
  }

  private stage({ id, seconds, questions, status, deadline }: ModelStage) {
    const shown = status === 'READY' ? [] : questions
    return {
      ...{ id, order: this.stages.findIndex((stage) => stage.id === id) + 1, status, title: `Stage ${id}` },
      ...{ description: null, descriptionHtml: null, timeLimitMinutes: seconds && seconds / 60 },
      ...{ questionCount: questions.length, deadlineAt: this.at(deadline) },
      questions: shown.map((question, i) => ({
        ...question,
        ...{ order: i + 1, prompt: question.id, promptHtml: `<p>${question.id}</p>`, points: 1, textMatching: null },
        options: question.type === 'SINGLE_CHOICE' ? ['a', 'b'].map((o) => ({ id: o, text: o, textHtml: o })) : null,
        answer: this.answers.get(question.id)?.answer ?? null,
        revision: this.answers.get(question.id)?.revision ?? 0,
      })),
    }
  }

  private taking() {
    const text = { description: null, descriptionHtml: null, instructions: null, instructionsHtml: null }
    const isEnded = this.status === 'COMPLETED'
    return {
      ...{ id: session, status: this.status, candidate: { name: 'Mei', email: 'mei@candidate.example' } },
      organization: {
        ...{ name: 'Harbour', supportEmail: null, privacyUrl: null, privacyNotice: null, privacyNoticeHtml: null },
        ...{ acknowledgementRequired: false, accentColor: null, logoUrl: null, locale: 'en', timeZone: null },
      },
      assessment: {
        ...{ id: 'asm_1', title: 'Cook', ...text, closingMessage: null, closingMessageHtml: null, locale: 'en' },
        ...{ shuffleQuestions: false, shuffleOptions: false, opensAt: null, closesAt: null, maxPoints: 5 },
        questionCount: this.stages.flatMap(({ questions }) => questions).length,
      },
      ...{ timeLimitMinutes: null, extraTimePercent: 0, expiresAt: this.at(86_400_000), disqualifiedAt: null },
      ...{ startFrom: null, startUntil: this.at(86_400_000) },
      startedAt: this.status === 'INVITED' ? null : this.at(0),
      ...{ deadlineAt: null, completedAt: isEnded ? this.at(this.time.now) : null, acknowledgedAt: null },
      closeReason: isEnded ? 'SUBMITTED' : null,
      currentStageId: this.current?.id ?? null,
      stages: this.stages.map((stage, i) => ({
        ...{ id: stage.id, order: i + 1, title: `Stage ${stage.id}`, gate: null, status: stage.status },
        ...{ timeLimitMinutes: stage.seconds && stage.seconds / 60, questionCount: stage.questions.length },
        deadlineAt: this.at(stage.deadline),
      })),
      redirectUrl: isEnded ? `https://harbour.example/thanks?result=${++this.tokens}` : null,
    }
  }
}

export const session = `ses_${'1'.repeat(26)}`
export const token = `inv_${'1'.repeat(26)}_1_${'a'.repeat(43)}`

function problem(status: number, code: string): Reply {
  const type = `https://assay.example/errors/${code}`
  const detail = `${code}.`
  const document = { type, title: code, status, detail, code, requestId: 'req_1', resourceId: null, errors: [] }
  return { status, type: 'application/problem+json', body: JSON.stringify(document) }
}
