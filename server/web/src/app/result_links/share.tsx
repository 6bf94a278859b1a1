// The links with which people read a result without an account.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Fault, type Schemas } from '../core/api.ts'
import { Confirm, Dialog } from '../core/dialogs.tsx'
import { day, dayAndTime } from '../core/formats.tsx'
import { CheckField, Form, SelectField, TextField } from '../core/forms.tsx'
import { notify } from '../core/notices.tsx'
import { forget, useQuery } from '../core/query.ts'
import { me } from '../core/me.ts'
import { CopyButton, Loaded } from '../core/states.tsx'

type Link = Schemas['ResultLink']

interface Props {
  session: Schemas['CandidateSession']
  close(): void
}

const lifetimes = [1, 7, 30, 90, 365] // days
const dayLength = 24 * 60 * 60 * 1000 // milliseconds

export function ShareDialog({ session: { id, candidateName }, close }: Props) {
  const path = { params: { path: { id } } }
  const query = useQuery(`/v1/candidate-sessions/${id}/result-links`, () =>
    ask(v1.GET('/v1/candidate-sessions/{id}/result-links', path)),
  )
  const usual = me.value!.organization.resultLinkDays
  const [label, setLabel] = useState('')
  const [lifetime, setLifetime] = useState(String(usual))
  const [withAnswers, setWithAnswers] = useState(false)
  const [revoked, setRevoked] = useState<Link>()
  const reload = () => {
    forget('/v1/candidate-sessions')
    query.reload()
  }
  const send = () =>
    ask(
      v1.POST('/v1/candidate-sessions/{id}/result-links', {
        ...path,
        body: {
          label: label.trim() || null,
          expiresAt: new Date(Date.now() + Number(lifetime) * dayLength).toISOString(),
          withAnswers,
        },
      }),
    )
  const choices = [...new Set([...lifetimes, usual])].sort((a, b) => a - b)
  if (revoked) return <Revoke id={id} link={revoked} done={reload} close={() => setRevoked(undefined)} />
  return (
    <Dialog title={text('share.title', { name: candidateName })} close={close}>
      <p>{text('share.text')}</p>
      <Form
        draft="share"
        label={text('share.create')}
        send={send}
        done={() => {
          setLabel('')
          reload()
          notify(text('share.created'))
        }}
        actions={
          <button type="button" class="button" onClick={close}>
            {text('dialog.close')}
          </button>
        }
      >
        <TextField
          label={text('share.label')}
          hint={text('share.label.hint')}
          pointer="/label"
          isOptional
          maxLength={200}
          value={label}
          change={setLabel}
        />
        <SelectField
          label={text('share.lifetime')}
          pointer="/expiresAt"
          value={lifetime}
          change={setLifetime}
          options={choices.map((days) => ({ value: String(days), label: text('share.days', { count: days }) }))}
        />
        <CheckField
          label={text('share.answers')}
          hint={text('share.answers.hint')}
          isChecked={withAnswers}
          change={setWithAnswers}
        />
      </Form>
      <Loaded query={query}>
        {(links) =>
          links.length > 0 && (
            <section aria-labelledby="share-links">
              <h3 id="share-links" class="go">{text('share.links')}</h3>
              <ul class="revisions">
                {links.map((link) => (
                  <Row key={link.id} link={link} revoke={() => setRevoked(link)} />
                ))}
              </ul>
            </section>
          )
        }
      </Loaded>
    </Dialog>
  )
}

function Row({ link, revoke }: { link: Link; revoke(): void }) {
  const { url, withAnswers, createdBy } = link
  return (
    <li>
      <p>
        <b translate={false}>{nameOf(link)}</b>
      </p>
      {url && (
        <input
          class="field"
          readOnly
          aria-label={text('share.address', { name: nameOf(link) })}
          value={url}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
      <p class="small muted">
        {[
          state(link),
          opened(link),
          withAnswers && text('share.withAnswers'),
          createdBy?.name && text('share.by', { name: createdBy.name }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {url && (
        <div class="go">
          <CopyButton value={url} />
          <button type="button" class="button small" onClick={revoke}>
            {text('share.revoke')}
          </button>
        </div>
      )}
    </li>
  )
}

function Revoke({ id, link, done, close }: { id: string; link: Link; done(): void; close(): void }) {
  const act = async (): Promise<Fault | undefined> => {
    const answer = await ask(
      v1.DELETE('/v1/candidate-sessions/{id}/result-links/{linkId}', { params: { path: { id, linkId: link.id } } }),
    )
    if (!answer.ok) return answer.fault
    done()
    return undefined
  }
  return (
    <Confirm title={text('share.revoke.title')} label={text('share.revoke')} isDanger act={act} close={close}>
      <p>{text('share.revoke.text', { name: nameOf(link) })}</p>
    </Confirm>
  )
}

function nameOf({ label, createdBy }: Link): string {
  return label ?? text(createdBy ? 'share.unnamed' : 'share.ofEvent')
}

function state({ url, revokedAt, expiresAt }: Link): string {
  if (revokedAt) return text('share.revoked', { at: day(revokedAt) })
  return text(url ? 'share.until' : 'share.expired', { at: day(expiresAt) })
}

function opened({ openCount, lastOpenedAt }: Link): string {
  return lastOpenedAt ? text('share.opened', { count: openCount, at: dayAndTime(lastOpenedAt) }) : text('share.neverOpened')
}
