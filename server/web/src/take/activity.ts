// How long the candidate sees each question, for the statistics of the organization. The page loads this script when
// the candidate begins to work. Without it, no times are reported, and nothing else changes. It imports nothing,
// because it is a script of its own.
import type { ReadonlySignal } from '@preact/signals'
import type { API } from '../shared/api.ts'
import type { View } from './route.ts'

/** What this script needs from the page. */
export interface Page {
  api: API
  language: ReadonlySignal<{ tag: string }>
  /** The view of the stage. */
  view: ReadonlySignal<View>
  /** The seconds that are left for the stage. */
  left: ReadonlySignal<number | undefined>
  /** Since when the page has no connection. */
  offline: ReadonlySignal<number | undefined>
}

// All times are in milliseconds.

/** How often the page looks which question the candidate sees. */
const step = 500
/** What counts at most between two looks. A device that sleeps looks late. */
const longestStep = 2000
/** For how long a candidate who does nothing is still reading. */
const idle = 120_000
/** How often the page reports at most, except when the candidate leaves it or submits. */
const interval = 60_000
/** The limit of the contract for the time of a question in a report. */
const longest = 3_600_000
/**
 * How many questions a report has at most. Browsers send at most 64 KiB while a page closes, and the answers need up to
 * 48,000 bytes of that.
 */
const maxQuestions = 100
/** With how many seconds left the page reports, because a report after the end is refused. */
const lastSeconds = 2

let isRunning = false

/** activity measures and reports from now on. A second call, at the next stage, changes nothing. */
export function activity({ api, language, view, left, offline }: Page): void {
  if (isRunning) return
  isRunning = true
  const times = new Map<string, number>() // not reported yet
  let seen = shown() // by the candidate, since the latest look
  let looked = performance.now()
  let touched = looked
  let reported = looked

  const add = (question: string, time: number) => times.set(question, (times.get(question) ?? 0) + time)

  const look = () => {
    const now = performance.now()
    if (seen) add(seen, Math.min(now - looked, longestStep))
    looked = now
    seen = document.hasFocus() && now - touched < idle ? shown() : undefined
    if (now - reported >= interval) report()
  }

  const report = (keepalive = false) => {
    reported = performance.now()
    const questions = [...times]
      .map(([questionId, time]) => ({ questionId, seconds: Math.round(Math.min(time, longest) / 1000) }))
      .filter(({ seconds }) => seconds > 0)
      .slice(0, maxQuestions)
    if (questions.length === 0 || offline.value !== undefined) return
    const change = (sign: number) =>
      questions.forEach(({ questionId, seconds }) => add(questionId, sign * seconds * 1000))
    // The next report has the times of a report that fails. The server bounds what it gets twice, if only the response
    // is lost. What it refuses is gone.
    const failed = () => change(1)
    change(-1)
    api
      .POST('/v1/candidate/session/activity', { body: { language: language.value.tag, questions }, keepalive })
      .then(({ response: { status } }) => (status === 429 || status >= 500) && failed(), failed)
  }

  const lookAndReport = (keepalive?: boolean) => {
    look()
    report(keepalive)
  }

  setInterval(look, step)
  for (const input of ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove', 'scroll']) {
    addEventListener(input, () => (touched = performance.now()), { capture: true, passive: true })
  }
  for (const leaving of ['pagehide', 'visibilitychange']) {
    addEventListener(leaving, () => {
      if (leaving === 'pagehide' || document.hidden) lookAndReport(true)
    })
  }
  // A report is sent while the candidate decides whether to submit, so that submitting does not wait for it.
  view.subscribe(({ name }) => name === 'confirm' && lookAndReport())
  left.subscribe((seconds) => seconds === lastSeconds && lookAndReport())
}

/**
 * shown returns the question that the candidate sees. If all questions are on one page, it is the question with the
 * focus if that is in sight, and otherwise the question nearest to the middle of the window.
 */
function shown(): string | undefined {
  if (document.hidden) return undefined
  const middle = innerHeight / 2
  let nearest: Element | undefined
  let least = middle
  for (const prompt of document.querySelectorAll('main .prompt')) {
    const place = prompt.closest('section')
    if (!place) return idOf(prompt) // the only question of the page
    const { top, bottom } = place.getBoundingClientRect()
    const isInSight = bottom > 0 && top < innerHeight
    if (isInSight && place.contains(document.activeElement)) return idOf(prompt)
    const distance = Math.max(top - middle, middle - bottom, 0)
    if (isInSight && distance < least) [nearest, least] = [prompt, distance]
  }
  return nearest && idOf(nearest)
}

/** idOf returns the id of the question with the prompt, see views/fields.tsx. */
const idOf = ({ id }: Element) => id.replace(/-prompt$/, '')
