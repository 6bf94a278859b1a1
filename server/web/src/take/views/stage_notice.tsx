// What the candidate reads above a question: that the time is up, and how an earlier stage has ended.
import { useEffect } from 'preact/hooks'
import { Html } from '../../shared/html.tsx'
import { text } from '../../shared/i18n.tsx'
import { view } from '../route.ts'
import { locked, notice, stage } from '../session.ts'
import { Outcome } from './clock.tsx'
import { MissedAnswers } from './missed.tsx'
import { Actions, Heading } from './page.tsx'
import { EndedNotice } from './stage_intro.tsx'

/** StageNotice says how the earlier stage has ended. It disappears with the first step to another view. */
export function StageNotice() {
  const isFirst = view.value.name === 'start' || (view.value.name === 'question' && view.value.number === 1)
  useEffect(() => {
    if (!isFirst) notice.value = undefined
  }, [isFirst])
  if (!notice.value && !locked.value) return null
  const { descriptionHtml } = stage.value!
  return (
    <aside class="notices" aria-label={text('notice')}>
      <Outcome />
      {notice.value && (
        <>
          <EndedNotice />
          {descriptionHtml && <Html html={descriptionHtml} />}
          <MissedAnswers />
        </>
      )}
    </aside>
  )
}

/**
 * Stop is shown before the first question of a stage without a limit, if the time of the
 * earlier stage was up: the candidate was still reading or typing there.
 */
export function Stop() {
  const { title, descriptionHtml } = stage.value!
  return (
    <>
      <main class="page">
        <EndedNotice />
        <Heading isTheirs>{title}</Heading>
        {descriptionHtml && <Html html={descriptionHtml} />}
        <MissedAnswers />
      </main>
      <Actions>
        <span class="grow" />
        <button
          type="button"
          class="button primary"
          onClick={() => {
            notice.value = undefined
          }}
        >
          {text('continue.yes')}
        </button>
      </Actions>
    </>
  )
}
