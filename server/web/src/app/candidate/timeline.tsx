// What happened to a session, in words, oldest first.
import { rich, text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { hasText } from '../core/faults.ts'
import { dayAndTime, When } from '../core/formats.tsx'
import { useQuery, type Query } from '../core/query.ts'
import { stateName } from '../core/review_state.ts'
import { Loaded } from '../core/states.tsx'
import { emailFailure } from './email_failure.ts'

type Entry = Schemas['TimelineEntry']

/** useTimeline reads the timeline again when the session has changed. */
export function useTimeline({ id, updatedAt }: Pick<Schemas['CandidateSession'], 'id' | 'updatedAt'>): Query<Entry[]> {
  return useQuery(`/v1/candidate-sessions/${id}/timeline ${updatedAt}`, () =>
    ask(v1.GET('/v1/candidate-sessions/{id}/timeline', { params: { path: { id } } })),
  )
}

/** hasRuling reports whether a person has decided about a gate. */
export const hasRuling = (entries: Entry[] = []) => entries.some(({ type }) => type.startsWith('GATE_'))

export function Timeline({ query, stages }: { query: Query<Entry[]>; stages: Map<string, string> }) {
  return (
    <section class="card no-print">
      <h2>{text('candidate.timeline.title')}</h2>
      <Loaded query={query}>
        {(entries) => (
          <ol class="timeline">
            {inWords(entries).map((entry, i) => (
              <li key={i} class={entry.type === 'EMAIL_FAILED' ? 'bad' : undefined}>
                <p>{entry.type === 'DEVICE_CHANGED' ? changeOf(entry, entries) : sentenceOf(entry, stages)}</p>
                {(entry.ip || entry.type === 'DEVICE_CHANGED') && <p class="small">{placeOf(entry)}</p>}
                {entry.type === 'DEVICE_CHANGED' && <p class="small muted">{text('candidate.timeline.unscored')}</p>}
                {entry.reason && <p class="small">{text('candidate.timeline.reason', { reason: entry.reason })}</p>}
                {entry.failure && <p class="small">{emailFailure(entry)}</p>}
                <p class="small muted">
                  <Where entry={entry} />
                </p>
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </section>
  )
}

const ends = ['COMPLETED', 'DISQUALIFIED']

/**
 * inWords leaves out the start of a stage that follows at once from another entry, and puts the end of the
 * session after the end of its last stage, which has the same time.
 */
function inWords(entries: Entry[]): Entry[] {
  const isAt = (at: string, types: string[]) => entries.some((other) => other.at === at && types.includes(other.type))
  const kept = entries.filter(({ at, type }) => type !== 'STAGE_STARTED' || !isAt(at, ['STARTED', 'STAGE_ENDED']))
  // Of several readings by one actor, the last one is enough.
  const isLastReading = ({ type, actor }: Entry, i: number) =>
    type !== 'RESULT_READ' || !kept.slice(i + 1).some((later) => later.type === type && later.actor.id === actor.id)
  const rank = ({ type }: Entry) => (ends.includes(type) ? 1 : 0)
  return kept.filter(isLastReading).sort((a, b) => (a.at === b.at ? rank(a) - rank(b) : 0))
}

function sentenceOf({ type, stageId, minutes, email, sendAt, actor, questionIds, state, tag, resultLink }: Entry, stages: Map<string, string>): string {
  const stage = (stageId && stages.get(stageId)) || ''
  const ofEmail = (event: 'Queued' | 'Sent' | 'Failed') => {
    const kinds = {
      INVITE: 'invite', REMINDER: 'reminder', REOPENED: 'reopened', RESULT_CORRECTED: 'corrected', DECISION: 'decision',
      GATE_PASSED: 'gatePassed',
    } as const
    return text(`candidate.timeline.${kinds[email as keyof typeof kinds] ?? 'invite'}${event}`, { at: sendAt ? dayAndTime(sendAt) : '' })
  }
  switch (type) {
    case 'STAGE_STARTED':
      return text('candidate.timeline.STAGE_STARTED', { stage })
    case 'STAGE_ENDED':
      return text(actor.type === 'SERVICE' ? 'candidate.timeline.stageTimedOut' : 'candidate.timeline.STAGE_ENDED', {
        stage,
      })
    case 'EXTENDED':
      return text('candidate.timeline.EXTENDED', { count: minutes ?? 0 })
    case 'REOPENED':
      return text('candidate.timeline.REOPENED', { count: minutes ?? 0 })
    case 'REVIEW_REQUESTED':
      return stageId
        ? text('candidate.timeline.gateWaits', { stage })
        : text('candidate.timeline.submittedForReview')
    case 'GATE_PASSED':
    case 'GATE_STOPPED':
      return text(`candidate.timeline.${type}`, { stage })
    case 'STATE_CHANGED':
      // An entry has the name only. The id of a state with which an organization begins is its name in lower case.
      return text('candidate.timeline.STATE_CHANGED', {
        state: state ? stateName({ id: state.toLowerCase(), name: state }) : '',
      })
    case 'TAG_ADDED':
    case 'TAG_REMOVED':
      return text(`candidate.timeline.${type}`, { tag: tag ?? '' })
    case 'RESULT_LINK_CREATED':
    case 'RESULT_LINK_OPENED':
    case 'RESULT_LINK_REVOKED':
      return text(`candidate.timeline.${type}`, { name: resultLink ?? text('candidate.share.unnamed') })
    case 'ANSWERS_UNDELIVERED':
      return text('candidate.timeline.ANSWERS_UNDELIVERED', { stage, count: questionIds?.length ?? 0 })
    case 'EMAIL_QUEUED':
      return ofEmail('Queued')
    case 'EMAIL_SENT':
      return ofEmail('Sent')
    case 'EMAIL_FAILED':
      return ofEmail('Failed')
    default: {
      const key = `candidate.timeline.${type}`
      return hasText(key) ? text(key) : type
    }
  }
}

/** changeOf says what differs from all earlier devices and networks. */
function changeOf(entry: Entry, entries: Entry[]): string {
  const like = entries.slice(0, entries.indexOf(entry)).filter(({ type, browser, system }) => {
    const hasDevice = type === 'STARTED' || type === 'DEVICE_CHANGED'
    return hasDevice && browser === entry.browser && system === entry.system
  })
  if (like.length === 0) return text('candidate.timeline.DEVICE_CHANGED')
  const isKnownNetwork = like.some(({ ip }) => ip === entry.ip)
  return text(isKnownNetwork ? 'candidate.timeline.otherBrowser' : 'candidate.timeline.otherNetwork')
}

function placeOf({ browser, system, ip }: Entry): string {
  const both = browser && system ? text('candidate.timeline.device', { browser, system }) : (browser ?? system)
  const device = both ?? text('candidate.timeline.unknownDevice')
  return ip ? text('candidate.timeline.place', { device, ip }) : device
}

/** Where is the time of an entry, and who did it. */
function Where({ entry: { at, actor } }: { entry: Entry }) {
  const when = <When at={at} isRelative />
  if (actor.type === 'USER' && actor.name) return <>{rich('candidate.timeline.by', { when, name: actor.name })}</>
  if (actor.type === 'API_KEY' && actor.name) return <>{rich('candidate.timeline.byKey', { when, name: actor.name })}</>
  return when
}
