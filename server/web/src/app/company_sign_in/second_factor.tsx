// Whether the organization requires a second factor after a password.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Answer, type Schemas } from '../core/api.ts'
import { CheckField, Form } from '../core/forms.tsx'
import { me } from '../core/me.ts'
import { notify } from '../core/notices.tsx'
import { useQuery } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { Loaded } from '../core/states.tsx'

type Organization = Schemas['Organization']

export function SecondFactor() {
  const query = useQuery('/v1/organization', () => ask(v1.GET('/v1/organization')))
  return (
    <Loaded query={query}>
      {({ secondFactorRequired }) => <Requirement before={secondFactorRequired} changed={query.set} />}
    </Loaded>
  )
}

function Requirement({ before, changed }: { before: boolean; changed(organization: Organization): void }) {
  const [isRequired, setRequired] = useState(before)
  // An owner who requires it must be able to come in.
  const lacksOwn = !before && isRequired && !me.value!.hasSecondFactor
  const reason = needs('OWNER')
  const send = (): Promise<Answer<Organization>> =>
    ask(v1.PATCH('/v1/organization', { body: { secondFactorRequired: isRequired } }))
  return (
    <Form
      draft="second-factor"
      label={text('settings.save')}
      send={send}
      done={(organization) => {
        me.value = { ...me.value!, organization }
        changed(organization)
        notify(text('settings.saved'))
      }}
      reason={reason ?? (lacksOwn ? text('companySignIn.secondFactor.own') : undefined)}
    >
      <fieldset disabled={reason !== undefined}>
        <CheckField
          label={text('companySignIn.secondFactor.require')}
          hint={text('companySignIn.secondFactor.hint')}
          isChecked={isRequired}
          change={setRequired}
        />
      </fieldset>
    </Form>
  )
}
