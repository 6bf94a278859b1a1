import { base } from '../core/session.ts'
import { to } from '../core/url.ts'

/** The forms for a sign-in. They lead to a screen when the person is signed in. */
export const outsidePaths = ['/sign-in', '/register']

/** nextOf returns the address of the screen in the parameter `next`, or the home page for anything else. */
export function nextOf(next: string | undefined): string {
  const home = to('/')
  if (!next || !URL.canParse(next, base)) return home
  const { origin, pathname, search } = new URL(next, base)
  const isScreen = origin === base.origin && (pathname === home || pathname.startsWith(home + '/'))
  return isScreen && !outsidePaths.some((path) => pathname === to(path)) ? pathname + search : home
}
