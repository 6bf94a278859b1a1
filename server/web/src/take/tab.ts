// What this tab keeps in sessionStorage until it is closed. Without storage, a reload loses it.

/** inTab returns what this tab has kept. */
export function inTab(key: string): string | null {
  try {
    return sessionStorage.getItem(key)
  } catch {
    return null
  }
}

/** keepInTab keeps a value in this tab. */
export function keepInTab(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value)
  } catch {
    // Some private windows have no storage.
  }
}
