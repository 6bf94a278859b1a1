// The answers of a session that must be graded, one after the other.
import { useEffect, useRef, useState } from 'preact/hooks'
import { Html } from '../../shared/html.tsx'
import { rich, text } from '../../shared/i18n.tsx'
import type { Keys } from '../candidate/answers.tsx'
import type { Grade } from '../candidate/decisions.ts'
import { FreeText } from '../candidate/free_text.tsx'
import type { Schemas } from '../core/api.ts'
import { number, score } from '../core/figures.ts'
import { When } from '../core/formats.tsx'
import { useAddress } from '../core/url.ts'
import { GradeForm } from './grade_form.tsx'
import type { OpenDecision } from './open.ts'

interface Props {
  session: Schemas['CandidateSession']
  decision: OpenDecision
  keys: Keys
  lang: string | null | undefined
  gradeOf(questionId: string): Grade | undefined
  /** Reads everything again. */
  changed(): void
}

/** Grading shows the answer that the address names, or the first one. */
export function Grading({ session, decision, keys, lang, gradeOf, changed }: Props) {
  const address = useAddress()
  const { questionIds, stages, stageId, since } = decision
  const all = stages.flatMap(({ title, questions }) => questions.map((question) => ({ question, title })))
  const waiting = all.filter(({ question }) => questionIds.includes(question.id))
  const named = waiting.find(({ question }) => question.id === address.query.grade)?.question.id
  // An answer stays until its form is finished, also if a colleague has graded it meanwhile.
  const [shown, show] = useState(named ?? waiting[0]?.question.id)
  useEffect(() => {
    if (named) show(named)
  }, [named])
  const current = all.find(({ question }) => question.id === shown) ?? waiting[0]
  const at = waiting.findIndex(({ question }) => question.id === current?.question.id)
  const held = stages.find(({ id }) => id === stageId)
  const reasons = {
    stage: held?.title ?? '',
    since: since ? <When at={since} /> : null,
  }
  const others = [...waiting.slice(at + 1), ...waiting.slice(0, Math.max(0, at))]
  const goOn = () => {
    const next = others[0]?.question.id
    show(next)
    address.change({ grade: next }, true)
  }
  return (
    <section class="card decision" aria-labelledby="decision">
      <h2 id="decision">{text('decision.grades.title', { count: waiting.length })}</h2>
      <p>
        {held?.gate
          ? rich('decision.grades.gate', reasons, { gate: score(held.gate.minScore) })
          : rich('decision.grades.result', reasons)}
      </p>
      {waiting.length > 1 && (
        <nav class="grading-list" aria-label={text('decision.grades.list')}>
          {waiting.map(({ question, title }, i) => (
            <a
              key={question.id}
              href={address.with({ grade: question.id })}
              aria-current={i === at ? 'true' : undefined}
              title={title}
            >
              {text('candidate.answers.number', { number: question.order })}
              <span class="unseen">, {title}</span>
            </a>
          ))}
        </nav>
      )}
      {current && (
        <Waiting
          key={current.question.id}
          {...current}
          {...{ session, lang, changed }}
          fullKey={keys.get(current.question.id)}
          grade={gradeOf(current.question.id)}
          isChosen={address.query.grade !== undefined}
          done={goOn}
        />
      )}
    </section>
  )
}

interface WaitingProps extends Pick<Props, 'session' | 'lang' | 'changed'> {
  question: Schemas['ResultQuestion']
  /** The title of the stage. */
  title: string
  fullKey: Schemas['Question'] | undefined
  grade: Grade | undefined
  /** Whether a person came to this answer from another one. */
  isChosen: boolean
  done(): void
}

function Waiting({ session, question, title, fullKey, grade, lang, isChosen, done, changed }: WaitingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // The form of the last answer is gone, and the focus with it.
    if (isChosen) heading.current?.focus()
  }, [])
  return (
    <div class="grading">
      <h3 ref={heading} tabIndex={-1}>
        {text('candidate.answers.number', { number: question.order })}{' '}
        <span class="muted small">
          {title} · {text('decision.grade.max', { max: number(question.maxPoints, 2), count: question.maxPoints })}
          {fullKey?.maxWords && ` · ${text('decision.grades.asked', { count: fullKey.maxWords })}`}
        </span>
      </h3>
      <Html html={question.promptHtml} lang={lang} />
      <FreeText value={question.answer?.text ?? ''} />
      {fullKey?.explanationHtml && (
        <details class="grading-hint">
          <summary>{text('decision.grades.good')}</summary>
          <Html html={fullKey.explanationHtml} lang={lang} />
        </details>
      )}
      {fullKey && (
        <GradeForm
          sessionId={session.id}
          {...{ question, fullKey, grade, done, changed }}
          canWithdraw={false}
        />
      )}
    </div>
  )
}
