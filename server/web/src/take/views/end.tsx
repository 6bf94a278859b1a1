// The end of the assessment.
import type { ComponentChildren } from 'preact'
import { Html } from '../../shared/html.tsx'
import { rich, text } from '../../shared/i18n.tsx'
import { notArrived } from '../missed.ts'
import { entries } from '../saving.ts'
import { isHeld, taking } from '../session.ts'
import { Leaving } from './leaving.tsx'
import { MissedAnswers } from './missed.tsx'
import { Contact, dateOf, Heading, Sheet } from './page.tsx'
import { Voluntary } from './voluntary.tsx'

export function End() {
  const { assessment, organization, status, closeReason, stages } = taking.value!
  const { completedAt, inReviewSince, correctedAt, redirectUrl, selfIdentification } = taking.value!
  const name = { organization: organization.name }
  const dated = (key: 'end.date' | 'end.corrected', at: string | null) =>
    at && <p class="muted">{text(key, { date: dateOf(at) })}</p>
  const isStopped = status === 'DISQUALIFIED'
  // A gate that asks for a person never ends the assessment by itself.
  const isDecided = stages.filter((stage) => stage.status !== 'NOT_REACHED').pop()?.gate?.onFail === 'REVIEW'
  const ending = isHeld.value
    ? 'end.held'
    : isStopped
      ? 'end.gate'
      : closeReason === 'TIME_EXPIRED'
        ? 'end.timeUp'
        : closeReason === 'ABANDONED'
          ? 'end.abandoned'
          : 'end'
  const more = isHeld.value
    ? 'end.held.next'
    : isStopped
      ? isDecided
        ? 'end.gate.person'
        : 'end.gate.answers'
      : status === 'IN_REVIEW' && 'end.review'
  // The closing message is written for candidates who finish.
  const isFinished = !isHeld.value && !isStopped
  // Answers that did not arrive, and answers that may have arrived without a response.
  const hasOpenAnswers = notArrived.value.length > 0 || [...entries.value.values()].some(({ pending }) => pending)
  return (
    <Sheet>
      <Heading>{text(`${ending}.title`)}</Heading>
      <p>{rich(`${ending}.text`, name)}</p>
      {more && <p>{rich(more, name)}</p>}
      {dated('end.date', completedAt ?? inReviewSince)}
      {dated('end.corrected', correctedAt)}
      {isFinished && assessment.closingMessageHtml && <Html html={assessment.closingMessageHtml} />}
      <MissedAnswers />
      <p>
        <Whom about={!isStopped ? 'end.questions' : isDecided ? 'end.gate.again' : 'end.gate.review'} />
      </p>
      {selfIdentification && <Voluntary />}
      {isFinished && redirectUrl && (
        <Leaving
          to={redirectUrl}
          message={assessment.closingMessage ?? ''}
          stay={hasOpenAnswers || selfIdentification}
        />
      )}
    </Sheet>
  )
}

/** Whom says whom to ask. Without a support address, it names the organization. */
function Whom({ about }: { about: 'end.questions' | 'end.gate.review' | 'end.gate.again' }): ComponentChildren {
  const { name, supportEmail } = taking.value!.organization
  if (!supportEmail) return rich(`${about}.organization`, { organization: name })
  return rich(`${about}.email`, { email: <Contact />, organization: name })
}
