// The link with which the page was opened, and which view the page shows.
import { signal } from '@preact/signals'

export type View =
  // At /accept-invitation:
  | 'invitation' // the form for a password
  | 'noInvitation' // opened without a token, or with a damaged one
  | 'invitationUsed'
  | 'invitationExpired'
  | 'joined'
  | 'joinedCompany' // the organization requires its own sign-in
  // At /reset-password:
  | 'reset' // the form for a password
  | 'forgot' // the form for an email address
  | 'sent'
  | 'noEmail' // the service cannot send email
  | 'resetUsed'
  | 'resetExpired'
  | 'changed'
  // At both:
  | 'secondFactor'
  // At /confirm-email:
  | 'confirm'
  | 'noConfirmation' // opened without a token, or with a damaged one
  | 'confirmed'
  | 'confirmExpired'
  | 'confirmForeign' // the link is that of another account

/**
 * What the page keeps in its entry of the browser's history. The token leaves the address
 * at once, because an address is seen, shared, and synchronized. It must survive a
 * reload: a phone ends the page while the person is in another program, for example a
 * password manager. Unlike sessionStorage, the entry belongs to this page only, and
 * no other page of this server sees it. The token leaves the entry when it has been used.
 */
interface Entry {
  view: View
  token?: string | undefined
}

// As store and store/keys make them.
const invitationForm = /mbr_[0-9a-f]{64}(\.ivp_\w{20,80}_[\w-]{43})?/
const resetForm = /pwr_\w{20,150}_[\w-]{43}/

const proofForm = /prf_\w{20,150}_[\w-]{43}/

/** The pages: what their tokens look like, and their views with a token and without one. */
const pages: Record<string, [RegExp, View, View]> = {
  'accept-invitation': [invitationForm, 'invitation', 'noInvitation'],
  'confirm-email': [proofForm, 'confirm', 'noConfirmation'],
}
const page = pages[location.pathname.split('/').at(-1)!] ?? [resetForm, 'reset', 'forgot']

/** Whether the page was opened with a link that is not complete. */
export const isDamaged = signal(false)
export const view = signal<View>(boot())

/** token is that of the link. */
export function token(): string {
  return entry()?.token ?? ''
}

/** go shows another view, and forgets the token. */
export function go(to: View): void {
  isDamaged.value = false
  keep({ view: to })
  view.value = to
}

function boot(): View {
  const given = location.hash.slice(1)
  const kept = entry()
  if (!given && kept) return kept.view
  const [form, withToken, without] = page
  const token = form.exec(given)?.[0]
  isDamaged.value = given !== '' && !token
  const first = token ? withToken : without
  keep({ view: first, token })
  return first
}

function entry(): Entry | null {
  return history.state as Entry | null
}

function keep(entry: Entry): void {
  history.replaceState(entry, '', location.pathname)
}

// A link was pasted into the address bar of the open page.
addEventListener('hashchange', () => {
  if (location.hash) location.reload()
})
