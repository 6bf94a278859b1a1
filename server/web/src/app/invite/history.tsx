// What a person has done before in the assessment and its copies.
import { useEffect, useRef, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Answer, type Schemas } from '../core/api.ts'
import { score } from '../core/figures.ts'
import { day, dayAndTime } from '../core/formats.tsx'
import { CheckField } from '../core/forms.tsx'
import { Icon } from '../core/icons.tsx'
import { to } from '../core/url.ts'
import { isInState, useStates } from '../candidates/state.tsx'
import { stateName } from '../core/review_state.ts'
import { isBlank, visible } from '../../shared/text.ts'

export type History = Schemas['CandidateHistory']

/** lookUp asks what the people with the addresses have done. */
export function lookUp(assessmentId: string, emails: string[]): Promise<Answer<History[]>> {
  return ask(v1.POST('/v1/candidate-sessions/history', { body: { assessmentId, candidateEmails: emails } }))
}

/** hasLive reports whether the person has an open invite or session of the assessment itself: an invite returns that one. */
export function hasLive({ latest }: History, assessmentId: string): boolean {
  return latest?.assessmentId === assessmentId && (latest.status === 'INVITED' || latest.status === 'IN_PROGRESS')
}

/** mayRepeat reports whether a member may decide to invite the person again. */
export const mayRepeat = ({ repeat }: History): boolean => repeat === 'ALLOWED' || repeat === 'ASK'

/** useHistory looks up what the person has done, half a second after the last letter of the address. */
export function useHistory(assessmentId: string, email: string): { history: History | undefined; look(): void } {
  const [found, setFound] = useState<History>()
  const address = visible(email)
  const latest = useRef(address)
  latest.current = address
  const look = async () => {
    const answer = await lookUp(assessmentId, [address])
    if (answer.ok && latest.current === address) setFound(answer.data[0])
  }
  useEffect(() => {
    if (isBlank(address) || !/.@.+\../.test(address)) return
    const timer = setTimeout(() => void look(), 500)
    return () => clearTimeout(timer)
  }, [assessmentId, address])
  const isOfAddress = found?.candidateEmail === address && found.latest
  return { history: isOfAddress ? found : undefined, look: () => void look() }
}

/** historyText is a sentence such as "Finished on 25 Nov 2026, 76%". */
export function historyText({ latest, attemptCount }: History, assessmentId: string): string {
  if (!latest) return ''
  const { status, startedAt, endedAt, invitedAt } = latest
  const at = day(endedAt ?? startedAt ?? invitedAt)
  const sentence =
    status === 'COMPLETED' && latest.score !== null
      ? text('invite.before.COMPLETED', { at, score: score(latest.score) })
      : status === 'DISQUALIFIED'
        ? text('invite.before.DISQUALIFIED', { at, stage: latest.stageNumber ?? 1 })
        : status === 'CANCELLED'
          ? text('invite.before.CANCELLED', { at })
          : startedAt
            ? text('invite.before.IN_PROGRESS', { at: day(startedAt) })
            : text('invite.before.INVITED', { at: day(invitedAt) })
  return [
    sentence,
    latest.assessmentId !== assessmentId && text('invite.before.copy', { title: latest.assessmentTitle }),
    attemptCount > 1 && text('invite.before.attempts', { count: attemptCount }),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** LatestState is the state that the organization has given to the person in the latest attempt. */
export function LatestState({ history: { latest } }: { history: History }) {
  const states = useStates()
  if (!latest || !isInState(latest.stateId)) return null
  const { stateId: id } = latest
  const state = states.find((one) => one.id === id) ?? { id, name: id }
  return <span class="tag invite-before-state">{text('invite.before.state', { state: stateName(state) })}</span>
}

/** whyNotAgain says why the rule of the assessment does not permit another attempt now. */
export function whyNotAgain(history: History): string | undefined {
  if (mayRepeat(history)) return undefined
  if (history.repeat !== 'LATER') return text('invite.before.never')
  const { repeatPossibleAt: at } = history
  return at ? text('invite.before.later', { at: dayAndTime(at) }) : text('invite.before.open')
}

interface NoteProps {
  history: History
  assessmentId: string
  isAgain: boolean
  change(isAgain: boolean): void
}

/** HistoryNote shows what a person has done, and asks whether to invite the person again. */
export function HistoryNote({ history, assessmentId, isAgain, change }: NoteProps) {
  const reason = whyNotAgain(history)
  return (
    <div class="note warn invite-before" role="status">
      <Icon name="warning" />
      <div>
        <p>
          {historyText(history, assessmentId)} <LatestState history={history} />{' '}
          <a href={to(`/candidates/${history.latest!.sessionId}`)} target="_blank" rel="noopener">
            {text('invite.state.EXISTING.show')}
          </a>
        </p>
        {!hasLive(history, assessmentId) && (
          <CheckField label={text('invite.before.again')} isChecked={isAgain} change={change} reason={reason} />
        )}
      </div>
    </div>
  )
}
