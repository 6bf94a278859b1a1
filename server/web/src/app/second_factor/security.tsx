// The second factors of the person, in the profile.
import { useState } from 'preact/hooks'
import { Note } from '../../shared/parts.tsx'
import { text } from '../../shared/i18n.tsx'
import { hasPasskeys } from '../../shared/passkey.ts'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Confirm, Dialog } from '../core/dialogs.tsx'
import { hasText } from '../core/faults.ts'
import { When } from '../core/formats.tsx'
import { notify } from '../core/notices.tsx'
import { Action } from '../core/page.tsx'
import { useQuery } from '../core/query.ts'
import { me } from '../core/me.ts'
import { Loaded } from '../core/states.tsx'
import { addStyles } from '../core/styles.ts'
import { AddSecondFactor, type Type } from './add.tsx'
import { Codes } from './codes.tsx'
import styles from './second_factor.css?text'

type Factor = Schemas['SecondFactor']

/** The contract permits so many. */
const most = 10

/** Security calls `changed` when the other sign-ins have ended. */
export function Security({ changed }: { changed(): void }) {
  addStyles(styles)
  const query = useQuery('/v1/me/second-factors', () => ask(v1.GET('/v1/me/second-factors')))
  const [adding, setAdding] = useState<Type>()
  const [removing, setRemoving] = useState<Factor>()
  const [isRenewing, setRenewing] = useState(false)
  const [codes, setCodes] = useState<string[]>()
  const { data } = query
  const tooMany = data && data.factors.length >= most ? text('problem.too_many_second_factors') : undefined
  const added = () => {
    if (adding) notify(text('secondFactor.added'))
    setAdding(undefined)
    me.value = { ...me.value!, hasSecondFactor: true }
    query.reload()
    changed()
  }
  return (
    <section class="card second-factor" aria-labelledby="second-factor">
      <h2 id="second-factor">{text('secondFactor.title')}</h2>
      <p class="muted small">{text('secondFactor.text')}</p>
      <Loaded query={query}>
        {({ factors, recoveryCodesLeft }) => (
          <>
            {factors.length === 0 && <p>{text('secondFactor.none')}</p>}
            <ul class="second-factor-list">
              {factors.map((factor) => (
                <Row key={factor.id} factor={factor} remove={() => setRemoving(factor)} />
              ))}
            </ul>
            <div class="second-factor-keep">
              <Action isSmall reason={tooMany} act={() => setAdding('TOTP')}>
                {text('secondFactor.add.TOTP')}
              </Action>
              <Action
                isSmall
                reason={tooMany ?? (hasPasskeys() ? undefined : text('secondFactor.passkey.missing'))}
                act={() => setAdding('PASSKEY')}
              >
                {text('secondFactor.add.PASSKEY')}
              </Action>
            </div>
            {factors.length > 0 && (
              <div class="second-factor-recovery">
                <h3>{text('secondFactor.codes')}</h3>
                {recoveryCodesLeft < 3 && (
                  <Note icon="warning" kind="warn">
                    {text('secondFactor.codes.few')}
                  </Note>
                )}
                <p class="small muted">{text('secondFactor.codes.left', { count: recoveryCodesLeft })}</p>
                <Action isSmall act={() => setRenewing(true)}>
                  {text('secondFactor.codes.renew')}
                </Action>
              </div>
            )}
          </>
        )}
      </Loaded>
      {adding && (
        <Dialog title={text(`secondFactor.add.${adding}`)} close={() => setAdding(undefined)}>
          <AddSecondFactor type={adding} done={added} />
        </Dialog>
      )}
      {removing && (
        <RemoveDialog
          factor={removing}
          isLast={data?.factors.length === 1}
          close={() => setRemoving(undefined)}
          done={query.reload}
        />
      )}
      {isRenewing && (
        <RenewDialog
          close={() => setRenewing(false)}
          done={(made) => {
            setCodes(made)
            query.reload()
          }}
        />
      )}
      {codes && (
        <Dialog title={text('secondFactor.codes')}>
          <Codes codes={codes} done={() => setCodes(undefined)} />
        </Dialog>
      )}
    </section>
  )
}

function Row({ factor: { type, name, createdAt, lastUsedAt }, remove }: { factor: Factor; remove(): void }) {
  const key = `secondFactor.type.${type}`
  return (
    <li>
      <div>
        <b translate={false}>{name}</b> <span class="tag">{hasText(key) ? text(key) : type}</span>
        <span class="small muted">
          {text('secondFactor.since')} <When at={createdAt} />
          {lastUsedAt && (
            <>
              {' · '}
              {text('secondFactor.used')} <When at={lastUsedAt} isRelative />
            </>
          )}
        </span>
      </div>
      <Action isSmall label={text('secondFactor.remove.of', { name })} act={remove}>
        {text('secondFactor.remove')}
      </Action>
    </li>
  )
}

function RemoveDialog({ factor, isLast, close, done }: { factor: Factor; isLast: boolean; close(): void; done(): void }) {
  const { id, name } = factor
  const act = async () => {
    const answer = await ask(v1.DELETE('/v1/me/second-factors/{id}', { params: { path: { id } } }))
    // Another tab can have removed it already.
    if (!answer.ok && answer.fault.status !== 404) return answer.fault
    notify(text('secondFactor.removed', { name }))
    done()
    const { value } = me
    const mustAdd = isLast && value!.organization.secondFactorRequired
    if (isLast) me.value = { ...value!, hasSecondFactor: false, mustAddSecondFactor: mustAdd }
    return undefined
  }
  return (
    <Confirm
      title={text('secondFactor.remove.title', { name })}
      label={text('secondFactor.remove')}
      isDanger
      act={act}
      close={close}
    >
      <p>{text(isLast ? 'secondFactor.remove.last' : 'secondFactor.remove.text')}</p>
    </Confirm>
  )
}

function RenewDialog({ close, done }: { close(): void; done(codes: string[]): void }) {
  const act = async () => {
    const answer = await ask(v1.POST('/v1/me/recovery-codes'))
    if (!answer.ok) return answer.fault
    done(answer.data.codes)
    return undefined
  }
  return (
    <Confirm title={text('secondFactor.codes.renew')} label={text('secondFactor.codes.renew')} act={act} close={close}>
      <p>{text('secondFactor.codes.renew.text')}</p>
    </Confirm>
  )
}
