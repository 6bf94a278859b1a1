// The four steps from an empty organization to the first result. What the server has decides which steps are done.
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import { takeItYourself } from '../assessment/preview.ts'
import { ask, v1, type Answer, type Fault, type Schemas } from '../core/api.ts'
import { Icon } from '../core/icons.tsx'
import { newKey } from '../core/keys.ts'
import { notify } from '../core/notices.tsx'
import { Action, ActionLink } from '../core/page.tsx'
import { useQuery, type Query } from '../core/query.ts'
import { needs, seesAll } from '../core/roles.ts'
import { FaultNote } from '../core/states.tsx'
import { to, useAddress } from '../core/url.ts'
import { createFromSample, samples } from '../samples/samples.ts'
import { get, put } from '../storage/storage.ts'

interface Steps {
  /** The assessment that the next steps are about: the newest that is published, or the newest. */
  assessment?: Schemas['CountedAssessment'] | undefined
  /** Whether candidates can be invited to an assessment. */
  invitable: boolean
  hasTest: boolean
  hasSession: boolean
  hasWebhook: boolean
}

export function useFirstSteps(): Query<Steps> {
  return useQuery('/v1/first-steps', readSteps)
}

async function readSteps(): Promise<Answer<Steps>> {
  const [assessments, tests, sessions, webhooks] = await Promise.all([
    ask(v1.GET('/v1/assessments', { params: { query: { limit: 20 } } })),
    ask(v1.GET('/v1/candidate-sessions', { params: { query: { limit: 1, test: true } } })),
    ask(v1.GET('/v1/candidate-sessions', { params: { query: { limit: 1 } } })),
    seesAll() ? ask(v1.GET('/v1/webhooks', { params: { query: { limit: 1 } } })) : undefined,
  ])
  for (const answer of [assessments, tests, sessions, webhooks]) if (answer && !answer.ok) return answer
  if (!assessments.ok || !tests.ok || !sessions.ok || webhooks?.ok === false) return assessments as { ok: false; fault: Fault }
  const current = assessments.data.filter(({ status }) => status !== 'ARCHIVED')
  const published = current.find(({ status }) => status === 'PUBLISHED')
  const data: Steps = {
    assessment: published ?? current[0],
    invitable: published !== undefined,
    hasTest: tests.data.length > 0,
    hasSession: sessions.data.length > 0,
    hasWebhook: !webhooks || webhooks.data.length > 0, // who is limited to assessments needs none
  }
  return { ok: true, data, response: assessments.response }
}

export function FirstSteps({ steps }: { steps: Query<Steps> }) {
  const { data, fault, reload } = steps
  const [isWithoutWebhook, setWithoutWebhook] = useState(() => get('webhook-step') === true)
  useEffect(() => {
    // The person returns from the tab with the test.
    const returned = () => document.visibilityState === 'visible' && reload()
    document.addEventListener('visibilitychange', returned)
    return () => document.removeEventListener('visibilitychange', returned)
  }, [reload])
  if (fault && !data) return <FaultNote fault={fault} retry={reload} />
  if (!data) return null

  const isWebhookLeft = !data.hasWebhook && !isWithoutWebhook
  // Test sessions are deleted after a day, so an invite shows too that the person knows the assessment.
  const isTried = data.hasTest || data.hasSession
  const done = [data.assessment !== undefined, isTried, data.hasSession].filter(Boolean).length
  const dismiss = () => {
    put('webhook-step', true)
    setWithoutWebhook(true)
  }
  if (done === 3 && !isWebhookLeft) return null
  return (
    <section class="list home-steps" aria-labelledby="home-steps">
      <header>
        <h2 id="home-steps">{done === 3 ? text('home.steps.last') : text('home.steps.title')}</h2>
        {done < 3 && <p class="muted">{text('home.steps.text')}</p>}
      </header>
      <ol>
        {done < 3 && (
          <>
            <CreateStep steps={data} reload={reload} />
            <TakeStep steps={data} isDone={isTried} />
            <InviteStep steps={data} isNext={isTried} />
          </>
        )}
        {isWebhookLeft && <WebhookStep dismiss={dismiss} />}
      </ol>
    </section>
  )
}

interface StepProps {
  number: number
  title: string
  isDone: boolean
  children?: ComponentChildren
  actions?: ComponentChildren
}

function Step({ number, title, isDone, children, actions }: StepProps) {
  return (
    <li class={isDone ? 'done' : undefined}>
      <span class="home-number">{isDone ? <Icon name="check" /> : number}</span>
      <div class="grow">
        <h3>
          {title}
          {isDone && <span class="unseen"> {text('home.step.done')}</span>}
        </h3>
        {children && <div class="muted small">{children}</div>}
      </div>
      {actions && <div class="home-step-actions">{actions}</div>}
    </li>
  )
}

function CreateStep({ steps, reload }: { steps: Steps; reload(): void }) {
  const [chosen, setChosen] = useState<string>(samples[0]!.id)
  const [isBusy, setBusy] = useState(false)
  const [fault, setFault] = useState<Fault>()
  const [key, setKey] = useState(() => newKey())
  const { assessment } = steps
  const create = async () => {
    setBusy(true)
    setFault(undefined)
    const answer = await createAndPublish(chosen, key)
    setBusy(false)
    if (answer.ok) {
      notify(text('home.create.done', { title: answer.data.title }))
      setKey(newKey())
    } else setFault(answer.fault)
    reload()
  }
  if (assessment) {
    return (
      <Step number={1} title={text('home.create.title')} isDone>
        <a href={to(`/assessments/${assessment.id}`)}>{assessment.title || text('assessment.untitled')}</a>
      </Step>
    )
  }
  return (
    <Step
      number={1}
      title={text('home.create.title')}
      isDone={false}
      actions={
        <>
          <label>
            <span class="unseen">{text('home.create.sample')}</span>
            <select class="field small" value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
              {samples.map(({ id }) => (
                <option key={id} value={id}>
                  {text(`new.sample.${id}`)}
                </option>
              ))}
            </select>
          </label>
          <Action kind="primary" act={() => void create()} reason={needs('EDITOR')} isBusy={isBusy}>
            {isBusy ? text('new.busy') : text('home.create.go')}
          </Action>
        </>
      }
    >
      <p>{text('home.create.text')}</p>
      <p>
        <a href={to('/assessments/new')}>{text('home.create.own')}</a>
      </p>
      {fault && <FaultNote fault={fault} />}
    </Step>
  )
}

/** A sample is complete, so it can be published at once. */
async function createAndPublish(sampleId: string, key: string): Promise<Answer<Schemas['AssessmentDetail']>> {
  const sample = samples.find(({ id }) => id === sampleId)!
  const created = await createFromSample(sample, key)
  if (!created.ok) return created
  return ask(v1.POST('/v1/assessments/{id}/publish', { params: { path: { id: created.data.id } } }))
}

function TakeStep({ steps, isDone }: { steps: Steps; isDone: boolean }) {
  const { go } = useAddress()
  const [isBusy, setBusy] = useState(false)
  const { assessment } = steps
  const take = async () => {
    setBusy(true)
    await takeItYourself(assessment!.id, go)
    setBusy(false)
  }
  return (
    <Step
      number={2}
      title={text('home.take.title')}
      isDone={isDone}
      actions={
        !isDone && (
          <Action
            {...(assessment && { kind: 'primary' as const })}
            act={() => void take()}
            isBusy={isBusy}
            reason={assessment ? undefined : text('home.step.first')}
          >
            {text('assessment.take')}
          </Action>
        )
      }
    >
      {!isDone && <p>{text('home.take.text')}</p>}
    </Step>
  )
}

function InviteStep({ steps, isNext }: { steps: Steps; isNext: boolean }) {
  const { assessment, hasSession, invitable } = steps
  const reason = !assessment ? text('home.step.first') : !invitable ? text('assessment.invite.draft') : undefined
  return (
    <Step
      number={3}
      title={text('home.invite.title')}
      isDone={hasSession}
      actions={
        !hasSession && (
          <ActionLink
            href={to('/invite', { assessment: assessment?.id })}
            reason={reason}
            {...(isNext && { kind: 'primary' as const })}
          >
            {text('home.invite.go')}
          </ActionLink>
        )
      }
    >
      {!hasSession && <p>{text('home.invite.text')}</p>}
      {assessment && !invitable && (
        <p>
          <a href={to(`/assessments/${assessment.id}/edit`)}>{text('home.invite.publish')}</a>
        </p>
      )}
    </Step>
  )
}

function WebhookStep({ dismiss }: { dismiss(): void }) {
  return (
    <Step
      number={4}
      title={text('home.webhook.title')}
      isDone={false}
      actions={
        <>
          <ActionLink href={to('/webhooks')} reason={needs('ADMIN')}>
            {text('home.webhook.go')}
          </ActionLink>
          <button type="button" class="button quiet" onClick={dismiss}>
            {text('home.webhook.dismiss')}
          </button>
        </>
      }
    >
      <p>{text('home.webhook.text')}</p>
    </Step>
  )
}
