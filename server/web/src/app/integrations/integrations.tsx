// The applicant tracking systems that order assessments, and how to connect them.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1, type Fault } from '../core/api.ts'
import { Confirm } from '../core/dialogs.tsx'
import { day } from '../core/formats.tsx'
import { notify } from '../core/notices.tsx'
import { useQuery } from '../core/query.ts'
import { Loaded } from '../core/states.tsx'
import { Addresses, ConnectDialog } from './connect.tsx'
import { ExchangesDialog } from './exchanges.tsx'
import { names, type Integration, type Partner } from './partners.ts'

type Open = { kind: 'connect' | 'disconnect' | 'exchanges'; partner: Partner }

export function Integrations() {
  const query = useQuery('/v1/integrations', () => ask(v1.GET('/v1/integrations')))
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  const ofOpen = query.data?.find(({ partner }) => partner === open?.partner)
  return (
    <>
      <Loaded query={query}>
        {(connected) => (
          <ul class="revisions">
            {(Object.keys(names) as Partner[]).map((partner) => (
              <System
                key={partner}
                partner={partner}
                integration={connected.find((one) => one.partner === partner)}
                open={(kind) => setOpen({ kind, partner })}
              />
            ))}
          </ul>
        )}
      </Loaded>
      {open?.kind === 'connect' && (
        <ConnectDialog partner={open.partner} isAgain={ofOpen !== undefined} connected={query.reload} close={close} />
      )}
      {open?.kind === 'exchanges' && ofOpen && <ExchangesDialog integration={ofOpen} close={close} />}
      {open?.kind === 'disconnect' && ofOpen && <Disconnect integration={ofOpen} done={query.reload} close={close} />}
    </>
  )
}

interface SystemProps {
  partner: Partner
  integration: Integration | undefined
  open(kind: Open['kind']): void
}

function System({ partner, integration, open }: SystemProps) {
  const name = names[partner]
  if (!integration) {
    return (
      <li>
        <h3 translate={false}>{name}</h3>
        <p class="small muted">{text('integrations.none')}</p>
        <div class="go">
          <button type="button" class="button small" onClick={() => open('connect')}>
            {text('integrations.connect', { name })}
          </button>
        </div>
      </li>
    )
  }
  const { connectedAt, callbackKeyHint } = integration
  return (
    <li>
      <h3 translate={false}>{name}</h3>
      <p class="small muted">{text('integrations.since', { at: day(connectedAt), hint: callbackKeyHint })}</p>
      <Addresses integration={integration} />
      <div class="go">
        <button type="button" class="button small" onClick={() => open('exchanges')}>
          {text('integrations.exchanges')}
        </button>
        <button type="button" class="button small" onClick={() => open('connect')}>
          {text('integrations.again')}
        </button>
        <button type="button" class="button small" onClick={() => open('disconnect')}>
          {text('integrations.disconnect')}
        </button>
      </div>
    </li>
  )
}

function Disconnect({ integration, done, close }: { integration: Integration; done(): void; close(): void }) {
  const name = names[integration.partner as Partner]
  const act = async (): Promise<Fault | undefined> => {
    const answer = await ask(v1.DELETE('/v1/integrations/{id}', { params: { path: { id: integration.id } } }))
    if (!answer.ok) return answer.fault
    done()
    notify(text('integrations.disconnected', { name }))
    return undefined
  }
  return (
    <Confirm
      title={text('integrations.disconnect.title', { name })}
      label={text('integrations.disconnect')}
      isDanger
      act={act}
      close={close}
    >
      <p>{text('integrations.disconnect.text', { name })}</p>
    </Confirm>
  )
}
