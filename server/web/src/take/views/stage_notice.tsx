// What the candidate reads when a stage without a time limit follows another one.
import { useEffect } from 'preact/hooks'
import { Html } from '../../shared/html.tsx'
import { view } from '../route.ts'
import { notice, stage } from '../session.ts'
import { MissedAnswers } from './missed.tsx'
import { EndedNotice } from './stage_intro.tsx'

/** StageNotice says how the earlier stage has ended. It disappears with the first step to another view. */
export function StageNotice() {
  const isFirst = view.value.name === 'start' || (view.value.name === 'question' && view.value.number === 1)
  useEffect(() => {
    if (!isFirst) notice.value = undefined
  }, [isFirst])
  if (!notice.value) return null
  const { descriptionHtml } = stage.value!
  return (
    <aside class="sheet-note">
      <EndedNotice />
      {descriptionHtml && <Html class="prose" html={descriptionHtml} />}
      <MissedAnswers />
    </aside>
  )
}
