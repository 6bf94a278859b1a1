// The explanation of an outcome for the candidate (GDPR Articles 15(1)(h) and 22(3)): what was assessed, the rule, who
// decided, and how to disagree. It takes only what the candidate may know: no names of reviewers, no reasons, no keys.
import type { Message, Messages } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'

type Result = Schemas['Result']
type Stage = Schemas['ResultStage']

/** The facts that the text may contain. */
export interface Facts {
  result: Pick<
    Result,
    'assessment' | 'candidate' | 'status' | 'score' | 'points' | 'maxPoints' | 'passingScore' | 'passed' | 'decidedBy'
  > & {
    stages: Pick<Stage, 'id' | 'title' | 'status' | 'score' | 'maxPoints' | 'gate' | 'questions'>[]
    completedAt: string
    disqualification: Pick<NonNullable<Result['disqualification']>, 'stageId' | 'stageTitle'> | null
  }
  rulings: Pick<Schemas['GateRuling'], 'stageId' | 'decision' | 'createdAt'>[]
  organization: Pick<Schemas['Organization'], 'name' | 'supportEmail' | 'mailReplyTo' | 'privacyUrl' | 'timeZone'>
}

/** A paragraph, or a list. The first part of a section is its heading. */
export type Part = { heading: string } | { text: string } | { items: string[] }

type Values = Record<string, string | number>

/** Writer has the texts and the formats of one language. */
export class Writer {
  readonly tag: string
  readonly messages: Messages

  constructor(tag: string, messages: Messages) {
    this.tag = tag
    this.messages = messages
  }

  say(name: string, values: Values = {}): string {
    const message: Message = this.messages[`explanation.text.${name}`] ?? ''
    const form = new Intl.PluralRules(this.tag).select(Number(values.count ?? 0))
    const template = typeof message === 'string' ? message : (message[form] ?? message.other ?? '')
    return template.replace(/\{(\w+)\}/g, (_, key: string) => {
      const value = values[key] ?? ''
      return typeof value === 'number' ? this.number(value) : value
    })
  }

  number(value: number): string {
    return new Intl.NumberFormat(this.tag, { maximumFractionDigits: 2 }).format(value)
  }

  score(value: number): string {
    return new Intl.NumberFormat(this.tag, { style: 'percent', maximumFractionDigits: 2 }).format(value / 100)
  }

  day(at: string, timeZone: string | null): string {
    return new Intl.DateTimeFormat(this.tag, { dateStyle: 'long', ...(timeZone && { timeZone }) }).format(new Date(at))
  }
}

/** partsOf writes the explanation. */
export function partsOf(writer: Writer, facts: Facts): Part[] {
  const { result, organization } = facts
  const { title } = result.assessment
  const date = writer.day(result.completedAt, organization.timeZone)
  return [
    { text: writer.say('greeting', { name: result.candidate.name }) },
    { text: writer.say('intro', { title, organization: organization.name, date }) },
    { heading: writer.say('assessed') },
    { items: result.stages.map((stage) => stageLine(writer, stage)) },
    { text: pointsLine(writer, result.stages) },
    { heading: writer.say('rule') },
    { items: ruleLines(writer, facts) },
    { heading: writer.say('decided') },
    ...decisionLines(writer, facts).map((text) => ({ text })),
    { heading: writer.say('disagree') },
    { text: writer.say('rights') },
    { text: contactLine(writer, organization) },
    ...(organization.privacyUrl ? [{ text: writer.say('privacy', { url: organization.privacyUrl }) }] : []),
    { text: organization.name },
  ]
}

function stageLine(writer: Writer, { title, questions, maxPoints, status }: Facts['result']['stages'][number]): string {
  const max = writer.say('points', { count: maxPoints })
  const line = writer.say('stage', { stage: title, count: questions.length, max })
  return status === 'NOT_REACHED' ? `${line} ${writer.say('notReached')}` : line
}

/** pointsLine says how answers got their points. */
function pointsLine(writer: Writer, stages: Facts['result']['stages']): string {
  const questions = stages.filter(({ status }) => status !== 'NOT_REACHED').flatMap((stage) => stage.questions)
  const count = (scoredBy: string[]) => questions.filter((question) => scoredBy.includes(question.scoredBy)).length
  const byPeople = count(['PERSON'])
  const corrected = count(['CORRECTION', 'EXCLUSION'])
  const byKey = count(['KEY', 'CORRECTION'])
  return [
    byKey > 0 && writer.say('byKey'),
    byPeople > 0 && writer.say('byPeople', { count: byPeople }),
    corrected > 0 && writer.say('corrected', { count: corrected }),
    writer.say('score'),
  ]
    .filter(Boolean)
    .join(' ')
}

/** ruleLines has the score of each stage with a gate, and of the whole, against its pass mark. */
function ruleLines(writer: Writer, { result }: Facts): string[] {
  const { stages, passingScore, score, points, maxPoints, disqualification } = result
  const gates = stages.flatMap(({ title, score: own, gate }) => {
    if (!gate || own === null) return []
    const values = { stage: title, gate: writer.score(gate.minScore), score: writer.score(own) }
    const below = gate.onFail === 'REVIEW' ? 'belowPerson' : gate.required ? 'belowEnds' : 'belowNothing'
    return [`${writer.say('gate', values)} ${writer.say(below)}`]
  })
  const total = { score: writer.score(score), points: writer.number(points), max: writer.say('points', { count: maxPoints }) }
  if (disqualification) return gates
  if (passingScore === null) return [...gates, writer.say('totalOnly', total)]
  return [...gates, writer.say('total', { ...total, mark: writer.score(passingScore) })]
}

/** decisionLines says what the outcome is, and whether a person decided. */
function decisionLines(writer: Writer, { result, rulings, organization }: Facts): string[] {
  const { disqualification, passed, decidedBy, stages } = result
  const outcome = disqualification
    ? writer.say('stopped', { stage: disqualification.stageTitle })
    : writer.say(passed === null ? 'finished' : passed ? 'passed' : 'notPassed')
  // Only the newest ruling of a stage counts.
  const newest = rulings.filter((one, i) => rulings.findIndex(({ stageId }) => stageId === one.stageId) === i)
  const counted = newest.filter(({ stageId, decision }) => decision === 'PASS' || stageId === disqualification?.stageId)
  const people = counted.reverse().map(({ stageId, decision, createdAt }) =>
    writer.say(decision === 'PASS' ? 'personPass' : 'personStop', {
      stage: stages.find(({ id }) => id === stageId)?.title ?? '',
      date: writer.day(createdAt, organization.timeZone),
    }),
  )
  if (people.length > 0) return [outcome, ...people]
  return [outcome, writer.say(decidedBy === 'RULE' ? 'byRule' : 'withPeople')]
}

function contactLine(writer: Writer, { supportEmail, mailReplyTo, name }: Facts['organization']): string {
  const email = supportEmail ?? mailReplyTo
  return email ? writer.say('contact', { email }) : writer.say('contactOnly', { organization: name })
}

/** plainText is the explanation for an email. */
export function plainText(parts: Part[]): string {
  const blocks = parts.map((part) => {
    if ('items' in part) return part.items.map((item) => `- ${item}`).join('\n')
    return 'heading' in part ? part.heading : part.text
  })
  return `${blocks.join('\n\n')}\n`
}
