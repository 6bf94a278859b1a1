// What was made before a reset of the password, and the choice to end it. Somebody else can have made it.
import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import type { Schemas } from '../shared/api.ts'
import { language, text } from '../shared/i18n.tsx'
import { Heading, Note } from '../shared/parts.tsx'
import { Action, LinkButton, Sheet } from './page.tsx'
import { change, isSignedIn, read, type Ended, type Me } from './session.ts'

/** What the reset itself has ended. */
export const ended = signal<Ended | undefined>(undefined)

/** A thing that was made before, and the request that ends it. */
interface Item {
  path: string
  name: string
  details: string[]
}

interface Found {
  keys: Item[]
  webhooks: Item[]
  members: Item[]
}

const limit = 100

export function Changed() {
  const [found, setFound] = useState<Found | 'out'>()
  useEffect(() => void find().then(setFound), [])
  return (
    <Sheet>
      <Heading>{text('changed.title')}</Heading>
      <p>{text(found === 'out' ? 'changed.text' : 'changed.ended')}</p>
      {ended.value && <EndedNote ended={ended.value} />}
      {found === 'out' && <LinkButton label={text('changed.signIn')} href="app/sign-in" />}
      {found && found !== 'out' && <Review found={found} />}
    </Sheet>
  )
}

function EndedNote({ ended: { apiKeys, webhooks, members } }: { ended: Ended }) {
  const parts = [
    apiKeys > 0 && text('review.ended.keys', { count: apiKeys }),
    webhooks > 0 && text('review.ended.webhooks', { count: webhooks }),
    members > 0 && text('review.ended.members', { count: members }),
  ].filter((part) => part !== false)
  if (parts.length === 0) return null
  return (
    <Note icon="warning" kind="warn">
      {text('review.ended')}
      <ul class="plain">
        {parts.map((part) => (
          <li key={part}>{part}</li>
        ))}
      </ul>
    </Note>
  )
}

function Review({ found }: { found: Found }) {
  const [left, setLeft] = useState(found)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isBusy, setBusy] = useState(false)
  const [said, setSaid] = useState('')
  const all = [...left.keys, ...left.webhooks, ...left.members]
  const choose = (path: string, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen) next.add(path)
    else next.delete(path)
    setChosen(next)
  }
  const end = async () => {
    if (isBusy || chosen.size === 0) return
    setBusy(true)
    const done = new Set<string>()
    for (const path of chosen) {
      const outcome = await change('DELETE', path)
      if (outcome.kind === 'ok' || (outcome.kind === 'refused' && outcome.status === 404)) done.add(path)
    }
    const rest = (items: Item[]) => items.filter(({ path }) => !done.has(path))
    setLeft({ keys: rest(left.keys), webhooks: rest(left.webhooks), members: rest(left.members) })
    setChosen(new Set([...chosen].filter((path) => !done.has(path))))
    setBusy(false)
    setSaid(done.size === chosen.size ? text('review.done', { count: done.size }) : text('review.failed'))
  }
  return (
    <>
      {all.length > 0 && (
        <>
          <p>{text('review.text')}</p>
          <List title={text('review.keys')} items={left.keys} {...{ chosen, choose }} />
          <List title={text('review.webhooks')} items={left.webhooks} {...{ chosen, choose }} />
          <List title={text('review.members')} items={left.members} {...{ chosen, choose }} />
          <p class="review-actions">
            <button type="button" class="button" aria-disabled={isBusy || chosen.size === 0} onClick={() => void end()}>
              {text(isBusy ? 'review.ending' : 'review.end')}
            </button>
            {chosen.size < all.length && (
              <Action label={text('review.all')} act={() => setChosen(new Set(all.map(({ path }) => path)))} />
            )}
          </p>
        </>
      )}
      <p role="status">{said}</p>
      {all.length === 0 && !said && <p>{text('review.nothing')}</p>}
      <LinkButton label={text('joined.open')} href="app" />
    </>
  )
}

interface ListProps {
  title: string
  items: Item[]
  chosen: ReadonlySet<string>
  choose(path: string, isChosen: boolean): void
}

function List({ title, items, chosen, choose }: ListProps) {
  if (items.length === 0) return null
  return (
    <fieldset class="review-list">
      <legend>{title}</legend>
      {items.map(({ path, name, details }) => (
        <label key={path} class="tick">
          <input
            type="checkbox"
            checked={chosen.has(path)}
            onChange={(event) => choose(path, event.currentTarget.checked)}
          />
          <span>
            <b translate={false}>{name}</b>
            {details.map((detail) => (
              <small key={detail}>{detail}</small>
            ))}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

/** find reads what the person's role permits to read and to end. */
async function find(): Promise<Found | 'out'> {
  if (!(await isSignedIn())) return 'out'
  const me = await read<Me>('v1/me', { id: '', role: '' })
  if (!me) return 'out'
  const [keys = [], webhooks = [], members = [], makers] = await Promise.all([
    read<Schemas['ApiKey'][]>(`v1/api-keys?limit=${limit}`, [{ id: '', name: '', createdAt: '' }]),
    read<Schemas['WebhookEndpoint'][]>(`v1/webhooks?limit=${limit}`, [{ id: '', url: '', createdAt: '' }]),
    read<Schemas['Member'][]>(`v1/members?limit=${limit}`, [{ id: '', name: '', email: '', role: '' }]),
    makersOf(),
  ])
  const isAdmin = me.role === 'OWNER' || me.role === 'ADMIN'
  if (!isAdmin) return { keys: [], webhooks: [], members: [] }
  const made = (id: string, at: string) => {
    const by = makers.get(id)
    return by ? text('review.madeBy', { date: when(at), name: by }) : text('review.made', { date: when(at) })
  }
  return {
    keys: keys
      .filter(({ revokedAt, expiresAt }) => !revokedAt && !(expiresAt && Date.parse(expiresAt) < Date.now()))
      .map(({ id, name, createdAt, lastUsedAt }) => ({
        path: `v1/api-keys/${id}`,
        name,
        details: [
          made(id, createdAt),
          lastUsedAt ? text('review.used', { date: when(lastUsedAt) }) : text('review.unused'),
        ],
      })),
    webhooks: webhooks.map(({ id, url, createdAt }) => ({
      path: `v1/webhooks/${id}`,
      name: url,
      details: [made(id, createdAt)],
    })),
    members: members
      .filter(({ id, role }) => id !== me.id && (me.role === 'OWNER' || role !== 'OWNER'))
      .map(({ id, name, email, role, status, createdAt }) => ({
        path: `v1/members/${id}`,
        name: `${name} (${email})`,
        details: [`${role[0]}${role.slice(1).toLowerCase()}${status === 'INVITED' ? `, ${text('review.invited')}` : ''}`, made(id, createdAt)],
      })),
  }
}

/** makersOf returns the names of the people who made keys, endpoints, and invitations, by the id of each. */
async function makersOf(): Promise<Map<string, string>> {
  const actions = ['API_KEY_CREATED', 'WEBHOOK_CREATED', 'MEMBER_ADDED']
  const entries = await Promise.all(
    actions.map((action) =>
      read<Schemas['AuditEntry'][]>(`v1/audit-log?limit=${limit}&action=${action}`, [{ resource: { id: '' } }]),
    ),
  )
  const names = new Map<string, string>()
  for (const { resource, actor } of entries.flatMap((list) => list ?? [])) {
    if (actor.name) names.set(resource.id, actor.name)
  }
  return names
}

function when(at: string): string {
  return new Intl.DateTimeFormat(language.value.formats, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at))
}
