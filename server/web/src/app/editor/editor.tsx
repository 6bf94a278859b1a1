// The editor of an assessment, at /assessments/:id/edit. Only a draft can be changed.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import type { Fault } from '../core/api.ts'
import { Icon } from '../core/icons.tsx'
import { notify } from '../core/notices.tsx'
import { Menu } from '../core/menu.tsx'
import { Action, Page } from '../core/page.tsx'
import { needs } from '../core/roles.ts'
import { useShortcuts } from '../core/shortcuts.tsx'
import { Empty, FaultNote, Rows } from '../core/states.tsx'
import { to, useAddress } from '../core/url.ts'
import { addQuestion, addStage, stepFocused } from './actions.ts'
import { useWantedFocus } from './focus.ts'
import { ConflictDialog, Paper, PasteDialog, preload, PublishDialog, SettingsPart } from './lazy.ts'
import { Outline } from './outline.tsx'
import type { PaperKind } from './paper.tsx'
import { open } from './open.ts'
import { parsePlace, positionOf } from './places.ts'
import { StageView } from './stage.tsx'
import { PickerDialog } from '../pools/lazy.ts'
import { shownStage, type Editor } from './state.ts'
import { DuplicateButton, TakeButton } from './take.tsx'

export default function Screen({ params }: { params: Record<string, string> }) {
  const id = params.id!
  const [editor, setEditor] = useState<Editor>()
  const [fault, setFault] = useState<Fault>()
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    let isLeft = false
    let opened: Editor | undefined
    setEditor(undefined)
    setFault(undefined)
    void open(id, { merged: () => notify(text('editor.merged')) }).then((answer) => {
      if (answer.ok && isLeft) void answer.data.close()
      else if (answer.ok) setEditor((opened = answer.data))
      else if (!isLeft) setFault(answer.fault)
    })
    return () => {
      isLeft = true
      void opened?.close()
    }
  }, [id, attempt])
  if (fault) {
    return (
      <Page title={text('editor.heading')} crumbs={[crumb()]}>
        <FaultNote fault={fault} retry={() => setAttempt(attempt + 1)} />
      </Page>
    )
  }
  if (editor) return <Opened key={editor.id} editor={editor} />
  return (
    <Page title={text('editor.heading')} crumbs={[crumb()]}>
      <Rows />
    </Page>
  )
}

const crumb = () => ({ label: text('nav.assessments'), href: to('/assessments') })

type Open = 'publish' | 'conflict' | 'paste' | 'bank'

function Opened({ editor }: { editor: Editor }) {
  const address = useAddress()
  const [dialog, setDialog] = useState<Open>()
  const [paper, setPaper] = useState<PaperKind>()
  const part = address.query.part === 'settings' ? 'settings' : 'questions'
  const { title } = editor.doc.value.settings
  const Bar = editor.drafting?.Bar
  const status = editor.status.value
  const go = (place: string) => {
    const isSetting = parsePlace(place).kind === 'setting'
    address.change({ part: isSetting ? 'settings' : undefined })
    editor.show(place)
  }
  useWantedFocus(editor)
  useAddressedPart(editor)
  useEditorShortcuts(editor)
  useEffect(() => {
    if (!editor.isReadOnly) preload()
  }, [editor])
  // A new conflict opens the comparison. It can be closed and opened again.
  useEffect(() => {
    if (status.kind === 'conflict') setDialog('conflict')
  }, [status.kind])

  const isDraft = editor.detail.value.status === 'DRAFT'
  const overview = { label: text('editor.overview'), href: to(`/assessments/${editor.id}`) }
  const crumbs = isDraft ? [crumb()] : [crumb(), overview]
  const tab = (name: 'questions' | 'settings') => ({
    label: text(`editor.part.${name}`),
    href: address.with({ part: name === 'settings' ? name : undefined }),
    isCurrent: part === name,
  })
  return (
    <Page
      title={title.trim() || text('editor.untitled')}
      crumbs={crumbs}
      beside={<StatusTag editor={editor} />}
      actions={
        <>
          <PrintMenu print={setPaper} />
          <TakeButton editor={editor} incomplete={() => setDialog('publish')} />
          {isDraft ? (
            <Action kind="primary" reason={needs('EDITOR')} act={() => setDialog('publish')}>
              {text('editor.publish')}
            </Action>
          ) : (
            <DuplicateButton editor={editor} />
          )}
        </>
      }
      tabs={[tab('questions'), tab('settings')]}
    >
      {Bar ? (
        <Bar editor={editor} compare={() => setDialog('conflict')} go={go} />
      ) : (
        <p class="note editor-read-only">{text(readOnlyText(editor))}</p>
      )}
      {part === 'settings' ? (
        <SettingsPart editor={editor} />
      ) : (
        <Questions editor={editor} add={setDialog} />
      )}
      {paper && <Paper editor={editor} kind={paper} close={() => setPaper(undefined)} />}
      {dialog === 'publish' && <PublishDialog editor={editor} go={go} close={() => setDialog(undefined)} />}
      {dialog === 'paste' && (
        <PasteDialog
          editor={editor}
          after={editor.active.peek() ?? shownStage(editor)!.key}
          close={() => setDialog(undefined)}
        />
      )}
      {dialog === 'bank' && (
        <PickerDialog
          editor={editor}
          after={editor.active.peek() ?? shownStage(editor)!.key}
          close={() => setDialog(undefined)}
        />
      )}
      {dialog === 'conflict' && status.kind === 'conflict' && (
        <ConflictDialog editor={editor} conflicts={status.conflicts} close={() => setDialog(undefined)} />
      )}
    </Page>
  )
}

function PrintMenu({ print }: { print(kind: PaperKind): void }) {
  return (
    <Menu
      label={text('editor.print')}
      items={[
        { label: text('editor.print.blank'), act: () => print('blank') },
        { label: text('editor.print.keys'), act: () => print('keys') },
      ]}
    >
      <Icon name="print" />
      {text('editor.print')}
    </Menu>
  )
}

function StatusTag({ editor }: { editor: Editor }) {
  const { status } = editor.detail.value
  if (status === 'PUBLISHED') return <span class="tag good">{text('editor.status.published')}</span>
  return <span class="tag">{text(status === 'DRAFT' ? 'editor.status.draft' : 'editor.status.archived')}</span>
}

function readOnlyText(editor: Editor) {
  const { status } = editor.detail.value
  if (status === 'DRAFT') return 'editor.readOnly.role'
  return status === 'PUBLISHED' ? 'editor.readOnly.published' : 'editor.readOnly.archived'
}

function Questions({ editor, add }: { editor: Editor; add(dialog: 'paste' | 'bank'): void }) {
  const stage = shownStage(editor)
  const faults = editor.faults.value
  const faulty = useMemo(() => new Set(faults?.map(({ place }) => parsePlace(place).key ?? '')), [faults])
  const isNarrow = useMedia('(max-width: 860px)')
  const outline = <Outline editor={editor} shown={stage?.key} faulty={faulty} />
  return (
    <div class="editor">
      {isNarrow ? (
        <details class="editor-side-box">
          <summary>
            {text('editor.outline')}
            <Icon name="down" />
          </summary>
          {outline}
        </details>
      ) : (
        <div class="editor-side-box">{outline}</div>
      )}
      {stage ? (
        <StageView
          key={stage.key}
          editor={editor}
          stage={stage}
          position={editor.doc.value.stages.indexOf(stage) + 1}
          faulty={faulty}
          add={add}
        />
      ) : (
        <NoStages editor={editor} />
      )}
    </div>
  )
}

function useMedia(query: string): boolean {
  const [list] = useState(() => matchMedia(query))
  const [, update] = useState({})
  useEffect(() => {
    const change = () => update({})
    list.addEventListener('change', change)
    return () => list.removeEventListener('change', change)
  }, [list])
  return list.matches
}

function NoStages({ editor }: { editor: Editor }) {
  const add = (
    <button type="button" class="button" onClick={() => addStage(editor)}>
      <Icon name="plus" />
      {text('editor.stage.add')}
    </button>
  )
  return (
    <Empty icon="assessments" title={text('editor.stage.none')} action={!editor.isReadOnly && add}>
      {text('editor.stage.none.text')}
    </Empty>
  )
}

/** The open form is in the address (`at`), so that a link can name a question. */
function useAddressedPart(editor: Editor): void {
  const address = useAddress()
  const active = editor.active.value
  useEffect(() => {
    const { at } = address.query
    const position = at === undefined ? undefined : positionOf(editor.doc.peek(), at)
    if (!position) return
    const isStage = position.question === undefined && position.pool === undefined
    editor.show(isStage ? `/s/${at}/title` : position.pool ? `/p/${at}/tags` : `/q/${at}/prompt`)
  }, [editor])
  useEffect(() => {
    if (active !== undefined) address.change({ at: active }, true)
  }, [active])
}

function useEditorShortcuts(editor: Editor): void {
  useShortcuts(
    editor.isReadOnly
      ? []
      : [
          { keys: 'Ctrl+Z', label: text('editor.undo.label'), act: () => void editor.undo() },
          { keys: 'Ctrl+Shift+Z', label: text('editor.redo.label'), act: () => void editor.redo() },
          { keys: 'Ctrl+Y', label: text('editor.redo.label'), act: () => void editor.redo() },
          { keys: 'Ctrl+S', label: text('editor.shortcut.save'), act: () => void editor.save() },
          {
            keys: 'Ctrl+Enter',
            label: text('editor.question.addBelow'),
            act: () => addQuestion(editor, editor.active.peek() ?? shownStage(editor)?.key ?? ''),
          },
          {
            keys: 'Alt+ArrowUp',
            label: text('editor.shortcut.up'),
            act: (event: KeyboardEvent) => stepFocused(editor, event.target as Element, -1),
          },
          {
            keys: 'Alt+ArrowDown',
            label: text('editor.shortcut.down'),
            act: (event: KeyboardEvent) => stepFocused(editor, event.target as Element, 1),
          },
        ],
    [editor],
  )
}
