// Erasing all data about a person.
import { useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import { addressKey } from '../../shared/text.ts'
import { ask, v1, type Fault, type Schemas } from '../core/api.ts'
import { Dialog } from '../core/dialogs.tsx'
import { forget } from '../core/query.ts'
import { FaultNote } from '../core/states.tsx'

type Erasure = Schemas['CandidateDataErasure']

interface Props {
  email: string
  /** Takes the sum of all requests. */
  done(erasure: Erasure): void
  close(): void
}

/** EraseDialog asks for the address, because nothing brings the data back. */
export function EraseDialog({ email, done, close }: Props) {
  const [typed, setTyped] = useState('')
  const [progress, setProgress] = useState<Erasure>()
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault>()
  const isSame = addressKey(typed.trim()) === addressKey(email)
  const erase = async (event: Event) => {
    event.preventDefault()
    if (!isSame || isBusy) return
    setBusy(true)
    setFault(undefined)
    const failed = await repeat(email, setProgress, (sum) => {
      forget('/v1/')
      done(sum)
      close()
    })
    setBusy(false)
    setFault(failed)
  }
  return (
    <Dialog title={text('protection.erase.title')} close={isBusy ? undefined : close}>
      <p>{text('protection.erase.text')}</p>
      <p>{text('protection.erase.held')}</p>
      <form class="erase-form" onSubmit={(event) => void erase(event)}>
        <label class="form-row">
          {rich('protection.erase.type', { email: <b translate={false}>{email}</b> })}
          <input
            class="field"
            inputMode="email"
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </label>
        <p role="status">
          {progress && text('protection.erase.progress', { erased: progress.erased, remaining: progress.remaining })}
        </p>
        {fault && <FaultNote fault={fault} />}
        <div class="go">
          <button class="button danger" aria-disabled={!isSame || isBusy}>
            {text('protection.erase.submit')}
          </button>
          <button type="button" class="button" aria-disabled={isBusy} onClick={() => isBusy || close()}>
            {text('dialog.cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** repeat erases until nothing is left, because one request erases at most 50 sessions. */
async function repeat(
  email: string,
  progress: (sum: Erasure) => void,
  done: (sum: Erasure) => void,
): Promise<Fault | undefined> {
  for (let erased = 0; ; ) {
    const answer = await ask(v1.POST('/v1/candidate-data/erase', { body: { email } }))
    if (!answer.ok) return answer.fault
    erased += answer.data.erased
    const sum = { ...answer.data, erased }
    progress(sum)
    // A request that erases nothing would repeat forever.
    if (sum.remaining === 0 || answer.data.erased === 0) return void done(sum)
  }
}
