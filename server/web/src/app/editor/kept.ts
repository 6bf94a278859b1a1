// What the editor keeps in the browser, so that unsaved changes and undo survive a reload, a crash, and a closed tab.
import { documentsOf, name, putDocument, removeDocument, type Document } from '../storage/documents.ts'
import type { Step } from './history.ts'
import type { Doc } from './model.ts'
import type { Base } from './saver.ts'

/** The id identifies the tab. Two tabs do not overwrite each other's changes. */
export interface Kept extends Document {
  base: Base
  present: Doc
  past: Step[]
  future: Step[]
}

export const put = (kept: Kept): Promise<void> => putDocument(kept)

/** take returns what a tab that is now closed has kept, unsaved changes first, and an id for this tab. */
export async function take(of: string): Promise<{ id: string; kept?: Kept }> {
  const all = await documentsOf<Kept>(of)
  let taken: Kept | undefined
  for (const kept of all.sort((a, b) => Number(b.isDirty) - Number(a.isDirty) || b.at - a.at)) {
    if (taken && kept.isDirty) continue // it stays until the editor is opened again
    if (!(await claim(kept.id))) continue
    if (!taken) taken = kept
    else {
      await removeDocument(kept.id)
      release(kept.id)
    }
  }
  if (taken) return { id: taken.id, kept: taken }
  const id = newId()
  await claim(id)
  return { id }
}

const newId = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`

const releases = new Map<string, () => void>()

/** release ends the claim of this tab, when the person leaves the editor. */
export function release(id: string): void {
  releases.get(id)?.()
  releases.delete(id)
}

/** claim returns whether no open tab has the id. From then on, this tab has it. */
async function claim(id: string): Promise<boolean> {
  if (releases.has(id)) return false
  if (!('locks' in navigator)) return claimWithoutLock(id)
  return new Promise((done) => {
    void navigator.locks.request(`${name}.${id}`, { ifAvailable: true }, (lock) => {
      done(lock !== null)
      if (lock) return new Promise<void>((end) => releases.set(id, end))
    })
  })
}

/** Browsers have locks only on HTTPS and on the own machine. Elsewhere, the tabs ask each other. */
const tabs = new BroadcastChannel(name)
/** How long another tab may take to answer, in milliseconds. */
const answerTimeout = 150

tabs.addEventListener('message', ({ data }: MessageEvent<{ ask?: string; open?: string }>) => {
  if (data.ask && releases.has(data.ask)) tabs.postMessage({ open: data.ask })
})

async function claimWithoutLock(id: string): Promise<boolean> {
  let isOpen = false
  const listen = ({ data }: MessageEvent<{ open?: string }>) => {
    if (data.open === id) isOpen = true
  }
  tabs.addEventListener('message', listen)
  tabs.postMessage({ ask: id })
  await new Promise((done) => setTimeout(done, answerTimeout))
  tabs.removeEventListener('message', listen)
  if (!isOpen) releases.set(id, () => undefined)
  return !isOpen
}

export { removeDocument as forget }
