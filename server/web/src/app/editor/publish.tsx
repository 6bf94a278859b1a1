// Publishing a draft.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Fault } from '../core/api.ts'
import { Dialog } from '../core/dialogs.tsx'
import { notify } from '../core/notices.tsx'
import { forget } from '../core/query.ts'
import { FaultNote } from '../core/states.tsx'
import { to, useAddress } from '../core/url.ts'
import { FaultList } from './bar.tsx'
import { questionCount, stagePoints } from './model.ts'
import type { Editor } from './state.ts'

interface Props {
  editor: Editor
  go(place: string): void
  close(): void
}

/** PublishDialog says what publishing means, or what is missing. */
export function PublishDialog({ editor, go, close }: Props) {
  const address = useAddress()
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault>()
  const [isUnsaved, setUnsaved] = useState(false)
  const faults = editor.faults.value ?? []
  const { settings, stages } = editor.doc.value
  const graded = stages.flatMap(({ questions }) => questions).filter(({ type }) => type === 'FREE_TEXT').length
  const reviews = stages.filter(({ gate }) => gate?.onFail === 'REVIEW').length
  const publish = async () => {
    if (isBusy) return
    setBusy(true)
    const isSaved = await editor.save()
    setUnsaved(!isSaved)
    const params = { path: { id: editor.id } }
    const answer = isSaved ? await ask(v1.POST('/v1/assessments/{id}/publish', { params })) : undefined
    setBusy(false)
    if (!answer) return
    if (answer.ok) {
      forget()
      notify(text('editor.published', { title: settings.title }))
      return address.go(to(`/assessments/${editor.id}`))
    }
    if (answer.fault.problem?.code === 'assessment_incomplete') await editor.check()
    else setFault(answer.fault)
  }
  if (faults.length > 0) {
    return (
      <Dialog title={text('editor.faults.count', { count: faults.length })} close={close}>
        <FaultList
          editor={editor}
          go={(place) => {
            close()
            go(place)
          }}
        />
      </Dialog>
    )
  }
  return (
    <Dialog title={text('editor.publish.title', { title: settings.title })} close={close}>
      <p>
        {text('editor.publish.size', {
          questions: text('editor.questions.count', { count: questionCount(stages) }),
          points: text('editor.points.count', { count: stagePoints(stages) }),
        })}
      </p>
      <ul class="editor-list">
        <li>{text('editor.publish.invite')}</li>
        {graded > 0 && <li>{text('editor.publish.graded', { count: graded })}</li>}
        {reviews > 0 && <li>{text('editor.publish.review', { count: reviews })}</li>}
        <li>{text('editor.publish.frozen')}</li>
        <li>{text('editor.publish.texts')}</li>
      </ul>
      {isUnsaved && (
        <p class="error" role="alert">
          {text('editor.publish.unsaved')}
        </p>
      )}
      {fault && <FaultNote fault={fault} />}
      <div class="go">
        <button type="button" class="button primary" aria-disabled={isBusy} onClick={() => void publish()}>
          {text(isBusy ? 'editor.publish.busy' : 'editor.publish')}
        </button>
        <button type="button" class="button" onClick={close}>
          {text('dialog.cancel')}
        </button>
      </div>
    </Dialog>
  )
}
