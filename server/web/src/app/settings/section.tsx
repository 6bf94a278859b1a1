// What the sections of the settings share.
import type { ComponentChildren } from 'preact'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Answer, type Schemas } from '../core/api.ts'
import { Form } from '../core/forms.tsx'
import { needs } from '../core/roles.ts'

export type Organization = Schemas['Organization']
type Change = Schemas['OrganizationUpdate']

export interface SectionProps {
  /** The name of the section, which is also that of its form. */
  name: string
  organization: Organization
  /** Takes what the server returned after a change. */
  changed(organization: Organization): void
}

interface SaveProps extends SectionProps {
  /** The fields of the request. */
  change(): Change
  check?: () => Record<string, string>
  children: ComponentChildren
}

/** Save is the form of a section. */
export function Save({ name, change, changed, check, children }: SaveProps) {
  const reason = needs('ADMIN')
  const send = (): Promise<Answer<Organization>> => ask(v1.PATCH('/v1/organization', { body: change() }))
  return (
    <Form
      draft={name}
      label={text('settings.save')}
      {...(check && { check })}
      send={send}
      done={changed}
      reason={reason}
    >
      <fieldset disabled={reason !== undefined}>{children}</fieldset>
    </Form>
  )
}
