// How members sign in.
import { useState } from 'preact/hooks'
import { rich, text } from '../../shared/i18n.tsx'
import { ask, v1, type Answer } from '../core/api.ts'
import { CheckField, Form } from '../core/forms.tsx'
import { me } from '../core/me.ts'
import { needs } from '../core/roles.ts'
import { to } from '../core/url.ts'
import type { Organization, SectionProps } from './section.tsx'

export function Security({ name, organization, changed }: SectionProps) {
  const before = organization.secondFactorRequired
  const [isRequired, setRequired] = useState(before)
  // An owner who requires it must be able to come in.
  const lacksOwn = !before && isRequired && !me.value!.hasSecondFactor
  const reason = needs('OWNER')
  const send = (): Promise<Answer<Organization>> =>
    ask(v1.PATCH('/v1/organization', { body: { secondFactorRequired: isRequired } }))
  return (
    <Form
      draft={name}
      label={text('settings.save')}
      send={send}
      done={changed}
      reason={reason ?? (lacksOwn ? text('settings.secondFactor.own') : undefined)}
    >
      <CheckField
        label={text('settings.secondFactor')}
        hint={text('settings.secondFactor.hint')}
        isChecked={isRequired}
        change={setRequired}
        reason={reason}
      />
      {lacksOwn && (
        <p>
          {rich('settings.secondFactor.add', { link: <a href={to('/profile')}>{text('settings.secondFactor.profile')}</a> })}
        </p>
      )}
    </Form>
  )
}
