// The saver of this page, with the browser's clock, network, and storage.
import { inWords } from './answers.ts'
import { serverNow } from './clock.ts'
import { keepAnswer, keptAnswers } from './database.ts'
import { Saver } from './saver.ts'
import { outcomeShape, request, savedShape } from './server.ts'
import { beforeGiving, readOnly } from './tabs.ts'

export const saver = new Saver({
  clock: {
    now: () => performance.now(),
    serverNow,
    later(act, milliseconds) {
      const timer = setTimeout(act, milliseconds)
      return () => clearTimeout(timer)
    },
  },
  network: {
    save: (body, timeout, keepalive) =>
      request(
        savedShape,
        (api, signal) => api.PUT('/v1/candidate/session/answers', { body, signal, keepalive }),
        body.answers.length,
        timeout,
      ),
    submit: (body) =>
      request(
        outcomeShape,
        (api, signal) => api.POST('/v1/candidate/session/stage/submit', { body, signal }),
        body.answers?.length,
        body.answers?.length ? 8000 : undefined, // an answer that a firewall stops must not delay the other answers
      ),
  },
  storage: { read: keptAnswers, keep: (answer) => void keepAnswer(answer) },
  isReadOnly: () => readOnly.value,
  inWords,
})

export const { entries, offlineSince, recovered, lastSaved, unsent, blocked } = saver

/** runSaver reports to the saver what happens to the page. */
export function runSaver(): void {
  beforeGiving(() => saver.give())
  // The browser knows before a request fails that it is online again.
  addEventListener('online', () => saver.networkChanged())
  // Leaving a field saves it.
  addEventListener('focusout', () => saver.leftField())
  addEventListener('beforeunload', (event) => {
    if (saver.hasUnsent) event.preventDefault()
  })
  for (const leaving of ['pagehide', 'visibilitychange', 'beforeunload']) {
    addEventListener(leaving, () => {
      const isVisibility = leaving === 'visibilitychange'
      if (!isVisibility || document.visibilityState === 'hidden') saver.sendLast(isVisibility)
    })
  }
}
