// The question before the candidate goes back to where they were before the assessment.
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { leave, stay } from '../route.ts'
import { deadline } from '../time.ts'

export function Leave() {
  const dialog = useRef<HTMLDialogElement>(null)
  const [isStuck, setStuck] = useState(false)
  useLayoutEffect(() => {
    const shown = dialog.current!
    shown.showModal()
    return () => shown.close() // returns the focus
  }, [])
  const go = () => {
    leave()
    // A new tab has nowhere to go back to.
    setTimeout(setStuck, 500, true)
  }
  return (
    <dialog
      ref={dialog}
      aria-labelledby="leave"
      onCancel={(event) => {
        event.preventDefault()
        stay()
      }}
    >
      <h2 id="leave">{text('leave.title')}</h2>
      <p>{text(deadline.value === undefined ? 'leave.text' : 'leave.clock')}</p>
      <p role="status">{isStuck ? text('leave.stuck') : ''}</p>
      <p class="go">
        <button type="button" class="button primary" onClick={stay}>
          {text('leave.stay')}
        </button>
        <button type="button" class="button" onClick={go}>
          {text('leave.leave')}
        </button>
      </p>
    </dialog>
  )
}
