// Whether the candidates get an email, and what is in it.
import { text } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { day } from '../core/formats.tsx'
import { CheckField } from '../core/forms.tsx'
import { needs } from '../core/roles.ts'
import { me } from '../core/me.ts'
import { to } from '../core/url.ts'

export type Assessment = Schemas['AssessmentDetail']

export function sendsByDefault(): boolean {
  const { emailEnabled, sendInviteEmail } = me.value!.organization
  return emailEnabled && sendInviteEmail
}

/** expiryOf returns until when a candidate who is invited now can start, as far as the page knows. The server decides. */
export function expiryOf({ inviteExpiryDays, closesAt }: Assessment): Date {
  return new Date(Math.min(Date.now() + inviteExpiryDays * 86_400_000, closesAt ? Date.parse(closesAt) : Infinity))
}

interface Props {
  assessment: Assessment
  isChecked: boolean
  isMany?: boolean
  change(isChecked: boolean): void
}

export function EmailChoice({ assessment, isChecked, isMany, change }: Props) {
  const { emailEnabled, mailFromName, name } = me.value!.organization
  const values = { from: mailFromName ?? name, until: day(expiryOf(assessment)) }
  return (
    <>
      <CheckField
        label={text(isMany ? 'invite.email.many' : 'invite.email')}
        hint={isChecked ? text('invite.email.hint', values) : text('invite.email.without', values)}
        isChecked={isChecked}
        change={change}
        reason={emailEnabled ? undefined : text('invite.email.disabled')}
      />
      {emailEnabled && <EmailTextsLink id={assessment.id} />}
    </>
  )
}

/** EmailTextsLink leads to the texts of the emails, for people who may change them. What was entered here stays open. */
function EmailTextsLink({ id }: { id: string }) {
  if (needs('EDITOR')) return null
  return (
    <p class="small invite-texts">
      <a href={`${to(`/assessments/${id}/settings`)}#email-texts`} target="_blank" rel="noopener">
        {text('invite.email.texts')}
      </a>
    </p>
  )
}
