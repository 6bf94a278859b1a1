// The end of the assessment.
import type { ComponentChildren } from 'preact'
import { Html } from '../../shared/html.tsx'
import { dateAndTime, rich, text } from '../../shared/i18n.tsx'
import { notArrived } from '../missed.ts'
import { entries } from '../saving.ts'
import { taking } from '../session.ts'
import { Leaving } from './leaving.tsx'
import { MissedAnswers } from './missed.tsx'
import { Contact, Heading, Sheet } from './page.tsx'

export function End() {
  const { assessment, organization, status, closeReason, completedAt, correctedAt, redirectUrl } = taking.value!
  const name = { organization: organization.name }
  const dated = (key: 'end.date' | 'end.corrected', at: string | null) =>
    at && <p class="muted">{text(key, { date: dateAndTime(new Date(at), organization.timeZone ?? undefined) })}</p>
  // The closing message is written for candidates who finish.
  if (status === 'DISQUALIFIED') {
    return (
      <Sheet>
        <Heading>{text('end.title')}</Heading>
        <p>{rich('end.gate.text', name)}</p>
        <p>{rich('end.gate.answers', name)}</p>
        {dated('end.corrected', correctedAt)}
        <MissedAnswers />
        <p>
          <Whom about="end.gate.review" />
        </p>
      </Sheet>
    )
  }
  const ending = closeReason === 'TIME_EXPIRED' ? 'end.timeUp' : closeReason === 'ABANDONED' ? 'end.abandoned' : 'end'
  // Answers that did not arrive, and answers that may have arrived without a response.
  const hasOpenAnswers = notArrived.value.length > 0 || [...entries.value.values()].some(({ pending }) => pending)
  return (
    <Sheet>
      <Heading>{text(`${ending}.title`)}</Heading>
      <p>{rich(`${ending}.text`, name)}</p>
      {dated('end.date', completedAt)}
      {dated('end.corrected', correctedAt)}
      {assessment.closingMessageHtml && <Html html={assessment.closingMessageHtml} />}
      <MissedAnswers />
      <p>
        <Whom about="end.questions" />
      </p>
      {redirectUrl && <Leaving to={redirectUrl} message={assessment.closingMessage ?? ''} stay={hasOpenAnswers} />}
    </Sheet>
  )
}

/** Whom says whom to ask. Without a support address, it names the organization. */
function Whom({ about }: { about: 'end.questions' | 'end.gate.review' }): ComponentChildren {
  const { name, supportEmail } = taking.value!.organization
  if (!supportEmail) return rich(`${about}.organization`, { organization: name })
  return rich(`${about}.email`, { email: <Contact />, organization: name })
}
