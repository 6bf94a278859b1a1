// Saves a question of the assessment to the bank. From then on, the assessment has a copy of it.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { Dialog } from '../core/dialogs.tsx'
import { Form } from '../core/forms.tsx'
import { notify } from '../core/notices.tsx'
import { forget } from '../core/query.ts'
import { questionInput } from '../editor/contract.ts'
import { setQuestion, type Question } from '../editor/model.ts'
import type { Editor } from '../editor/state.ts'
import { TagsField } from './tags.tsx'

interface Props {
  editor: Editor
  question: Question
  close(): void
}

export function KeepDialog({ editor, question, close }: Props) {
  const [tags, setTags] = useState<string[]>([])
  const { key } = question
  const send = (idempotencyKey: string) =>
    ask(
      v1.POST('/v1/questions', {
        params: { header: { 'Idempotency-Key': idempotencyKey } },
        body: { question: questionInput(question, new Map()), tags },
      }),
    )
  return (
    <Dialog title={text('pools.keep')} close={close}>
      <p>{text('pools.keep.text')}</p>
      <Form
        // The question itself is in the editor, and the tags can be changed in the bank.
        draft={undefined}
        label={text('pools.keep')}
        send={send}
        done={({ id, version }) => {
          forget('/v1/questions')
          forget('/v1/question-tags')
          const included = { bankQuestionId: id, bankVersion: version }
          editor.change(setQuestion(editor.doc.peek(), key, included), `/q/${key}/prompt`)
          close()
          editor.show(`/q/${key}/prompt`)
          notify(text('pools.kept'))
        }}
        actions={
          <button type="button" class="button" onClick={close}>
            {text('dialog.cancel')}
          </button>
        }
      >
        <TagsField
          id="pools-keep-tags"
          label={text('pools.keep.tags')}
          hint={text('pools.keep.tags.hint')}
          isOptional
          tags={tags}
          change={setTags}
        />
      </Form>
    </Dialog>
  )
}
