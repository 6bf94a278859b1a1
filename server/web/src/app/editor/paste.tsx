// Questions from pasted lines, read by the operation that imports questions.
import { useEffect, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { Dialog } from '../core/dialogs.tsx'
import { DraftNote } from '../core/draft.tsx'
import { useDraft } from '../core/drafts.ts'
import { number } from '../core/figures.ts'
import { notify } from '../core/notices.tsx'
import { FaultNote } from '../core/states.tsx'
import { loadTexts } from '../core/texts.ts'
import type { Choices, Imported } from '../import/contract.ts'
import importDe from '../import/de.json?url'
import importEn from '../import/en.json?url'
import { allNotes, noteText, severityOf } from '../import/notes.ts'
import { sendSource, usePreview } from '../import/request.ts'
import { addQuestions } from './actions.ts'
import { questionOfInput } from './contract.ts'
import { deleteQuestion, insertQuestions, questionCount, limits, setQuestion, stageOf } from './model.ts'
import type { Editor } from './state.ts'

/** People paste lines here. Files of other formats have the screen of the import, which says how it reads them. */
const lines: Choices = { format: 'TEXT', language: '' }

/** The questions of all stages, because they are added to one. */
const questionsOf = ({ stages }: Imported) => stages.flatMap((stage) => stage.questions)

/**
 * pasteInto puts lines into an empty question as its text. If the server reads them as questions with options, and
 * without a note that a person should see, they replace it. One undo brings back the text.
 */
export async function pasteInto(editor: Editor, key: string, pasted: string): Promise<void> {
  editor.change(setQuestion(editor.doc.peek(), key, { prompt: pasted }), `/q/${key}/prompt`)
  const answer = await sendSource({ text: pasted, name: '' }, lines, {})
  if (!answer.ok) return
  const questions = questionsOf(answer.data)
  const hasOptions = questions.some(({ options }) => (options?.length ?? 0) > 1)
  if (!hasOptions || allNotes(answer.data.report).some((note) => severityOf(note) !== 'INFO')) return
  const doc = editor.doc.peek()
  const stage = stageOf(doc, key)
  const index = stage?.questions.findIndex((question) => question.key === key) ?? -1
  // The person may have gone on meanwhile.
  if (!stage || stage.questions[index]?.prompt !== pasted) return
  if (questionCount(doc.stages) - 1 + questions.length > limits.questions) return
  const added = questions.map(questionOfInput)
  const place = `/q/${added[0]!.key}/prompt`
  editor.change(insertQuestions(deleteQuestion(doc, key), stage.key, index, added), place)
  editor.show(place)
  report(editor, added.length)
}

function report(editor: Editor, count: number): void {
  notify(text('editor.pasted', { count }), { label: text('editor.undo'), act: () => void editor.undo() })
}

interface Props {
  editor: Editor
  /** The question or the stage after which the questions are added. */
  after: string
  close(): void
}

export function PasteDialog({ editor, after, close }: Props) {
  const draft = useDraft('paste', () => '')
  const { imported, fault, isReading, retry } = usePreview({ text: draft.value, name: '' }, lines)
  const questions = imported ? questionsOf(imported) : []
  // The sentences of the notes are texts of the import. Until they are loaded, the notes have those of the server.
  const [, update] = useState({})
  useEffect(() => {
    loadTexts({ de: importDe, en: importEn }).then(
      () => update({}),
      () => undefined,
    )
  }, [])
  const isReady = questions.length > 0 && !isReading && !fault
  const add = () => {
    if (!isReady || !addQuestions(editor, after, questions.map(questionOfInput))) return
    draft.forget()
    close()
    report(editor, questions.length)
  }
  return (
    <Dialog title={text('editor.paste')} close={close} kind="wide">
      <p class="muted">{text('editor.paste.text')}</p>
      <pre class="editor-paste-example">{text('editor.paste.example')}</pre>
      {draft.isBack && <DraftNote discard={draft.drop} />}
      <div class="form-row">
        <label for="editor-paste">{text('editor.paste.lines')}</label>
        <textarea
          id="editor-paste"
          class="field"
          rows={8}
          value={draft.value}
          aria-describedby="editor-paste-found"
          onInput={(event) => draft.set(event.currentTarget.value)}
        />
      </div>
      {fault && <FaultNote fault={fault} retry={retry} />}
      <div id="editor-paste-found" class={isReading ? 'stale' : undefined} role="status">
        {imported && <p>{text('editor.paste.found', { count: questions.length })}</p>}
        {imported && <Notes imported={imported} />}
      </div>
      <div class="go">
        <button type="button" class="button primary" aria-disabled={!isReady} onClick={add}>
          {text('editor.paste.add', { count: questions.length })}
        </button>
        <button type="button" class="button" onClick={close}>
          {text('dialog.cancel')}
        </button>
      </div>
    </Dialog>
  )
}

/** The dialog has room for the first notes. */
const mostNotes = 20

function Notes({ imported }: { imported: Imported }) {
  const notes = allNotes(imported.report).sort((a, b) => (a.line ?? 0) - (b.line ?? 0))
  if (notes.length === 0) return null
  return (
    <ul class="editor-paste-faults">
      {notes.slice(0, mostNotes).map((note, i) => (
        <li key={i}>
          {note.line !== null && text('editor.paste.line', { line: number(note.line) })} {noteText(note)}{' '}
          <code>{note.text}</code>
        </li>
      ))}
    </ul>
  )
}
