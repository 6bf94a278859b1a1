// A stage with a time limit, before its clock starts.
import { Html } from '../../shared/html.tsx'
import { text } from '../../shared/i18n.tsx'
import { stage, startStage } from '../session.ts'
import { Action, ActionProblem, Heading, Sheet } from './page.tsx'

export function StageIntro() {
  const { order, title, descriptionHtml, timeLimitMinutes, questionCount } = stage.value!
  return (
    <Sheet>
      <Heading>{title}</Heading>
      {descriptionHtml && <Html class="prose" html={descriptionHtml} />}
      <p>{text('questions', { count: questionCount })}, {timeLimitMinutes ? text('minutes', { count: timeLimitMinutes }) : text('noLimit')}</p>
      <ActionProblem />
      <p class="go"><Action primary label={text('stage.start', { number: order })} act={() => void startStage()} /></p>
    </Sheet>
  )
}
