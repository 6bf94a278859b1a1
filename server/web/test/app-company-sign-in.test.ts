// Settings, Sign-in: domains, the provider, recovery codes, and the codes of failed sign-ins on the sign-in page.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Schemas } from './support/api.ts'
import { ok, organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard } from './support/dashboard.ts'
import { requestsTo } from './support/network.ts'
import { texts } from './support/texts.ts'
import { until } from './support/until.ts'

after(disconnect)

const provider = { issuer: 'https://login.example', clientId: 'assay', clientSecret: 'a secret of the provider' }
const screen = '/settings/sign-in'

/** Nothing answers for this name, so the record is missing on each machine (RFC 2606). */
const domain = 'harbour-kitchens.invalid'

test('an owner adds a domain, and a missing record is explained', async (t) => {
  const made = await organization()
  const user = await dashboard(t, made, screen)
  await user.page.locator('#domains [name=domain]').fill(` ${domain} `)
  await user.button('companySignIn.domain.add').click()
  await user.read('companySignIn.domain.pending')
  const [added] = await ok(made.api.GET('/v1/organization/domains'))
  assert.equal(added!.domain, domain)
  assert.equal(await user.field('companySignIn.domain.name').inputValue(), added!.txtName)
  assert.equal(await user.field('companySignIn.domain.value').inputValue(), added!.txtValue)

  await user.button('companySignIn.domain.check').click()
  await user.read('problem.domain_not_proved')
  await user.button('companySignIn.domain.remove.of', { domain }).click()
  await user.page.getByRole('dialog').getByRole('button', { name: user.pattern('companySignIn.domain.remove') }).click()
  await until(async () => assert.deepEqual(await ok(made.api.GET('/v1/organization/domains')), []))
  await user.page.getByText(domain).waitFor({ state: 'detached' })
})

/** Changes what the server says about the provider, so that the screen offers what the server refuses. */
const pretend = (page: Page, change: Partial<Schemas['SignInProvider']>) =>
  page.route(/\/v1\/organization\/sign-in-provider$/, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    const { data } = (await response.json()) as { data: object }
    await route.fulfill({ response, json: { data: { ...data, ...change } } })
  })

test('an owner sets up a provider, and can require it only after a sign-in', async (t) => {
  const made = await organization()
  const user = await dashboard(t, made, screen)
  const present = () => ok(made.api.GET('/v1/organization/sign-in-provider'))
  const required = user.page.getByRole('checkbox', { name: user.text('companySignIn.required') })
  const save = user.page.locator('#provider').getByRole('button', { name: user.text('settings.save') })
  await user.field('companySignIn.issuer').fill(provider.issuer)
  await user.field('companySignIn.clientId').fill(provider.clientId)
  await save.click()
  await user.read('field.required')
  await user.field('companySignIn.clientSecret').fill(provider.clientSecret)
  await save.click()
  await user.read('companySignIn.untested')
  const { issuer, clientId, startUrl } = await present()
  assert.deepEqual([issuer, clientId], [provider.issuer, provider.clientId])
  assert.equal(await user.field('companySignIn.clientSecret').inputValue(), '')
  assert.equal(await required.isEnabled(), false)
  await user.read('companySignIn.required.untested')
  const tested = new URL((await user.link('companySignIn.test').getAttribute('href'))!)
  assert.deepEqual([tested.href.split('&')[0], tested.searchParams.get('return')], [startUrl, `/app${screen}`])

  await pretend(user.page, { lastSucceededAt: new Date().toISOString(), recoveryCodesLeft: 10 })
  await user.page.reload()
  await required.check()
  await save.click()
  await user.read('problem.provider_untested')
  assert.equal((await present()).required, false)

  // Another client at the same provider is untested again, and the form requires nothing that it does not show.
  await user.field('companySignIn.clientId').fill('another')
  assert.deepEqual([await required.isEnabled(), await required.isChecked()], [false, false])
  await user.field('companySignIn.clientSecret').fill(provider.clientSecret)
  await save.click()
  await until(async () => assert.equal((await present()).clientId, 'another'))

  await user.button('companySignIn.remove').click()
  await user.dialog('companySignIn.remove').getByRole('button', { name: user.pattern('companySignIn.remove') }).click()
  await until(async () => assert.equal((await present()).issuer, null))
  await user.dialog('companySignIn.remove').waitFor({ state: 'detached' })
  await user.button('companySignIn.remove').waitFor({ state: 'detached' })
  assert.equal(await user.field('companySignIn.issuer').inputValue(), '')
})

test('recovery codes for owners are shown once, and new codes replace them', async (t) => {
  const made = await organization()
  const user = await dashboard(t, made, screen)
  const shown = user.page.locator('.second-factor-codes code')
  const keep = async () => {
    await shown.first().waitFor()
    const codes = await shown.allInnerTexts()
    await user.page.getByLabel(user.text('secondFactor.codes.saved')).check()
    await user.button('secondFactor.codes.done').click()
    await shown.first().waitFor({ state: 'detached' })
    return codes
  }
  await user.read('companySignIn.codes.none')
  await user.button('companySignIn.codes.create').click()
  const codes = await keep()
  assert.equal(new Set(codes).size, 10)
  await user.read('companySignIn.codes.left', { count: 10 })
  await user.page.reload()
  await user.read('companySignIn.codes.left', { count: 10 })
  assert.equal((await user.page.content()).includes(codes[0]!), false)

  await user.button('companySignIn.codes.create').click()
  await user.read('companySignIn.codes.replace')
  await user.page.getByRole('dialog').getByRole('button', { name: user.pattern('companySignIn.codes.create') }).click()
  assert.equal((await keep()).some((code) => codes.includes(code)), false)
})

test('the link to a key for provisioning has chosen its scope', async (t) => {
  const made = await organization()
  const user = await dashboard(t, made, screen)
  await user.link('companySignIn.scim.create').click()
  const form = user.dialog('apiKeys.create.title')
  const checked = form.locator('input[type=checkbox]:checked')
  await checked.waitFor()
  await form.getByLabel(user.text('apiKeys.name')).fill('Entra ID')
  await form.getByRole('button', { name: user.text('apiKeys.create') }).click()
  await user.dialog('apiKeys.made.title').waitFor()
  assert.deepEqual((await ok(made.api.GET('/v1/api-keys'))).map(({ scopes }) => scopes), [['members:provision']])
})

test('an ADMIN reads everything and changes nothing', async (t) => {
  const made = await organization()
  await ok(made.api.POST('/v1/organization/domains', { body: { domain } }))
  await ok(made.api.PUT('/v1/organization/sign-in-provider', { body: { ...provider, required: false, createMembers: false } }))
  const user = await dashboard(t, made, screen, { role: 'ADMIN' })
  const { page } = user
  await page.getByText(domain).first().waitFor()
  await user.read('companySignIn.scim.none')
  const requests = requestsTo(page, /\/v1\/organization\//)
  for (const button of await page.locator('main .card button:not(.beside *)').all()) {
    assert.equal(await button.getAttribute('aria-disabled'), 'true', await button.innerText())
    await button.click({ force: true })
  }
  for (const field of await page.locator('main .card :is(input, select, textarea):not([readonly])').all()) {
    assert.equal(await field.isEnabled(), false)
  }
  assert.equal(await page.getByRole('dialog').count(), 0)
  assert.deepEqual(requests.filter((request) => request.method() !== 'GET'), [])
})

test('the sign-in page has a sentence for each code of a failed sign-in', () => {
  const go = (file: string) => readFileSync(join(import.meta.dirname, '../../..', file), 'utf8')
  const codes = [
    ...go('store/auth_provider_sign_in.go').matchAll(/^\tRefused\w+ +ProviderRefusal = "(\w+)"/gm),
    ...go('server/pages/provider_sign_in.go').matchAll(/^\tprovider\w+ += "(\w+)"/gm),
  ].map((found) => found[1]!)
  assert.ok(codes.length >= 8, codes.join())
  for (const locale of ['en', 'de']) {
    const known = Object.keys(texts(locale, 'app')).flatMap((key) => /^company\.error\.(.+)/.exec(key)?.[1] ?? [])
    assert.deepEqual(known.sort(), [...codes].sort(), locale)
  }
})
