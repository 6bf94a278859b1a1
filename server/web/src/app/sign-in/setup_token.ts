// The setup token of a link to /app/register.

// As the server prints it.
const form = /setup_[0-9a-f]{32}/

/**
 * The token leaves the address at once, because an address is seen, shared, and synchronized. The entry of the
 * browser's history keeps it, because it must survive a reload.
 */
interface Entry {
  setupToken?: string | undefined
}

const entry = (): Entry => (history.state as Entry | null) ?? {}

function read(): string | undefined {
  const { hash, pathname, search } = location
  if (!/\/app\/register\/?$/.test(pathname)) return undefined
  const token = form.exec(hash)?.[0] ?? entry().setupToken
  if (hash) history.replaceState({ ...entry(), setupToken: token }, '', pathname + search)
  return token
}

let token = read()

/** setupToken is the token of the link, if there was one. */
export function setupToken(): string | undefined {
  return token
}

/** forgetSetupToken drops a token that has been used, or that the server does not know. */
export function forgetSetupToken(): void {
  token = undefined
  if (entry().setupToken) history.replaceState({ ...entry(), setupToken: undefined }, '')
}

// A link was pasted into the address bar of the open page.
addEventListener('hashchange', () => {
  if (form.test(location.hash)) location.reload()
})
