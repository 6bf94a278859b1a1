// Native dialogs: questions, and drawers at the side.
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import type { Fault } from './api.ts'
import { Icon } from './icons.tsx'
import { FaultNote } from './states.tsx'

interface Props {
  title: string
  /** Called for Escape, the close button, and a press beside the dialog. Without it, the dialog stays open. */
  close?: (() => void) | undefined
  children: ComponentChildren
  /** A drawer stands at the side of the page and is as high as the window. */
  kind?: 'drawer' | 'wide' | undefined
}

let count = 0

/** Dialog is open while it is rendered. The browser keeps the focus inside, and returns it afterwards. */
export function Dialog({ title, close, children, kind }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [id] = useState(() => `dialog-${++count}`)
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    // The browser would begin at the close button.
    dialog.current?.querySelector<HTMLElement>('.dialog-body form .field:not([readonly])')?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={kind}
      aria-labelledby={id}
      onCancel={(event) => {
        if (event.target !== dialog.current) return
        event.preventDefault()
        close?.()
      }}
      // Chromium closes a dialog at the second Escape, whatever the page does.
      onClose={() => (close ? close() : dialog.current?.showModal())}
      onMouseDown={(event) => event.target === event.currentTarget && isBeside(event, event.currentTarget) && close?.()}
    >
      <div class="dialog-head">
        <h2 id={id}>{title}</h2>
        {close && (
          <button type="button" class="icon-button" aria-label={text('dialog.close')} onClick={close}>
            <Icon name="close" />
          </button>
        )}
      </div>
      <div class="dialog-body">{children}</div>
    </dialog>
  )
}

/** isBeside reports whether a press is on the backdrop, and not on the scroll bar of the dialog. */
function isBeside({ clientX, clientY }: MouseEvent, dialog: HTMLElement): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}

interface ConfirmProps {
  title: string
  children: ComponentChildren
  /** The label of the button, which names the action: "Delete", not "OK". */
  label: string
  isDanger?: boolean
  /** Runs the action. It returns a fault if the action did not succeed. */
  act(): Promise<Fault | undefined>
  close(): void
}

/** Confirm asks before an action that cannot be undone. It closes when the action has succeeded. */
export function Confirm({ title, children, label, isDanger, act, close }: ConfirmProps) {
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault>()
  const run = async () => {
    if (isBusy) return
    setBusy(true)
    const failed = await act()
    setBusy(false)
    setFault(failed)
    if (!failed) close()
  }
  return (
    <Dialog title={title} close={close}>
      {children}
      {fault && <FaultNote fault={fault} />}
      <div class="go">
        <button
          type="button"
          class={isDanger ? 'button danger' : 'button primary'}
          aria-disabled={isBusy}
          onClick={() => void run()}
        >
          {label}
        </button>
        <button type="button" class="button" onClick={close}>
          {text('dialog.cancel')}
        </button>
      </div>
    </Dialog>
  )
}
