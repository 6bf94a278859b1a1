// Deletes the own ratings of a judge.
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Confirm } from '../core/dialogs.tsx'
import { dropDraft } from '../core/drafts.ts'
import { notify } from '../core/notices.tsx'

interface Props {
  id: string
  done(ratings: Schemas['CutScoreRatings']): void
  close(): void
}

export function DeleteRatings({ id, done, close }: Props) {
  const act = async () => {
    const answer = await ask(v1.DELETE('/v1/assessments/{id}/cut-score/ratings', { params: { path: { id } } }))
    if (!answer.ok) return answer.fault
    dropDraft('cut-score')
    done({ ratings: [], cutScore: null, updatedAt: null })
    notify(text('cutScore.deleted'))
    return undefined
  }
  return (
    <Confirm title={text('cutScore.delete.question')} label={text('cutScore.delete')} isDanger act={act} close={close}>
      <p>{text('cutScore.delete.text')}</p>
    </Confirm>
  )
}
