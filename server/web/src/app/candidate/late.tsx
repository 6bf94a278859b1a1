// Answers that arrived after the deadline. They are not scored, unless a person counts them.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { duration, number } from '../core/figures.ts'
import { Action } from '../core/page.tsx'
import { answerWords } from './answers.tsx'
import { questionsOf, type useLateAnswers } from './decisions.ts'
import { CountDialog } from './lazy_dialogs.ts'

interface Props {
  session: Schemas['CandidateSession']
  result: Schemas['Result']
  query: ReturnType<typeof useLateAnswers>
  done(session: Schemas['CandidateSession']): void
}

export function LateAnswers({ session, result, query, done }: Props) {
  const [isOpen, setOpen] = useState(false)
  const answers = query.data ?? []
  const questions = questionsOf(result)
  const isOne = answers.every(({ secondsLate }) => secondsLate === answers[0]!.secondsLate)
  const latest = Math.max(...answers.map(({ secondsLate }) => secondsLate))
  const canCount = answers.some(({ questionId, counted }) => {
    return !counted && questions.get(questionId)?.question.scoredBy !== 'PERSON'
  })
  return (
    <section class="card no-print" aria-labelledby="late-answers">
      <div class="card-head">
        <h2 id="late-answers">
          {text(isOne ? 'candidate.late.title' : 'candidate.late.titleUpTo', {
            count: answers.length,
            time: duration(latest),
          })}
        </h2>
        {canCount && (
          <Action act={() => setOpen(true)} isSmall>
            {text('candidate.late.count')}
          </Action>
        )}
      </div>
      <p class="muted small">{text('candidate.late.text')}</p>
      <ul class="late-answers">
        {answers.map(({ questionId, answer, secondsLate, points, counted }) => {
          const found = questions.get(questionId)
          return (
            <li key={questionId}>
              <p class="small muted">
                {found && `${found.stage} · ${text('candidate.answers.number', { number: found.question.order })} · `}
                {text('candidate.late.by', { time: duration(secondsLate) })}
              </p>
              <p translate={!!found?.question.options}>
                {found ? answerWords({ ...found.question, answer }) : (answer.text ?? '–')}
              </p>
              <p class="small">
                {text(counted ? 'candidate.late.counted' : 'candidate.late.points', {
                  count: points,
                  points: number(points, 2),
                })}
              </p>
            </li>
          )
        })}
      </ul>
      {isOpen && <CountDialog id={session.id} done={done} close={() => setOpen(false)} />}
    </section>
  )
}
