// Asks for the second factor again, before a request that exports or destroys much is repeated.
import { render } from 'preact'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Dialog } from '../core/dialogs.tsx'
import { addStyles } from '../core/styles.ts'
import { ProofForm } from './proof.tsx'
import styles from './second_factor.css?text'

let asking: Promise<boolean> | undefined

/** askAgain shows one dialog, also for several requests. It returns whether the person has proved the second factor. */
export function askAgain(): Promise<boolean> {
  return (asking ??= show().finally(() => (asking = undefined)))
}

async function show(): Promise<boolean> {
  addStyles(styles)
  const answer = await ask(v1.GET('/v1/me/second-factors'))
  if (!answer.ok) return false
  const host = document.body.appendChild(document.createElement('div'))
  const isProved = await new Promise<boolean>((done) =>
    render(
      <Dialog title={text('secondFactor.again.title')} close={() => done(false)}>
        <p class="second-factor-lead">{text('secondFactor.again.text')}</p>
        <ProofForm
          methods={methodsOf(answer.data)}
          options={() => ask(v1.POST('/v1/me/reauthentication/passkey-options'))}
          send={(body) => ask(v1.POST('/v1/me/reauthentication', { body }))}
          done={() => done(true)}
        />
      </Dialog>,
      host,
    ),
  )
  render(null, host)
  host.remove()
  return isProved
}

function methodsOf({ factors, recoveryCodesLeft }: Schemas['SecondFactors']): string[] {
  return [...factors.map(({ type }) => type), ...(recoveryCodesLeft > 0 ? ['RECOVERY_CODE'] : [])]
}
