import { base } from '../core/session.ts'

/** startAt returns the address where the sign-in with a provider starts. It ends at an address of the dashboard. */
export function startAt(startUrl: string | URL, next: string): string {
  const address = new URL(startUrl, base)
  // The server does not know the path of a proxy.
  address.searchParams.set('return', next.slice(base.pathname.length - 1))
  return address.href
}
