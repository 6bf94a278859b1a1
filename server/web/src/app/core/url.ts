// Addresses of screens, and what they keep in the address: filters, sorting, page, and open drawers.
import { useLocation } from 'preact-iso/router'
import { base } from './session.ts'

const root = new URL('app', base).pathname

/** to returns the address of a screen, for example to('/assessments'). It works below the path of a proxy. */
export function to(path: string, query: Record<string, string | undefined> = {}): string {
  const search = searchOf(query)
  return root + (path === '/' ? '' : path) + search
}

function searchOf(query: Record<string, string | undefined>): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length > 0 ? `?${new URLSearchParams(given)}` : ''
}

export interface Address {
  /** The path below the dashboard, for example "/assessments". */
  path: string
  query: Record<string, string>
  /** Shows another screen. */
  go(address: string, replace?: boolean): void
  /**
   * Changes parameters of the address; undefined removes one. A change of anything but the page, a
   * drawer, or a tab begins at the first page, so remove `after` with it.
   */
  change(query: Record<string, string | undefined>, replace?: boolean): void
  /** The address that change would go to, for links. */
  with(query: Record<string, string | undefined>): string
}

export function useAddress(): Address {
  const { path, query, route } = useLocation()
  const changed = (next: Record<string, string | undefined>) => path + searchOf({ ...query, ...next })
  return {
    path: path.slice(root.length) || '/',
    query,
    go: route,
    change: (next, replace) => {
      const address = changed(next)
      if (address !== path + location.search) route(address, replace)
    },
    with: changed,
  }
}
