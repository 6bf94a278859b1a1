// The bar above the editor: what is saved, undo and redo, and what is missing before publishing.
import { useEffect, useRef } from 'preact/hooks'
import { announce } from '../../shared/announce.ts'
import { text } from '../../shared/i18n.tsx'
import { Icon, type IconName } from '../core/icons.tsx'
import { messageOf } from '../core/states.tsx'
import { faultText, whereText } from './fault_texts.ts'
import type { Editor } from './state.ts'
import { Tool } from './tool.tsx'

interface Props {
  editor: Editor
  /** Shows what two editors have changed. */
  compare(): void
  /** Goes to the field of a fault. */
  go(place: string): void
}

export function Bar({ editor, compare, go }: Props) {
  const { past, future } = editor.history.value
  return (
    <div class="editor-bar">
      <SaveState editor={editor} compare={compare} go={go} />
      <div class="editor-bar-tools">
        <Tool icon="undo" label={text('editor.undo.label')} isDisabled={past.length === 0} act={() => editor.undo()} />
        <Tool
          icon="redo"
          label={text('editor.redo.label')}
          isDisabled={future.length === 0}
          act={() => editor.redo()}
        />
        <Faults editor={editor} go={go} />
      </div>
    </div>
  )
}

function SaveState({ editor, compare, go }: Props) {
  const status = editor.status.value
  const isKept = editor.isKept.value
  const [icon, message] = stateOf(editor)
  const isTrouble = !['saved', 'waiting', 'saving'].includes(status.kind)
  useEffect(() => {
    if (isTrouble) announce(message)
  }, [isTrouble, status.kind])
  return (
    <div class={isTrouble || !isKept ? 'editor-state trouble' : 'editor-state'} data-state={status.kind}>
      <Icon name={icon} />
      <p>
        <span>{message}</span>{' '}
        {status.kind === 'conflict' && (
          <button type="button" class="link-button" onClick={compare}>
            {text('editor.state.compare')}
          </button>
        )}
        {status.kind === 'unreachable' && (
          <button type="button" class="link-button" onClick={() => void editor.save()}>
            {text('editor.state.now')}
          </button>
        )}
        {status.kind === 'held' && (
          <button type="button" class="link-button" onClick={() => go(`/${Object.keys(status.fields)[0]}`)}>
            {text('editor.state.held.show')}
          </button>
        )}
      </p>
    </div>
  )
}

function stateOf(editor: Editor): [IconName, string] {
  const status = editor.status.value
  const kept = text(editor.isKept.value ? 'editor.state.kept' : 'editor.state.notKept')
  switch (status.kind) {
    case 'saved':
      return ['check', text('editor.state.saved')]
    case 'waiting':
    case 'saving':
      return ['clock', text('editor.state.saving')]
    case 'unreachable': {
      const reason = status.fault.status === 0 ? 'editor.state.offline' : 'editor.state.unavailable'
      return ['cloudOff', `${text(reason)} ${kept}`]
    }
    case 'held':
      return ['warning', text('editor.state.held', { count: Object.keys(status.fields).length })]
    case 'conflict':
      return ['warning', `${text('editor.state.conflict')} ${kept}`]
    case 'refused':
      return ['warning', `${text('editor.state.refused', { reason: messageOf(status.fault) })} ${kept}`]
    case 'ended':
      return ['warning', text(status.fault.status === 404 ? 'editor.state.deleted' : 'editor.state.published')]
  }
}

/** How many faults the list shows. An assessment of 500 empty questions has a thousand. */
const maxShown = 50

/** Faults is the list of what is missing. Its entries link to their fields. */
function Faults({ editor, go }: Pick<Props, 'editor' | 'go'>) {
  const menu = useRef<HTMLDetailsElement>(null)
  const faults = editor.faults.value
  useEffect(() => {
    const outside = (event: Event) => {
      if (menu.current && !menu.current.contains(event.target as Node)) menu.current.open = false
    }
    addEventListener('click', outside)
    return () => removeEventListener('click', outside)
  }, [])
  if (!faults) return null
  if (faults.length === 0) {
    return (
      <span class="tag good">
        <Icon name="check" />
        {text('editor.faults.none')}
      </span>
    )
  }
  return (
    <details
      class="editor-faults"
      ref={menu}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !menu.current?.open) return
        menu.current.open = false
        menu.current.querySelector('summary')?.focus()
      }}
    >
      <summary>
        <span class="tag warn">
          <Icon name="warning" />
          <span>{text('editor.faults.count', { count: faults.length })}</span>
          <Icon name="down" />
        </span>
      </summary>
      <div class="menu">
        <FaultList
          editor={editor}
          go={(place) => {
            if (menu.current) menu.current.open = false
            go(place)
          }}
        />
      </div>
    </details>
  )
}

export function FaultList({ editor, go }: Pick<Props, 'editor' | 'go'>) {
  const faults = editor.faults.value ?? []
  return (
    <>
      <ul class="editor-fault-list">
        {faults.slice(0, maxShown).map((fault) => (
          <li key={`${fault.place} ${fault.field}`}>
            <button type="button" onClick={() => go(fault.place)}>
              <span class="muted small">{whereText(editor, fault.place)}</span>
              <span>{faultText(fault)}</span>
            </button>
          </li>
        ))}
      </ul>
      {faults.length > maxShown && (
        <p class="muted small">{text('editor.faults.more', { count: faults.length - maxShown })}</p>
      )}
    </>
  )
}
