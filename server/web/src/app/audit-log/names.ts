// The names of what entries concern. An entry contains only ids.
import { ask, v1, type Schemas } from '../core/api.ts'
import { me } from '../core/me.ts'
import { useQuery } from '../core/query.ts'
import { to } from '../core/url.ts'
import { hostOf } from '../webhooks/words.tsx'

export interface Names {
  members: { id: string; name: string }[]
  keys: { id: string; name: string }[]
  /** The name and the screen of a resource, as far as they are known. */
  of(resource: Schemas['AuditResource']): { name: string; href?: string | undefined }
}

const page = { params: { query: { limit: 100 } } }

/** useNames reads the newest of each. Older assessments and candidates are shown with their ids. */
export function useNames(isPermitted: boolean): Names {
  const key = (path: string) => (isPermitted ? `${path}?names` : undefined)
  const members = useQuery(key('/v1/members'), () => ask(v1.GET('/v1/members', page))).data ?? []
  const keys = useQuery(key('/v1/api-keys'), () => ask(v1.GET('/v1/api-keys', page))).data ?? []
  const webhooks = useQuery(key('/v1/webhooks'), () => ask(v1.GET('/v1/webhooks', page))).data ?? []
  const assessments = useQuery(key('/v1/assessments'), () => ask(v1.GET('/v1/assessments', page))).data ?? []
  const sessions = useQuery(key('/v1/candidate-sessions'), () => ask(v1.GET('/v1/candidate-sessions', page))).data ?? []
  return {
    members,
    keys,
    of({ type, id }) {
      const has = (one: { id: string }) => one.id === id
      if (type === 'USER') return { name: members.find(has)?.name ?? id }
      if (type === 'API_KEY') return { name: keys.find(has)?.name ?? id, href: to('/api-keys') }
      if (type === 'CANDIDATE_SESSION') {
        return { name: sessions.find(has)?.candidateName ?? id, href: to(`/candidates/${id}`) }
      }
      if (type === 'ASSESSMENT') {
        return { name: assessments.find(has)?.title ?? id, href: to(`/assessments/${id}`) }
      }
      if (type === 'LEGAL_HOLD') return { name: id, href: to('/settings/data-protection') + '#holds' }
      if (type === 'ORGANIZATION') return { name: me.value?.organization.name ?? id, href: to('/settings') }
      if (type === 'QUESTION') return { name: id, href: to(`/questions/${id}`) }
      const endpoint = webhooks.find(has)
      if (endpoint) return { name: hostOf(endpoint.url), href: to(`/webhooks/${id}`) }
      return { name: id }
    },
  }
}
