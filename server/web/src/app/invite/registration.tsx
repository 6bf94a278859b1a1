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
import { me } from '../core/me.ts'
import { Loaded } from '../core/states.tsx'
import { CopyLink } from './copy_link.tsx'
import { fromField, toField, zoneHint } from '../core/zone.ts'

type AssessmentDetail = Schemas['AssessmentDetail']
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
    <section class="card invite-one">
      <h2>{text('invite.registration.title')}</h2>
      <p class="muted invite-before">{text('invite.registration.text')}</p>
      <Loaded query={query}>
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
function stateOf({ limit, used, endsAt }: Link) {
  if (endsAt !== null && Date.parse(endsAt) <= Date.now()) return 'ended'
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
    notify(text('invite.registration.closed'))
    return undefined
  }
  const renew = async () => {
    const answer = await replace(id, { limit, endsAt, nameRequired, introduction, newLink: true })
    if (!answer.ok) return answer.fault
    query.set(answer.data)
    notify(text('invite.registration.renewed'))
    return undefined
  }
  return (
    <>
      <p class="invite-before">
        <strong>{text(`invite.registration.${stateOf(link)}`)}</strong>{' '}
        {limit === null
          ? text('invite.registration.used', { count: used })
          : text('invite.registration.usedOf', { used: number(used), limit: number(limit) })}{' '}
        {endsAt && (
          <>
            {text('invite.registration.until')} <When at={endsAt} />
          </>
        )}
      </p>
      {repeatRule === 'ALLOWED' && <p class="muted invite-before">{text('invite.registration.repeat')}</p>}
      <CopyLink url={url!}>
        <Action isSmall act={() => setQuestion('renew')}>
          {text('invite.registration.renew')}
        </Action>
        <Action isSmall act={() => setQuestion('close')}>
          {text('invite.registration.close')}
        </Action>
      </CopyLink>
      <p class="small muted invite-before">{text('invite.registration.renew.hint')}</p>
      {question && (
        <Confirm
          title={text(`invite.registration.${question}.question`)}
          label={text(`invite.registration.${question}`)}
          isDanger
          act={question === 'close' ? close : renew}
          close={() => setQuestion(undefined)}
        >
          <p>{text(`invite.registration.${question}.text`)}</p>
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
  const reason = me.value!.organization.emailEnabled ? undefined : text('invite.registration.noEmail')
  return (
    <Form
      draft="registration"
      label={text(link.open ? 'invite.registration.save' : 'invite.registration.start')}
      busyLabel={text('invite.registration.busy')}
      reason={reason}
      check={(): Record<string, string> =>
        limit.trim() === '' || (/^\d{1,7}$/.test(limit.trim()) && Number(limit) >= 1 && Number(limit) <= most)
          ? {}
          : { '/limit': text('invite.registration.range', { most: number(most) }) }
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
        notify(text(link.open ? 'invite.registration.saved' : 'invite.registration.opened'))
      }}
    >
      <TextField
        label={text('invite.registration.limit')}
        hint={text('invite.registration.limit.hint')}
        pointer="/limit"
        type="number"
        isOptional
        value={limit}
        change={setLimit}
      />
      <TextField
        label={text('invite.registration.end')}
        hint={zoneHint(end)}
        pointer="/endsAt"
        type="datetime-local"
        isOptional
        value={end}
        change={setEnd}
      />
      <TextField
        label={text('invite.registration.introduction')}
        hint={text('invite.registration.introduction.hint')}
        pointer="/introduction"
        rows={3}
        maxLength={2000}
        isOptional
        value={words}
        change={setWords}
      />
      <CheckField
        label={text('invite.registration.name')}
        isChecked={isRequired}
        change={setRequired}
      />
    </Form>
  )
}
