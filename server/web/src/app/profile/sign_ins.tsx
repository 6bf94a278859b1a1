// Where the person is signed in.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Schemas } from '../core/api.ts'
import { Confirm } from '../core/dialogs.tsx'
import { When } from '../core/formats.tsx'
import { notify } from '../core/notices.tsx'
import { Action } from '../core/page.tsx'
import { useQuery } from '../core/query.ts'
import { Loaded, messageOf } from '../core/states.tsx'
import { Pager } from '../core/table.tsx'
import { useAddress } from '../core/url.ts'
import { programOf } from './user_agent.ts'

type SignIn = Schemas['SignIn']

const limit = 20

export function SignIns() {
  const { after } = useAddress().query
  const query = useQuery(`/v1/me/sign-ins?${after ?? ''}`, () =>
    ask(v1.GET('/v1/me/sign-ins', { params: { query: { limit, ...(after && { after }) } } })),
  )
  const [isAsking, setAsking] = useState(false)
  const others = query.data?.filter(({ current }) => !current) ?? []
  return (
    <section class="list profile-sign-ins" aria-labelledby="profile-sign-ins">
      <div class="profile-head">
        <div>
          <h2 id="profile-sign-ins">{text('profile.signIns')}</h2>
          <p class="muted small">{text('profile.signIns.text')}</p>
        </div>
        {others.length > 0 && (
          <Action isSmall act={() => setAsking(true)}>
            {text('profile.signIns.endAll')}
          </Action>
        )}
      </div>
      <Loaded query={query}>
        {(signIns) => (
          <>
            <ul class="profile-devices">
              {[...signIns].sort((a, b) => Number(b.current) - Number(a.current)).map((signIn) => (
                <Device key={signIn.id} signIn={signIn} ended={query.reload} />
              ))}
            </ul>
            <Pager response={query.response} count={signIns.length} />
          </>
        )}
      </Loaded>
      {isAsking && <EndAll close={() => setAsking(false)} done={query.reload} />}
    </section>
  )
}

function Device({ signIn, ended }: { signIn: SignIn; ended(): void }) {
  const { id, current, ip, userAgent, lastUsedAt } = signIn
  const [isBusy, setBusy] = useState(false)
  const name = nameOf(userAgent)
  const end = async () => {
    setBusy(true)
    const answer = await ask(v1.DELETE('/v1/me/sign-ins/{id}', { params: { path: { id } } }))
    setBusy(false)
    // Another device can have ended it already.
    if (answer.ok || answer.fault.status === 404) notify(text('profile.signIns.ended', { name }))
    else notify(messageOf(answer.fault))
    ended()
  }
  return (
    <li>
      <div title={userAgent ?? undefined}>
        <b>{name}</b> {current && <span class="tag good">{text('profile.signIns.current')}</span>}
        <span class="small muted">
          {ip && <span dir="ltr">{ip}</span>}
          {ip && ' · '}
          {text('profile.signIns.used')} <When at={lastUsedAt} isRelative />
        </span>
      </div>
      {!current && (
        <Action isSmall isBusy={isBusy} label={text('profile.signIns.endOf', { name })} act={() => void end()}>
          {text('profile.signIns.end')}
        </Action>
      )}
    </li>
  )
}

function nameOf(userAgent: string | null): string {
  const { browser, system } = programOf(userAgent ?? '')
  if (browser && system) return text('profile.device', { browser, system })
  return browser ?? system ?? text('profile.device.unknown')
}

function EndAll({ close, done }: { close(): void; done(): void }) {
  const act = async () => {
    const answer = await ask(v1.DELETE('/v1/me/sign-ins'))
    if (!answer.ok) return answer.fault
    notify(text('profile.signIns.endedAll'))
    done()
    return undefined
  }
  return (
    <Confirm
      title={text('profile.signIns.endAll.title')}
      label={text('profile.signIns.endAll')}
      isDanger
      act={act}
      close={close}
    >
      <p>{text('profile.signIns.endAll.text')}</p>
    </Confirm>
  )
}
