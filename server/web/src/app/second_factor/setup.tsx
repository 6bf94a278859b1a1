// What a person sees who must add a second factor first.
import { useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import { hasPasskeys } from '../../shared/passkey.ts'
import { ask, v1 } from '../core/api.ts'
import { notify } from '../core/notices.tsx'
import { Action } from '../core/page.tsx'
import { me } from '../core/me.ts'
import { messageOf } from '../core/states.tsx'
import { addStyles } from '../core/styles.ts'
import { Sheet } from '../sign-in/sheet.tsx'
import { AddSecondFactor, type Type } from './add.tsx'
import styles from './second_factor.css?text'

export function Setup() {
  addStyles(styles)
  const [type, setType] = useState<Type>()
  const { organization, email } = me.value!
  const done = async () => {
    const answer = await ask(v1.GET('/v1/me'))
    if (answer.ok) me.value = answer.data
    else notify(messageOf(answer.fault))
  }
  const lead = rich('secondFactor.required.text', { organization: organization.name })
  return (
    <Sheet title={text('secondFactor.required.title')} lead={lead} foot={<Foot email={email} />}>
      {type ? (
        <>
          <AddSecondFactor key={type} type={type} done={() => void done()} />
          <p class="second-factor-back">
            <button type="button" class="link-button" onClick={() => setType(undefined)}>
              {text('secondFactor.required.other')}
            </button>
          </p>
        </>
      ) : (
        <div class="second-factor-choice">
          <Choice type="TOTP" choose={setType} />
          {hasPasskeys() && <Choice type="PASSKEY" choose={setType} />}
        </div>
      )}
    </Sheet>
  )
}

function Choice({ type, choose }: { type: Type; choose(type: Type): void }) {
  return (
    <div>
      <Action act={() => choose(type)}>{text(`secondFactor.add.${type}`)}</Action>
      <p class="hint">{text(`secondFactor.about.${type}`)}</p>
    </div>
  )
}

function Foot({ email }: { email: string }) {
  const leave = () =>
    void import('../sign-out/sign_out.tsx').then(
      ({ signOut }) => signOut(),
      () => notify(text('nav.signOut.failed')),
    )
  return (
    <p>
      <span translate={false}>{email}</span>{' '}
      <button type="button" class="link-button" onClick={leave}>
        {text('nav.signOut')}
      </button>
    </p>
  )
}
