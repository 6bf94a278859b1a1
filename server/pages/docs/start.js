// Shows the contract of /openapi.json, with the guide before it and with the
// address of this server.
const base = new URL('.', document.baseURI)
const read = async (path) => {
  const response = await fetch(new URL(path, base))
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return response
}
const capitalized = (name) => (name === 'api-keys' ? 'API keys' : name[0].toUpperCase() + name.slice(1).replaceAll('-', ' '))

// repair adds what Scalar leaves out for keyboards and screen readers. Scalar
// renders the page in parts, so repair runs after each change.
function repair() {
  for (const region of document.querySelectorAll('.markdown pre code, .markdown table, .endpoints')) {
    if (region.scrollWidth > region.clientWidth || region.scrollHeight > region.clientHeight) region.tabIndex = 0
    else region.removeAttribute('tabindex')
  }
  for (const button of document.querySelectorAll('.scalar-code-copy:not([aria-label])')) button.setAttribute('aria-label', 'Copy')
  // A name must contain the visible text.
  for (const button of document.querySelectorAll('button.show-more[aria-label^="Show all"]')) {
    button.setAttribute('aria-label', button.getAttribute('aria-label').replace('Show all', 'Show More:'))
  }
  // Each operation has one with the same name, so they are no landmarks.
  for (const card of document.querySelectorAll('.response-card[role=region]')) card.setAttribute('role', 'group')
}

let repairs = 0
function repairSoon() {
  repairs ||= requestAnimationFrame(() => {
    repairs = 0
    repair()
  })
}

Promise.all([
  read('openapi.json').then((response) => response.json()),
  read('docs/guide.md').then((response) => response.text()),
]).then(([contract, guide]) => {
  contract.info.description = guide
  contract.servers = [{ url: base.href.replace(/\/$/, '') }]
  for (const tag of contract.tags) tag['x-displayName'] = capitalized(tag.name)
  addSearch(guide, contract)
  Scalar.createApiReference('#docs', {
    content: contract,
    // The page calls no other server and stores no credential.
    agent: { disabled: true },
    mcp: { disabled: true },
    persistAuth: false,
    showDeveloperTools: 'never',
    telemetry: false,
    withDefaultFonts: false,
    documentDownloadType: 'none',
    hiddenClients: true,
    hideClientButton: true,
    hideModels: true,
    theme: 'none',
  })
  new MutationObserver(repairSoon).observe(document.body, { childList: true, subtree: true })
  addEventListener('resize', repairSoon)
}).catch((reason) => {
  document.getElementById('docs').textContent = `The documentation could not be loaded (${reason.message}). Reload the page in a minute.`
})
