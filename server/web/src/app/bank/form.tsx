// The form of a question of the bank. Its fields are those of the editor of an assessment.
import { useEffect, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { newKey } from '../core/keys.ts'
import { lazy } from '../core/lazy.ts'
import { notify } from '../core/notices.tsx'
import { useShortcuts } from '../core/shortcuts.tsx'
import { FaultNote } from '../core/states.tsx'
import { stepFocused } from '../editor/actions.ts'
import { useWantedFocus } from '../editor/focus.ts'
import { QuestionFields } from '../editor/question_fields.tsx'
import type { BankQuestion } from './base.ts'
import { Conflict } from './conflict.tsx'
import type { BankEditor } from './state.ts'
import { TagField } from './tag_field.tsx'

const DraftNote = lazy(async () => (await import('../core/draft.tsx')).DraftNote)

interface Props {
  editor: BankEditor
  saved(question: BankQuestion): void
  /** Called after "Save and add another", which only another question has. */
  another?(question: BankQuestion): void
  /** Ends the editing of a question without saving. */
  cancel?(): void
}

export function QuestionForm({ editor, saved, another, cancel }: Props) {
  // A repeated attempt has the same key, so that a lost response creates no second question.
  const [key, setKey] = useState(newKey)
  const base = editor.base.value
  const fault = editor.fault.value
  const theirs = editor.theirs.value
  const isBusy = editor.isBusy.value
  const isIdle = base !== undefined && !editor.isDirty.value
  useWantedFocus(editor)
  useEffect(() => {
    editor.wanted.value = `/q/${editor.question.peek().key}/prompt`
  }, [editor])
  const save = async (done: (question: BankQuestion) => void) => {
    if (isBusy) return
    const question = await editor.save(key)
    const failed = editor.fault.peek()
    // A lost response can be repeated. A refused request can be changed, and is another one then.
    if (question || (failed && failed.status !== 0 && failed.status < 500)) setKey(newKey())
    if (!question) return
    notify(text('bank.saved'))
    done(question)
  }
  // A shortcut that is pressed twice must not save over what somebody else has written.
  const saveWith = (done: (question: BankQuestion) => void) => () => void (!editor.theirs.peek() && save(done))
  useFormShortcuts(editor, saveWith(saved), another && saveWith(another))
  const label = theirs ? 'bank.conflict.over' : base ? 'bank.save' : 'bank.create'
  return (
    <section class="editor-form" aria-label={text('bank.question')}>
      {editor.isBack.value && <DraftNote discard={() => editor.discard()} />}
      {theirs && <Conflict theirs={theirs.data} take={() => editor.discard()} />}
      <QuestionFields editor={editor} question={editor.question.value} />
      <TagField editor={editor} />
      {fault && <FaultNote fault={fault} />}
      {(editor.faults.value?.length ?? 0) > 0 && (
        <p class="error" role="alert">
          {text('form.faults')}
        </p>
      )}
      <div class="go">
        <button
          type="button"
          class="button primary"
          aria-disabled={isBusy || isIdle}
          title={isIdle ? text('bank.save.idle') : undefined}
          onClick={() => !isIdle && void save(saved)}
        >
          {text(isBusy ? 'form.busy' : label)}
        </button>
        {another && (
          <button type="button" class="button" aria-disabled={isBusy} onClick={() => void save(another)}>
            {text('bank.create.another')}
          </button>
        )}
        {cancel && (
          <button type="button" class="button" onClick={cancel}>
            {text(editor.isDirty.value ? 'bank.discard' : 'dialog.cancel')}
          </button>
        )}
      </div>
      {base && editor.isContentDirty.value && (
        <p class="hint">{text('bank.save.version', { version: base.data.version + 1 })}</p>
      )}
    </section>
  )
}

function useFormShortcuts(editor: BankEditor, save: () => void, another: (() => void) | undefined): void {
  useShortcuts(
    [
      { keys: 'Ctrl+S', label: text('bank.save'), act: save },
      ...(another ? [{ keys: 'Ctrl+Enter', label: text('bank.create.another'), act: another }] : []),
      { keys: 'Ctrl+Z', label: text('editor.undo.label'), act: () => editor.undo() },
      { keys: 'Ctrl+Shift+Z', label: text('editor.redo.label'), act: () => editor.redo() },
      { keys: 'Ctrl+Y', label: text('editor.redo.label'), act: () => editor.redo() },
      ...([-1, 1] as const).map((by) => ({
        keys: by < 0 ? 'Alt+ArrowUp' : 'Alt+ArrowDown',
        label: text(by < 0 ? 'editor.shortcut.up' : 'editor.shortcut.down'),
        act: (event: KeyboardEvent) => stepFocused(editor, event.target as Element, by),
      })),
    ],
    [editor, save],
  )
}
