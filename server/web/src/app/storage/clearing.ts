// Removes what the browser must not keep any longer. It is loaded after the first view, and for signing out.

import { me } from '../core/me.ts'
import { allDocuments, removeDocument } from './documents.ts'
import { areaOf, get, isOver, owner as ownerOf, ruleOf, setOwner, type Item, type Name } from './storage.ts'
import { table } from './table.ts'

/**
 * clear removes what does not belong to the person, and what is too old. Without a person, nothing stays. `person` has the
 * id of each membership with which the person has used this browser. `isExpired` says that the sign-in of the person has ended, and that the browser is at the form for the password.
 */
export async function clear(person: string | undefined, isExpired = false): Promise<void> {
  let count = 0
  const stays = (name: Name, owner: string | undefined, at: number, isUnsaved: boolean) => {
    const { expired } = ruleOf(name)
    if (!owner || !person?.includes(owner) || isOver(name, at)) return false
    if (isExpired && (expired === 'removed' || (expired === 'unsaved stays' && !isUnsaved))) return false
    return ++count > 0
  }
  for (const { area, key, name, owner } of keys()) {
    // An earlier version had other keys.
    const rule = name && ruleOf(name)
    if (rule?.owner === 'browser') continue
    if (!rule || areaOf(name!) !== area || !stays(name!, owner, atOf(area, key), true)) area.removeItem(key)
  }
  for (const { id, of, at, isDirty } of await allDocuments()) {
    if (!stays('editor', of.split('/')[0], at, isDirty)) await removeDocument(id)
  }
  if (!person || (isExpired && count === 0)) setOwner(undefined)
}

interface Key {
  area: Storage
  key: string
  /** It is undefined if the key is not in the table. */
  name: Name | undefined
  owner: string | undefined
}

/** keys returns the keys of the dashboard. The candidate page is at the same origin, and its keys begin with "assay-". */
function keys(): Key[] {
  try {
    return [localStorage, sessionStorage].flatMap((area) =>
      Object.keys(area)
        .filter((key) => key.startsWith('assay.'))
        .map((key) => {
          const [head, owner] = key.split(' ')
          const name = head!.slice('assay.'.length)
          return { area, key, name: name in table ? (name as Name) : undefined, owner }
        }),
    )
  } catch {
    return [] // the browser permits no storage
  }
}

function atOf(area: Storage, key: string): number {
  try {
    return (JSON.parse(area.getItem(key)!) as Item).at
  } catch {
    return 0
  }
}

/** trim removes the oldest drafts of this tab until they have at most so many characters. */
export function trim(most: number): void {
  const drafts = keys().flatMap(({ area, key, name }) =>
    name === 'draft' ? [{ key, length: area.getItem(key)!.length, at: atOf(area, key) }] : [],
  )
  let length = drafts.reduce((sum, draft) => sum + draft.length, 0)
  for (const draft of drafts.sort((a, b) => a.at - b.at)) {
    if (length <= most) return
    sessionStorage.removeItem(draft.key)
    length -= draft.length
  }
}

/** What signing out would delete, and what no server has. */
export interface Unsaved {
  /** The forms of this tab. */
  forms: number
  assessments: number
  /** The candidates of an interrupted import who are not invited. */
  candidates: number
}

export async function unsaved(): Promise<Unsaved> {
  const ids = ownerOf() ?? me.value!.id
  const dirty = (await allDocuments()).filter(({ of, isDirty }) => isDirty && ids.includes(of.split('/')[0]!))
  const job = get<{ waiting: { rows: unknown[]; isSent?: boolean }[] }>('invite')
  return {
    forms: keys().filter(({ name, owner }) => name === 'draft' && owner && ids.includes(owner)).length,
    assessments: new Set(dirty.map(({ of }) => of)).size,
    candidates: job?.waiting.reduce((sum, { rows, isSent }) => (isSent ? sum : sum + rows.length), 0) ?? 0,
  }
}
