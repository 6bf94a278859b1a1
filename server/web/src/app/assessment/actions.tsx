// Duplicate, archive, and delete an assessment.
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Confirm } from '../core/dialogs.tsx'
import { newKey } from '../core/keys.ts'
import { notify } from '../core/notices.tsx'
import { forget } from '../core/query.ts'
import { messageOf } from '../core/states.tsx'
import { to, useAddress } from '../core/url.ts'

type AssessmentDetail = Schemas['AssessmentDetail']
type Named = { id: string; title: string }

/** duplicate creates a draft with the same content, and opens it in the editor. */
export async function duplicate(id: string, go: (address: string) => void): Promise<void> {
  const answer = await ask(
    v1.POST('/v1/assessments/{id}/duplicate', {
      params: { path: { id }, header: { 'Idempotency-Key': newKey() } },
    }),
  )
  if (!answer.ok) return notify(messageOf(answer.fault))
  forget('/v1/assessments')
  notify(text('assessment.duplicated'))
  go(to(`/assessments/${answer.data.id}/edit`))
}

const titleOf = ({ title }: Named) => title || text('assessment.untitled')

interface ArchiveProps {
  assessment: Named
  done(assessment: AssessmentDetail): void
  close(): void
}

export function ArchiveDialog({ assessment, done, close }: ArchiveProps) {
  const { id } = assessment
  const act = async () => {
    const answer = await ask(v1.POST('/v1/assessments/{id}/archive', { params: { path: { id } } }))
    if (!answer.ok) return answer.fault
    forget('/v1/assessments')
    done(answer.data)
    notify(text('assessment.archived'))
    return undefined
  }
  return (
    <Confirm
      title={text('assessment.archive.question', { title: titleOf(assessment) })}
      label={text('assessment.archive')}
      isDanger
      act={act}
      close={close}
    >
      <p>{text('assessment.archive.text')}</p>
      <p>{text('assessment.archive.final')}</p>
    </Confirm>
  )
}

interface DeleteProps {
  assessment: Named
  /** What follows. Without it, the list of assessments. */
  done?(): void
  close(): void
}

/** DeleteDialog deletes a draft. */
export function DeleteDialog({ assessment, done, close }: DeleteProps) {
  const { go } = useAddress()
  const { id } = assessment
  const act = async () => {
    const answer = await ask(v1.DELETE('/v1/assessments/{id}', { params: { path: { id } } }))
    if (!answer.ok) return answer.fault
    forget('/v1/assessments')
    notify(text('assessment.deleted', { title: titleOf(assessment) }))
    if (done) done()
    else go(to('/assessments'), true)
    return undefined
  }
  return (
    <Confirm
      title={text('assessment.delete.question', { title: titleOf(assessment) })}
      label={text('assessment.delete')}
      isDanger
      act={act}
      close={close}
    >
      <p>{text('assessment.delete.text')}</p>
    </Confirm>
  )
}
