// People of an organization on its dashboard.
import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import createClient from 'openapi-fetch'
import type { BrowserContext, Locator, Page } from 'playwright-core'
import type { paths } from '../../src/shared/openapi.gen.ts'
import { ok, type Organization, type Schemas } from './api.ts'
import { goodPassword } from './member.ts'
import { open, type OpenOptions } from './page.ts'
import { Visitor } from './visitor.ts'

export type Role = 'OWNER' | 'ADMIN' | 'EDITOR' | 'MEMBER' | 'REVIEWER'
export type Person = { name: string; email: string; password: string }

export class User extends Visitor {
  constructor(page: Page, locale = 'en') {
    super(page, locale, 'app')
  }

  /** The link with the text of a key. */
  link(key: string): Locator {
    return this.page.getByRole('link', { name: this.pattern(key) })
  }

  /** The field with the label of a key. */
  field(key: string): Locator {
    return this.page.getByLabel(this.text(key))
  }

  /** The open dialog with the title of a key. */
  dialog(key: string): Locator {
    return this.page.getByRole('dialog', { name: this.pattern(key) })
  }

  /** The row of a table that contains a text. */
  row(text: string | RegExp): Locator {
    return this.page.getByRole('row').filter({ hasText: text })
  }
}

export type DashboardOptions = OpenOptions & {
  role?: Role
  /** A person of the organization, instead of one with a role. */
  person?: Person
}

/** Opens a screen, for example "/webhooks", as a person of the organization who is signed in. */
export async function dashboard(
  t: TestContext,
  organization: Organization,
  path = '/',
  options: DashboardOptions = {},
): Promise<User> {
  const { link, settings } = await signedIn(organization, path, options)
  const { page } = await open(t, link, settings)
  return new User(page, options.locale?.slice(0, 2))
}

/** The address of a screen, and the options of a page on which the person is signed in. */
export async function signedIn(
  organization: Organization,
  path: string,
  { role = 'OWNER', person, ...options }: DashboardOptions = {},
): Promise<{ link: string; settings: OpenOptions }> {
  const who = person ?? (role === 'OWNER' ? organization.owner : await colleague(organization, role))
  const link = `${organization.baseUrl}/app${path === '/' ? '' : path}`
  const before: OpenOptions['before'] = async (page, context) => {
    if (!options.context) await startSession(context, organization.baseUrl, who)
    await options.before?.(page, context)
  }
  return { link, settings: { ...options, before } }
}

/** Signs a browser in, as the form of the dashboard does. */
export async function startSession(context: BrowserContext, baseUrl: string, { email, password }: Person): Promise<void> {
  const response = await context.request.post(`${baseUrl}/app/session`, {
    headers: { Origin: baseUrl },
    data: { type: 'login', email, password },
  })
  if (!response.ok()) throw new Error(`the sign-in was refused: ${response.status()} ${await response.text()}`)
}

/** Invites a colleague, who accepts. */
export async function colleague(
  { api, baseUrl }: Organization,
  role: Role,
  more: Partial<Schemas['MemberCreate']> = {},
): Promise<Person> {
  const email = `${randomUUID()}@harbour-kitchens.example`
  const body = { name: 'Jonas Weber', role, email, ...more }
  const { invitationUrl } = await ok(api.POST('/v1/members', { body }))
  const token = new URL(invitationUrl).hash.slice(1)
  await ok(createClient<paths>({ baseUrl }).POST('/v1/auth/accept-invitation', { body: { token, password: goodPassword } }))
  return { name: body.name, email: body.email, password: goodPassword }
}

/** Registers the first organization of a service on the page that the printed link opens. */
export async function register(user: User): Promise<void> {
  await user.see('register.setup.title')
  await user.field('register.organization').fill('Harbour Kitchens')
  await user.field('register.name').fill('Samin Okafor')
  await user.field('register.email').fill('samin@harbour-kitchens.example')
  await user.page.locator('[autocomplete=new-password]').fill(goodPassword)
  await user.button('register.submit').click()
  await user.see('home.title')
}

/** Switches to another organization of the person. */
export async function switchTo(user: User, name: string): Promise<void> {
  await user.page.locator('.account summary').click()
  await user.button('nav.switch').click()
  const dialog = user.dialog('organizations.title')
  const loaded = user.page.waitForEvent('load')
  await dialog.getByRole('button', { name: new RegExp(name) }).click()
  await loaded
}
