// How members of the organization sign in, and how the provider of their company manages them.
import type { ComponentChildren } from 'preact'
import { text } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { Page } from '../core/page.tsx'
import { useQuery } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { Loaded } from '../core/states.tsx'
import { addStyles } from '../core/styles.ts'
import { tabs } from '../settings/tabs.ts'
import styles from './company_sign_in.css?text'
import { Domains } from './domains.tsx'
import { Emergency } from './emergency.tsx'
import { Provider } from './provider.tsx'
import { Provisioning } from './provisioning.tsx'
import { SecondFactor } from './second_factor.tsx'

export default function Screen() {
  addStyles(styles)
  const reason = needs('ADMIN')
  return (
    <Page title={text('settings.title')} tabs={tabs('sign-in')} isNarrow>
      {reason ? <p class="hint">{reason}</p> : <Sections />}
    </Page>
  )
}

function Sections() {
  const query = useQuery('/v1/organization/sign-in-provider', () => ask(v1.GET('/v1/organization/sign-in-provider')))
  return (
    <Loaded query={query}>
      {(provider) => (
        <>
          <Section name="secondFactor">
            <SecondFactor />
          </Section>
          <Section name="domains">
            <Domains />
          </Section>
          <Section name="provider">
            <Provider provider={provider} changed={query.set} removed={query.reload} />
          </Section>
          <Section name="emergency">
            <Emergency left={provider.recoveryCodesLeft} isRequired={provider.required} changed={query.reload} />
          </Section>
          <Section name="provisioning">
            <Provisioning baseUrl={provider.callbackUrl.replace(/\/sign-in\/provider\/callback$/, '/scim/v2')} />
          </Section>
        </>
      )}
    </Loaded>
  )
}

interface SectionProps {
  name: 'secondFactor' | 'domains' | 'provider' | 'emergency' | 'provisioning'
  children: ComponentChildren
}

function Section({ name, children }: SectionProps) {
  return (
    <section id={name} class="card settings-section" aria-labelledby={`${name}-title`}>
      <h2 id={`${name}-title`}>{text(`companySignIn.${name}`)}</h2>
      <p class="settings-lead muted">{text(`companySignIn.${name}.text`)}</p>
      {children}
    </section>
  )
}
