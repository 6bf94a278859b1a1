// Taking the assessment as a test, and duplicating one that cannot be changed.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { notify } from '../core/notices.tsx'
import { Action } from '../core/page.tsx'
import { forget } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { messageOf } from '../core/states.tsx'
import { to, useAddress } from '../core/url.ts'
import type { Editor } from './state.ts'

/** TakeButton saves, and opens the candidate's page in a new tab. It calls `incomplete` if something is missing. */
export function TakeButton({ editor, incomplete }: { editor: Editor; incomplete(): void }) {
  const [isBusy, setBusy] = useState(false)
  const take = async () => {
    // A browser opens a tab only while it handles the press.
    const tab = window.open('', '_blank')
    if (tab) tab.opener = null
    setBusy(true)
    const link = await linkOf()
    setBusy(false)
    if (!link) tab?.close()
    else if (tab) tab.location.href = link
    else {
      const act = () => window.open(link, '_blank', 'noopener')
      notify(text('editor.take.blocked'), { label: text('editor.take.open'), act })
    }
  }
  const linkOf = async (): Promise<string | undefined> => {
    if (!(await editor.save())) {
      notify(text('editor.take.unsaved'))
      return undefined
    }
    const header = { 'Idempotency-Key': `preview-${Date.now()}-${Math.random().toString(36).slice(2)}` }
    const params = { path: { id: editor.id }, header }
    const answer = await ask(v1.POST('/v1/assessments/{id}/preview', { params }))
    if (answer.ok) return answer.data.inviteUrl ?? undefined
    if (answer.fault.problem?.code === 'assessment_incomplete') {
      await editor.check()
      incomplete()
    } else notify(messageOf(answer.fault))
    return undefined
  }
  return (
    <Action act={() => void take()} isBusy={isBusy}>
      {text(isBusy ? 'editor.take.busy' : 'editor.take')}
    </Action>
  )
}

/** DuplicateButton makes a draft of a published or archived assessment, and opens it. */
export function DuplicateButton({ editor }: { editor: Editor }) {
  const address = useAddress()
  const [isBusy, setBusy] = useState(false)
  const [key] = useState(() => `duplicate-${Date.now()}-${Math.random().toString(36).slice(2)}`)
  const duplicate = async () => {
    setBusy(true)
    const params = { path: { id: editor.id }, header: { 'Idempotency-Key': key } }
    const answer = await ask(v1.POST('/v1/assessments/{id}/duplicate', { params }))
    setBusy(false)
    if (!answer.ok) return notify(messageOf(answer.fault))
    forget()
    notify(text('editor.duplicated'))
    address.go(to(`/assessments/${answer.data.id}/edit`))
  }
  return (
    <Action kind="primary" act={() => void duplicate()} reason={needs('EDITOR')} isBusy={isBusy}>
      {text('editor.duplicate')}
    </Action>
  )
}
