// What the candidate reads before the start.
import { computed } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { announce } from '../../shared/announce.ts'
import { Html } from '../../shared/html.tsx'
import { rich, text, type Key } from '../../shared/i18n.tsx'
import { Icon } from '../../shared/icons.tsx'
import { now } from '../clock.ts'
import { storageWorks } from '../database.ts'
import { fromNow, limit, stated, withExtra } from '../durations.ts'
import { go, view } from '../route.ts'
import { busy, follow, start, taking, unreachable } from '../session.ts'
import { Closed } from './doors.tsx'
import { Action, Contact, dateOf, Fact, Heading, Note, Sheet, Theirs } from './page.tsx'
import { Practice } from './practice.tsx'

// "Lang, Ben" is greeted as "Ben Lang", as in emails: see Greeted in store/rules.
const greeted = (name: string) => name.replace(/^([^,]+), *((\p{Lu}[\p{Ll}\p{Mn}'’]+[ -]?)+)$/u, '$2 $1')

// The server decides. Half a second more is certain, because `now` is an estimate.
const hasPassed = (at: string | null | undefined, otherwise: number) =>
  now.value > (at ? Date.parse(at) : otherwise) + 500

const isEarly = computed(() => !hasPassed(taking.value?.startFrom, 0))
// Without an end, the session can never be started.
const isClosed = computed(() => hasPassed(taking.value?.startUntil, 0))
const isExpired = computed(() => hasPassed(taking.value?.expiresAt, Infinity))
const minute = computed(() => Math.floor(now.value / 60_000))

export function Intro() {
  useEffect(() => {
    if (isExpired.value) void follow()
  }, [isExpired.value])
  // The server says when an invitation has expired.
  if (isClosed.value && !isExpired.value) return <Closed />
  return view.value.name === 'practice' ? <Practice /> : <Invitation />
}

function Invitation() {
  const { organization, assessment, candidate } = taking.value!
  return (
    <Sheet>
      <p class="muted">{rich('intro.invites', { organization: organization.name, name: greeted(candidate.name) })}</p>
      <Heading isTheirs>{assessment.title}</Heading>
      {assessment.instructionsHtml && <Html html={assessment.instructionsHtml} />}
      <section>
        <h2>{text('intro.expect')}</h2>
        <Stages />
      </section>
      <section>
        <h2>{text('intro.know')}</h2>
        <Facts />
      </section>
      <Privacy />
      <Start />
    </Sheet>
  )
}

function Stages() {
  const { stages, assessment, timeLimitMinutes } = taking.value!
  const limits = stages.map((stage) => stage.timeLimitMinutes)
  const sum = limits.includes(null) ? null : limits.reduce<number>((total, minutes) => total + minutes!, 0)
  // The stages can have less time than the session, which also contains the breaks.
  const total = timeLimitMinutes !== null && sum !== null ? Math.min(timeLimitMinutes, sum) : (timeLimitMinutes ?? sum)
  return (
    <div class="stages">
      <ol>
        {stages.map((stage) => (
          <li key={stage.id}>
            <span class="n">{stage.order}</span>{' '}
            <b>
              <Theirs>{stage.title}</Theirs>
            </b>
            <Size questions={stage.questionCount} minutes={stage.timeLimitMinutes} />
          </li>
        ))}
      </ol>
      {(stages.length > 1 || timeLimitMinutes !== null) && (
        <p>
          <span class="n" /> <b>{text('intro.total', { count: stages.length })}</b>
          <Size questions={assessment.questionCount} minutes={total} isTotal />
        </p>
      )}
    </div>
  )
}

function Size({ questions, minutes, isTotal }: { questions: number; minutes: number | null; isTotal?: boolean }) {
  return (
    <span class="t">
      <span>{text('questions', { count: questions })}</span>{' '}
      {minutes !== null ? (
        <span>{stated(minutes, taking.value!.extraTimePercent)}</span>
      ) : (
        !isTotal && <span>{text('noLimit')}</span>
      )}
    </span>
  )
}

function Facts() {
  const { organization, stages, timeLimitMinutes, extraTimePercent, startUntil, expiresAt } = taking.value!
  const hasLimits = stages.some((stage) => stage.timeLimitMinutes !== null)
  const gates = stages.filter((stage) => stage.gate?.required)
  return (
    <ul class="facts">
      <Fact icon="clock">
        {timeLimitMinutes !== null && (
          <p>{text('intro.clock.session', { time: stated(timeLimitMinutes, extraTimePercent) })}</p>
        )}
        {hasLimits && <p>{text(stages.length > 1 ? 'intro.clock.stages' : 'intro.clock.stage')}</p>}
        {!hasLimits && timeLimitMinutes === null && <p>{text('intro.clock.none')}</p>}
      </Fact>
      <Fact icon="check">
        <p>{text('intro.saved')}</p>
      </Fact>
      <Fact icon="branch">
        <p>{text('intro.automatic')}</p>
        {gates.map(({ order, gate }) => (
          <p key={order}>
            {rich(
              `intro.gate${order < stages.length ? '' : '.last'}${gate!.onFail === 'REVIEW' ? '.review' : ''}`,
              { organization: organization.name },
              { stage: order, next: order + 1 },
            )}
          </p>
        ))}
        {gates.length === 0 && stages.length > 1 && <p>{text('intro.noGate')}</p>}
      </Fact>
      <Fact icon="person">
        <p>{rich('intro.contact', { contact: <Contact /> })}</p>
      </Fact>
      <Fact icon="calendar">
        <p>{moment('intro.last', startUntil ?? expiresAt)}</p>
      </Fact>
    </ul>
  )
}

/** moment is a sentence with a time in the future, as a date and in words. */
function moment(key: Key, at: string): string {
  return text(key, { date: dateOf(at), words: fromNow(Date.parse(at) / 60_000, minute.value) })
}

function Privacy() {
  const { name, privacyNoticeHtml, privacyUrl, retentionMonths } = taking.value!.organization
  return (
    <section>
      <h2>{text('intro.privacy')}</h2>
      {privacyNoticeHtml && <Html html={privacyNoticeHtml} />}
      {retentionMonths && <p>{text('intro.kept', { count: retentionMonths })}</p>}
      <p>{text('intro.activity')}</p>
      {privacyUrl && (
        <p>
          <a class="alone" href={privacyUrl} target="_blank" rel="noreferrer">
            <span>{rich('intro.policy', { organization: name })}</span>
          </a>
        </p>
      )}
    </section>
  )
}

function Start() {
  const { organization, stages, timeLimitMinutes, extraTimePercent, startFrom } = taking.value!
  const [acknowledged, setAcknowledged] = useState(false)
  const [isAsked, setAsked] = useState(false) // for the acknowledgement
  const [hasTried, setTried] = useState(false)
  const [storage, setStorage] = useState<boolean>()
  const box = useRef<HTMLInputElement>(null)
  const wasEarly = useRef(isEarly.value)
  useEffect(() => void storageWorks().then(setStorage), [])
  useEffect(() => {
    if (wasEarly.current && !isEarly.value) announce(text('intro.open'))
    wasEarly.current = isEarly.value
  }, [isEarly.value])

  const limits = [timeLimitMinutes, stages[0]?.timeLimitMinutes].filter((minutes) => minutes != null)
  const count = withExtra(Math.min(...limits), extraTimePercent)
  const label = !limits[0]
    ? text('intro.start')
    : Number.isInteger(count)
      ? text('intro.start.minutes', { count })
      : text('intro.start.exact', { time: limit(count, 0) })
  const isMissing = organization.acknowledgementRequired && !acknowledged
  const isWrong = isAsked && isMissing
  const begin = async () => {
    await start(organization.acknowledgementRequired)
    setTried(true)
  }
  const opens = isEarly.value ? moment('intro.opens', startFrom!) : ''
  const explain = () => {
    if (!isMissing) return announce(unreachable.value ? text('page.unreachable.title') : opens)
    setAsked(true)
    box.current?.focus()
  }
  return (
    <>
      {organization.acknowledgementRequired && (
        <div>
          <label class="tick">
            <input
              ref={box}
              type="checkbox"
              checked={acknowledged}
              aria-invalid={isWrong}
              aria-describedby={isWrong ? 'tick-error' : undefined}
              onChange={(event) => setAcknowledged(event.currentTarget.checked)}
            />
            {text('intro.acknowledge')}
          </label>
          {isWrong && (
            <p id="tick-error" class="error">
              {text('intro.acknowledge.missing')}
            </p>
          )}
        </div>
      )}
      {storage === false && (
        <Note icon="warning" kind="warn">
          {text('intro.noStorage')}
        </Note>
      )}
      <div role="alert">
        {unreachable.value && (
          <Note icon="cloudOff" kind="warn">
            <p>
              <b>{text('page.unreachable.title')}</b>
            </p>
            <p>{text('page.unreachable.text')}</p>
            <button type="button" class="button" onClick={() => void follow()}>
              {text('page.retry')}
            </button>
          </Note>
        )}
        {hasTried && !busy.value && !unreachable.value && (
          <Note icon="warning" kind="warn">
            {text('intro.again')}
          </Note>
        )}
      </div>
      {opens && <Note icon="calendar">{opens}</Note>}
      <p class="go">
        <Action
          primary
          label={label}
          disabled={isMissing || isEarly.value || unreachable.value}
          act={() => void begin()}
          explain={explain}
        />
      </p>
      <p class="also">
        <button type="button" class="button" onClick={() => go({ name: 'practice' })}>
          {text('intro.practice')}
        </button>
      </p>
      {storage && !unreachable.value && (
        <p class="ready">
          <Icon name="check" />
          {text('intro.ready')}
        </p>
      )}
    </>
  )
}
