// The list of what a person must look at. Each item links to where it is solved.
import type { ComponentChildren } from 'preact'
import { text, Verbatim } from '../../shared/i18n.tsx'
import type { Schemas } from '../core/api.ts'
import { hasText } from '../core/faults.ts'
import { number } from '../core/figures.ts'
import { endOfStart, When } from '../core/formats.tsx'
import { Icon, type IconName } from '../core/icons.tsx'
import { to } from '../core/url.ts'

type Overview = Schemas['Overview']
type Found = { count: number; hasMore: boolean }

export function Attention({ overview }: { overview: Overview }) {
  const { failingWebhooks, expiringInvites, drafts, suspectedKeys } = overview
  const isCalm = [failingWebhooks, expiringInvites, drafts, suspectedKeys].every(({ count }) => count === 0)
  return (
    <section class="list home-list" aria-labelledby="home-attention">
      <h2 id="home-attention">{text('home.attention.title')}</h2>
      {isCalm ? (
        <p class="home-calm">
          <Icon name="check" />
          {text('home.attention.none')}
        </p>
      ) : (
        <>
          <Webhooks found={failingWebhooks} />
          <Keys found={suspectedKeys} />
          <Invites found={expiringInvites} />
          <Drafts found={drafts} />
        </>
      )}
    </section>
  )
}

interface GroupProps {
  icon: IconName
  kind: 'bad' | 'warn' | 'plain'
  title: string
  found: Found & { items: unknown[] }
  /** Where the rest of the list is, if there is a list. */
  all?: string
  children: ComponentChildren
}

/** A group has at most five items, and a link to all of them. Its title counts all. */
function Group({ icon, kind, title, found, all, children }: GroupProps) {
  if (found.count === 0) return null
  return (
    <div class="home-group">
      <h3 class={kind}>
        <Icon name={icon} />
        {title}
      </h3>
      <ul>{children}</ul>
      {all && (found.hasMore || found.count > found.items.length) && (
        <a class="home-all small" href={all}>
          {text('home.showAll', { total: found.hasMore ? `${number(found.count)}+` : number(found.count) })}
        </a>
      )}
    </div>
  )
}

function Item({ href, title, children }: { href: string; title: ComponentChildren; children: ComponentChildren }) {
  return (
    <li>
      <a href={href}>
        <span class="title">{title}</span>
        <span class="muted small">{children}</span>
      </a>
    </li>
  )
}

function Webhooks({ found }: { found: Overview['failingWebhooks'] }) {
  return (
    <Group
      icon="warning"
      kind="bad"
      title={text('home.webhooks', { count: found.count })}
      found={found}
      all={to('/webhooks')}
    >
      {found.items.map(({ id, url, description, enabled, consecutiveFailures, lastFailureAt }) => (
        <Item key={id} href={to(`/webhooks/${id}`)} title={description || url}>
          {enabled ? text('home.webhook.failing', { count: consecutiveFailures }) : text('home.webhook.disabled')}
          {lastFailureAt && (
            <>
              {' · '}
              <When at={lastFailureAt} isRelative />
            </>
          )}
        </Item>
      ))}
    </Group>
  )
}

/** The characters of a prompt that name a question. */
const promptLength = 100

function Keys({ found }: { found: Overview['suspectedKeys'] }) {
  return (
    <Group icon="warning" kind="warn" title={text('home.keys', { count: found.count })} found={found}>
      {found.items.map(({ assessmentId, assessmentTitle, questionId, prompt, suspicion }) => (
        <Item
          key={questionId}
          href={to(`/assessments/${assessmentId}/questions`)}
          title={prompt.length > promptLength ? `${prompt.slice(0, promptLength)}…` : prompt}
        >
          {assessmentTitle}
          {suspicionWords(suspicion)}
        </Item>
      ))}
    </Group>
  )
}

/** Later versions can have further suspicions. */
function suspicionWords(suspicion: string): string {
  const key = `home.key.${suspicion}`
  return hasText(key) ? ` · ${text(key)}` : ''
}

function Invites({ found }: { found: Overview['expiringInvites'] }) {
  return (
    <Group
      icon="clock"
      kind="warn"
      title={text('home.invites', { count: found.count })}
      found={found}
      all={to('/candidates', { status: 'INVITED' })}
    >
      {found.items.map((session) => (
        <Item
          key={session.id}
          href={to(`/candidates/${session.id}`)}
          title={<Verbatim>{session.candidateName}</Verbatim>}
        >
          {session.assessmentTitle} ·{' '}
          {Date.parse(endOfStart(session)) <= Date.now() ? text('home.invite.closed') : <Expires session={session} />}
        </Item>
      ))}
    </Group>
  )
}

function Expires({ session }: { session: Schemas['CandidateSession'] }) {
  return (
    <>
      {text('home.invite.expires')} <When at={endOfStart(session)} isRelative />
    </>
  )
}

function Drafts({ found }: { found: Overview['drafts'] }) {
  return (
    <Group
      icon="edit"
      kind="plain"
      title={text('home.drafts', { count: found.count })}
      found={found}
      all={to('/assessments', { status: 'DRAFT' })}
    >
      {found.items.map(({ id, title, questionCount, updatedAt }) => (
        <Item key={id} href={to(`/assessments/${id}/edit`)} title={title || text('assessment.untitled')}>
          {text('home.draft.questions', { count: questionCount })} · <When at={updatedAt} isRelative />
        </Item>
      ))}
    </Group>
  )
}
