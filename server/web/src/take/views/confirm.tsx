// The question before a stage is handed in.
import { text } from '../../shared/i18n.tsx'
import { go } from '../route.ts'
import { stage, submit } from '../session.ts'
import { Action, Actions, ActionProblem, Heading } from './page.tsx'

export function Confirm() {
  return (
    <>
      <main class="page">
        <Heading>{text('confirm.title', { number: stage.value!.order })}</Heading>
        <ActionProblem />
      </main>
      <Actions>
        <button type="button" class="button" onClick={() => go({ name: 'overview' })}>{text('confirm.no')}</button>
        <span class="grow" />
        <Action primary label={text('confirm.yes')} act={() => void submit()} />
      </Actions>
    </>
  )
}
