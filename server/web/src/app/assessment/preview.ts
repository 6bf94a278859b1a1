// "Take it yourself": a test session with the signed-in person as the candidate.
import { text } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { newKey } from '../core/keys.ts'
import { notify } from '../core/notices.tsx'
import { messageOf } from '../core/states.tsx'
import { to } from '../core/url.ts'

/**
 * takeItYourself opens a test session in a new tab, also of a draft. The tab opens before the request, because browsers
 * block tabs that do not follow a press at once.
 */
export async function takeItYourself(id: string, go: (address: string) => void): Promise<void> {
  const tab = window.open('', '_blank')
  const answer = await ask(
    v1.POST('/v1/assessments/{id}/preview', {
      params: { path: { id }, header: { 'Idempotency-Key': newKey() } },
    }),
  )
  if (!answer.ok) {
    tab?.close()
    const isIncomplete = answer.fault.problem?.code === 'assessment_incomplete'
    return notify(
      isIncomplete ? text('assessment.take.incomplete') : messageOf(answer.fault),
      isIncomplete
        ? { label: text('assessment.take.faults'), act: () => go(to(`/assessments/${id}/edit`)) }
        : undefined,
    )
  }
  const link = answer.data.inviteUrl
  if (!link) return
  if (tab) {
    tab.opener = null
    tab.location.href = link
  } else {
    const open = () => void window.open(link, '_blank', 'noopener')
    notify(text('assessment.take.blocked'), { label: text('assessment.take.open'), act: open })
  }
}
