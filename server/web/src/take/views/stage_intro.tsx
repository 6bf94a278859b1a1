// A stage with a time limit, before its clock starts.
import { Html } from '../../shared/html.tsx'
import { rich, text } from '../../shared/i18n.tsx'
import { Icon } from '../../shared/icons.tsx'
import { duration, limit, withExtra } from '../durations.ts'
import { locked, notice, stage, startStage, taking } from '../session.ts'
import { sessionLeft } from '../time.ts'
import { Clock, Outcome } from './clock.tsx'
import { MissedAnswers } from './missed.tsx'
import { Action, ActionProblem, dateOf, Fact, Heading, Note, Sheet } from './page.tsx'

/** After this time without an action, a session without a limit ends. See rules.AbandonedAfter. */
const returnWithinDays = 30

export function StageIntro() {
  const { order, title, descriptionHtml, timeLimitMinutes, questionCount } = stage.value!
  const { stages, deadlineAt, extraTimePercent } = taking.value!
  const rest = sessionLeft.value
  const usual = timeLimitMinutes ?? 0
  const seconds = withExtra(usual, extraTimePercent) * 60
  const time = limit(usual, extraTimePercent)
  const isCut = rest !== undefined && rest < seconds
  // In whole minutes, so that the button does not change each second.
  const available = isCut ? duration(rest < 60 ? rest : rest - (rest % 60)) : time
  return (
    <Sheet>
      <Clock />
      <EndedNotice />
      <p class="muted">{text('stage.number', { number: order, total: stages.length })}</p>
      <Heading isTheirs>{title}</Heading>
      {descriptionHtml && <Html html={descriptionHtml} />}
      <ul class="facts">
        <Fact icon="list">{text('questions', { count: questionCount })}</Fact>
        <Fact icon="clock">
          {isCut
            ? text('stage.time.cut', { time })
            : extraTimePercent > 0
              ? text('stage.time.extra', { time, without: limit(usual, 0) })
              : text('stage.time', { time })}
        </Fact>
        <Fact icon="pause">{text('stage.break')}</Fact>
        <Fact icon="calendar">
          {deadlineAt && rest !== undefined
            ? rich('stage.break.total', { time: duration(rest) }, { date: dateOf(deadlineAt) })
            : text('stage.break.free', { days: returnWithinDays })}
        </Fact>
      </ul>
      <MissedAnswers />
      <Outcome />
      <ActionProblem />
      <p class="go">
        <Action
          primary
          disabled={locked.value}
          label={text('stage.start', { number: order, time: available })}
          act={() => void startStage()}
        />
      </p>
    </Sheet>
  )
}

/** EndedNotice says why the earlier stage has ended. */
export function EndedNotice() {
  const ended = notice.value
  if (!ended) return null
  const isTimeUp = ended.reason === 'timeUp'
  return (
    <Note icon={isTimeUp ? 'clock' : 'check'} kind={isTimeUp ? undefined : 'good'}>
      {text(isTimeUp ? 'stage.ended.timeUp' : 'stage.ended.submitted', { number: ended.order })}
    </Note>
  )
}
