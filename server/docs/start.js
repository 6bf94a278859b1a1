// The contract is shown as /openapi.json has it, with the guide in front and
// with this server's own address.
const base = new URL('.', document.baseURI)
const read = async (path) => {
  const answer = await fetch(new URL(path, base))
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`)
  return answer
}
const capitalized = (name) => (name === 'api-keys' ? 'API keys' : name[0].toUpperCase() + name.slice(1).replaceAll('-', ' '))

Promise.all([
  read('openapi.json').then((answer) => answer.json()),
  read('docs/guide.md').then((answer) => answer.text()),
]).then(([contract, guide]) => {
  contract.info.description = guide
  contract.servers = [{ url: base.href.replace(/\/$/, '') }]
  for (const tag of contract.tags) tag['x-displayName'] = capitalized(tag.name)
  Scalar.createApiReference('#docs', {
    content: contract,
    // Nothing is asked of anybody else, and nothing that is typed in is kept.
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
}).catch((reason) => {
  document.getElementById('docs').textContent = `The documentation could not be loaded (${reason.message}). Reload the page in a minute.`
})
