// The clock, the warnings, and the button that says how much time is left.
import { useEffect, useState } from 'preact/hooks'
import { announce } from '../../shared/announce.ts'
import { text } from '../../shared/i18n.tsx'
import { Icon } from '../../shared/icons.tsx'
import { digits, duration } from '../durations.ts'
import { stuck } from '../handing_in.ts'
import { view } from '../route.ts'
import { kept, locked, phase, remember, stage, taking } from '../session.ts'
import { left, sessionLeft } from '../time.ts'
import { warning } from '../warnings.ts'
import { Note } from './page.tsx'

/** In the last minutes, the clock cannot be hidden. In seconds. */
const alwaysShown = 300
/** In the last minute, the clock stands out. In seconds. */
const lastMinute = 60

/** Clock shows the time that is left, unless the candidate has hidden it. Without a limit it shows nothing. */
export function Clock() {
  const [isOpen, setOpen] = useState(false)
  const seconds = left.value
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      // With Alt, a Mac reports another character.
      const isT = event.code === 'KeyT' || event.key.toLowerCase() === 't'
      if (!isT || !event.altKey || !event.shiftKey || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      announce(position())
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  useEffect(() => setOpen(false), [view.value])
  if (seconds === undefined) return null
  const canHide = seconds > alwaysShown
  const isHidden = canHide && kept.value?.clockHidden === true
  const toggle = () => {
    if (!isOpen) announce(position())
    setOpen(!isOpen)
  }
  const leave = (event: FocusEvent & { currentTarget: HTMLElement }) => {
    if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget as Node)) setOpen(false)
  }
  return (
    <div
      class="time"
      onKeyDown={(event) => {
        if (event.key === 'Escape') setOpen(false)
      }}
      onFocusOut={leave}
    >
      {!isHidden && (
        // A browser cannot translate what changes each second.
        <span class={seconds <= lastMinute ? 'clock late' : 'clock'} role="timer" translate={false}>
          <span aria-hidden="true">{digits(seconds)}</span>
          <span class="unseen">{text('time.left', { time: duration(seconds) })}</span>
        </span>
      )}
      <button type="button" class="button quiet" aria-expanded={isOpen} onClick={toggle}>
        <Icon name="clock" />
        <span class="unseen">{text('time.say')}</span>
      </button>
      {isOpen && (
        <div class="time-more">
          <p translate={false}>{position()}</p>
          <p class="muted small">{text('time.keys')}</p>
          {canHide && (
            <button type="button" class="button" onClick={() => remember({ clockHidden: !isHidden })}>
              {text(isHidden ? 'time.show' : 'time.hide')}
            </button>
          )}
        </div>
      )}
      {warning.value && seconds > 0 && !isOpen && <p class="time-warning">{warning.value}</p>}
    </div>
  )
}

/** position says how much time is left, and where the candidate is. */
function position(): string {
  const [seconds, ofSession, shown] = [left.value, sessionLeft.value, view.value]
  const lines = [seconds === undefined ? text('time.none') : text('time.left', { time: duration(seconds) })]
  if (phase.value === 'working') {
    if (ofSession !== undefined && ofSession !== seconds)
      lines.push(text('time.left.total', { time: duration(ofSession) }))
    const { order, questions } = stage.value!
    const place = { stage: order, stages: taking.value!.stages.length, total: questions.length }
    lines.push(
      shown.name === 'question'
        ? text('time.position', { ...place, number: shown.number })
        : text('time.position.stage', place),
    )
  }
  return lines.join(' ')
}

/** Outcome says that the time is up, and that the page waits for the server. */
export function Outcome() {
  if (!locked.value) return null
  return (
    <Note icon={stuck.value ? 'cloudOff' : 'clock'} kind={stuck.value ? 'warn' : undefined}>
      {text(stuck.value ? 'time.up.offline' : 'time.up.asking')}
    </Note>
  )
}
