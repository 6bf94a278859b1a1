// What this tab keeps in sessionStorage until it is closed. Without storage, a reload loses it. database.ts keeps the rest,
// and no other file of this folder uses storage.

/** All keys. They name the session, so that another session in the same tab does not see what belongs to it. */
export type TabKey =
  | 'assay-take' // the token, so that a reload of this tab asks nothing, also at the end
  | `assay-take-language ${string}` // the language, because the browser forgets the session at its end
  | `assay-not-arrived-${string}` // the answers that did not arrive, for a reload of the end page
  | 'assay-take-sent' // the session that was sent on from this tab

/** inTab returns what this tab has kept. */
export function inTab(key: TabKey): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

/** keepInTab keeps a value in this tab. */
export function keepInTab(key: TabKey, value: string): void {
  try {
    sessionStorage.setItem(key, value)
  } catch {
    // Some private windows have no storage.
  }
}
