// The registration link of an assessment: open and close it, its limit and its end, and a new link.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Confirm } from '../core/dialogs.tsx'
import { number } from '../core/figures.ts'
import { When } from '../core/formats.tsx'
import { CheckField, Form, TextField } from '../core/forms.tsx'
import { notify } from '../core/notices.tsx'
import { Action } from '../core/page.tsx'
import { useQuery, type Query } from '../core/query.ts'
import { me } from '../core/session.ts'
import { CopyButton, Loaded } from '../core/states.tsx'
import { fromField, toField, zoneHint } from '../core/zone.ts'
import type { AssessmentDetail } from './head.tsx'

type Link = Schemas['AssessmentRegistration']
const most = 1_000_000

const replace = (id: string, body: Schemas['AssessmentRegistrationInput']) =>
  ask(v1.PUT('/v1/assessments/{id}/registration', { params: { path: { id } }, body }))

export function Registration({ assessment }: { assessment: AssessmentDetail }) {
  const { id } = assessment
  const query = useQuery(`/v1/assessments/${id}/registration`, () =>
    ask(v1.GET('/v1/assessments/{id}/registration', { params: { path: { id } } })),
  )
  return (
    <section class="card">
      <h2>{text('assessment.registration.title')}</h2>
      <p class="assessment-note muted">{text('assessment.registration.text')}</p>
      <Loaded query={query} skeleton={<div class="assessment-tick-space" />}>
        {(link) => (
          <>
            {link.open && <Open assessment={assessment} link={link} query={query} />}
            <Settings key={String(link.open)} assessment={assessment} link={link} query={query} />
          </>
        )}
      </Loaded>
    </section>
  )
}

interface PartProps {
  assessment: AssessmentDetail
  link: Link
  query: Query<Link>
}

/** stateOf says whether people can register now, and otherwise why not. */
function stateOf({ status, closesAt }: AssessmentDetail, { limit, used, endsAt }: Link) {
  const isOver = (at: string | null) => at !== null && Date.parse(at) <= Date.now()
  if (status !== 'PUBLISHED' || isOver(closesAt)) return 'over'
  if (isOver(endsAt)) return 'ended'
  return limit !== null && used >= limit ? 'full' : 'open'
}

function Open({ assessment, link, query }: PartProps) {
  const [question, setQuestion] = useState<'close' | 'renew'>()
  const { url, used, limit, endsAt, nameRequired, introduction } = link
  const { id, repeatRule } = assessment
  const close = async () => {
    const answer = await ask(v1.DELETE('/v1/assessments/{id}/registration', { params: { path: { id } } }))
    if (!answer.ok) return answer.fault
    query.set({ ...link, open: false })
    notify(text('assessment.registration.closed'))
    return undefined
  }
  const renew = async () => {
    const answer = await replace(id, { limit, endsAt, nameRequired, introduction, newLink: true })
    if (!answer.ok) return answer.fault
    query.set(answer.data)
    notify(text('assessment.registration.renewed'))
    return undefined
  }
  return (
    <>
      <p class="assessment-note">
        <strong>{text(`assessment.registration.${stateOf(assessment, link)}`)}</strong>{' '}
        {limit === null
          ? text('assessment.registration.used', { count: used })
          : text('assessment.registration.usedOf', { used: number(used), limit: number(limit) })}{' '}
        {endsAt && (
          <>
            {text('assessment.registration.until')} <When at={endsAt} />
          </>
        )}
      </p>
      <p class="assessment-note">
        <a href={url!}>{url}</a>
      </p>
      {repeatRule === 'ALLOWED' && <p class="assessment-note muted">{text('assessment.registration.repeat')}</p>}
      <p class="go assessment-note">
        <CopyButton value={url!} label={text('assessment.registration.copy')} />
        <Action isSmall act={() => setQuestion('renew')}>
          {text('assessment.registration.renew')}
        </Action>
        <Action isSmall act={() => setQuestion('close')}>
          {text('assessment.registration.close')}
        </Action>
      </p>
      {question && (
        <Confirm
          title={text(`assessment.registration.${question}.question`)}
          label={text(`assessment.registration.${question}`)}
          isDanger
          act={question === 'close' ? close : renew}
          close={() => setQuestion(undefined)}
        >
          <p>{text(`assessment.registration.${question}.text`)}</p>
        </Confirm>
      )}
    </>
  )
}

function Settings({ assessment, link, query }: PartProps) {
  const [limit, setLimit] = useState(link.limit === null ? '' : String(link.limit))
  const [end, setEnd] = useState(link.endsAt === null ? '' : toField(link.endsAt))
  const [isRequired, setRequired] = useState(link.nameRequired)
  const [words, setWords] = useState(link.introduction ?? '')
  // The field shows minutes.
  const endsAt = link.endsAt !== null && end === toField(link.endsAt) ? link.endsAt : (fromField(end) ?? null)
  const reason =
    assessment.status !== 'PUBLISHED'
      ? text('assessment.registration.unpublished')
      : me.value!.organization.emailEnabled
        ? undefined
        : text('assessment.notify.noEmail')
  return (
    <Form
      draft="registration"
      label={text(link.open ? 'assessment.repeat.save' : 'assessment.registration.start')}
      busyLabel={text('assessment.repeat.busy')}
      reason={reason}
      check={(): Record<string, string> =>
        limit.trim() === '' || (/^\d{1,7}$/.test(limit.trim()) && Number(limit) >= 1 && Number(limit) <= most)
          ? {}
          : { '/limit': text('assessment.repeat.daysRange', { most: number(most) }) }
      }
      send={() =>
        replace(assessment.id, {
          limit: limit.trim() === '' ? null : Number(limit),
          endsAt,
          nameRequired: isRequired,
          introduction: words.trim() === '' ? null : words,
          newLink: false,
        })
      }
      done={(changed) => {
        query.set(changed)
        notify(text(link.open ? 'assessment.repeat.saved' : 'assessment.registration.opened'))
      }}
    >
      <TextField
        label={text('assessment.registration.limit')}
        hint={text('assessment.registration.limit.hint')}
        pointer="/limit"
        type="number"
        isOptional
        value={limit}
        change={setLimit}
      />
      <TextField
        label={text('assessment.registration.end')}
        hint={zoneHint(end)}
        pointer="/endsAt"
        type="datetime-local"
        isOptional
        value={end}
        change={setEnd}
      />
      <TextField
        label={text('assessment.registration.introduction')}
        hint={text('assessment.registration.introduction.hint')}
        pointer="/introduction"
        rows={3}
        maxLength={2000}
        isOptional
        value={words}
        change={setWords}
      />
      <CheckField
        label={text('assessment.registration.name')}
        isChecked={isRequired}
        change={setRequired}
      />
    </Form>
  )
}
