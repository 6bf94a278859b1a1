// An endpoint: its health, its settings, its deliveries, and what repairs it.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { ask, v1 } from '../core/api.ts'
import { When } from '../core/formats.tsx'
import { Menu } from '../core/menu.tsx'
import { notify } from '../core/notices.tsx'
import { Action, Page } from '../core/page.tsx'
import { forget, useQuery, type Query } from '../core/query.ts'
import { needs } from '../core/roles.ts'
import { FaultNote, messageOf, PageSkeleton } from '../core/states.tsx'
import { to } from '../core/url.ts'
import { DayChart, lastDay } from './chart.tsx'
import { Deliveries } from './deliveries.tsx'
import { useRecent, type Recent } from './recent.ts'
import { Banner, Ping } from './repair.tsx'
import { DeleteEndpoint, EditEndpoint, RotateSecret } from './settings.tsx'
import { Replay } from './replay.tsx'
import { eventName, eventTypes, HealthTag, hostOf, type Endpoint } from './words.tsx'

const crumbs = () => [{ label: text('webhooks.title'), href: to('/webhooks') }]

export default function Screen({ params }: { params: Record<string, string> }) {
  const id = params.id!
  const query = useQuery(
    `/v1/webhooks/${id}`,
    () => ask(v1.GET('/v1/webhooks/{id}', { params: { path: { id } } })),
    { every: 5000 },
  )
  const { data, fault } = query
  if (data) return <EndpointScreen key={id} endpoint={data} query={query} />
  if (!fault) return <PageSkeleton />
  return (
    <Page title={text('webhooks.endpoint.title')} crumbs={crumbs()}>
      <FaultNote fault={fault} retry={fault.status === 404 ? undefined : query.reload} />
    </Page>
  )
}

type Open = 'ping' | 'replay' | 'edit' | 'rotate' | 'delete'

function EndpointScreen({ endpoint, query }: { endpoint: Endpoint; query: Query<Endpoint> }) {
  const [shown, setShown] = useState<Open>()
  const [isTested, setTested] = useState(false)
  const recent = useRecent(endpoint.id)
  const close = () => setShown(undefined)
  const changed = (next: Endpoint) => {
    query.set(next)
    forget('/v1/webhooks?')
    recent.reload()
  }
  const setEnabled = async (enabled: boolean) => {
    const path = { id: endpoint.id }
    const answer = await ask(v1.PATCH('/v1/webhooks/{id}', { params: { path }, body: { enabled } }))
    if (!answer.ok) return notify(messageOf(answer.fault))
    changed(answer.data)
    if (enabled) notify(text('webhooks.enabled'))
    else notify(text('webhooks.disabled'), { label: text('webhooks.enable'), act: () => void setEnabled(true) })
  }
  const enable = () => void setEnabled(true)
  const reason = needs('ADMIN')
  return (
    <Page
      title={hostOf(endpoint.url)}
      beside={<HealthTag endpoint={endpoint} />}
      crumbs={crumbs()}
      actions={
        <>
          <Action reason={reason} act={() => setShown('ping')}>
            {text('webhooks.ping')}
          </Action>
          {!endpoint.enabled && (
            <Action kind="primary" reason={reason} act={enable}>
              {text('webhooks.enable')}
            </Action>
          )}
          <Menu
            label={text('webhooks.more')}
            items={[
              { label: text('webhooks.edit'), reason, act: () => setShown('edit') },
              {
                label: text('webhooks.replay'),
                reason: reason ?? (endpoint.enabled ? undefined : text('webhooks.replay.disabled')),
                act: () => setShown('replay'),
              },
              { label: text('webhooks.rotate'), reason, act: () => setShown('rotate') },
              ...(endpoint.enabled
                ? [{ label: text('webhooks.disable'), reason, act: () => void setEnabled(false) }]
                : []),
              { label: text('webhooks.delete'), reason, isDanger: true, act: () => setShown('delete') },
            ]}
          />
        </>
      }
    >
      {query.fault && <FaultNote fault={query.fault} retry={query.reload} />}
      <Banner
        endpoint={endpoint}
        recent={recent.data}
        isTested={isTested}
        ping={() => setShown('ping')}
        enable={enable}
        replay={() => setShown('replay')}
      />
      <div class="two webhooks-overview">
        <Chart id={endpoint.id} />
        <Facts endpoint={endpoint} edit={() => setShown('edit')} />
      </div>
      <Deliveries endpoint={endpoint} />
      <Dialogs
        endpoint={endpoint}
        shown={shown}
        show={setShown}
        close={close}
        changed={changed}
        enable={enable}
        arrived={() => setTested(true)}
        recent={recent.data}
      />
    </Page>
  )
}

interface DialogProps {
  endpoint: Endpoint
  shown: Open | undefined
  show(dialog: Open): void
  recent: Recent | undefined
  close(): void
  changed(endpoint: Endpoint): void
  enable(): void
  arrived(): void
}

function Dialogs({ endpoint, shown, show, recent, close, changed, enable, arrived }: DialogProps) {
  const hasMissed = (recent?.missed ?? 0) > 0
  const ping = { endpoint, hasMissed, close, enable, arrived, replay: () => show('replay') }
  if (shown === 'ping') return <Ping {...ping} />
  if (shown === 'replay') return <Replay endpoint={endpoint} since={recent?.since} close={close} />
  if (shown === 'edit') return <EditEndpoint endpoint={endpoint} close={close} changed={changed} />
  if (shown === 'rotate') return <RotateSecret endpoint={endpoint} close={close} changed={changed} />
  if (shown === 'delete') return <DeleteEndpoint endpoint={endpoint} close={close} />
  return null
}

function Chart({ id }: { id: string }) {
  const { data } = useQuery(
    `/v1/webhooks/${id}/statistics`,
    () => ask(v1.GET('/v1/webhooks/{id}/statistics', { params: { path: { id } } })),
    { every: 15_000 },
  )
  return data ? <DayChart summary={lastDay(data)} /> : <section class="card webhooks-chart-space" aria-busy="true" />
}

function Facts({ endpoint, edit }: { endpoint: Endpoint; edit(): void }) {
  const { url, description, events, secretHint, lastSuccessAt, lastFailureAt, createdAt } = endpoint
  return (
    <section class="card">
      <div class="webhooks-card-head">
        <h2>{text('webhooks.facts.title')}</h2>
        <Action isSmall kind="quiet" reason={needs('ADMIN')} act={edit}>
          {text('webhooks.facts.edit')}
        </Action>
      </div>
      <dl class="facts-list">
        <dt>{text('webhooks.form.url')}</dt>
        <dd>{url}</dd>
        {description && (
          <>
            <dt>{text('webhooks.form.description')}</dt>
            <dd>{description}</dd>
          </>
        )}
        <dt>{text('webhooks.form.events')}</dt>
        <dd>{events.length === eventTypes.length ? text('webhooks.events.all') : events.map(eventName).join(', ')}</dd>
        <dt>{text('webhooks.facts.secret')}</dt>
        <dd>
          <code>…{secretHint}</code>
        </dd>
        <dt>{text('webhooks.facts.success')}</dt>
        <dd>{lastSuccessAt ? <When at={lastSuccessAt} isRelative /> : '–'}</dd>
        <dt>{text('webhooks.facts.failure')}</dt>
        <dd>{lastFailureAt ? <When at={lastFailureAt} isRelative /> : '–'}</dd>
        <dt>{text('webhooks.facts.created')}</dt>
        <dd>
          <When at={createdAt} />
        </dd>
      </dl>
    </section>
  )
}
