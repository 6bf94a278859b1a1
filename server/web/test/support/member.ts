// What members of an organization do: on the page for passwords, and through the API.
import { randomUUID } from 'node:crypto'
import createClient from 'openapi-fetch'
import type { Locator, Page } from 'playwright-core'
import type { paths } from '../../src/shared/openapi.gen.ts'
import { ok, type Organization, type Schemas } from './api.ts'
import { sharedServer } from './server.ts'
import { Visitor } from './visitor.ts'

/** A password that the server accepts. */
export const goodPassword = 'quiet harbours seven at dawn'

export class Member extends Visitor {
  constructor(page: Page, locale = 'en') {
    super(page, locale, 'account')
  }

  /** The field for the new password. */
  password(): Locator {
    return this.page.getByLabel(this.text('password.label'))
  }

  /** The field for the email address. */
  email(): Locator {
    return this.page.getByLabel(this.text('forgot.email'))
  }

  /** Types a password, and presses the button with the text of a key. */
  async choose(password: string, key: 'invitation.join' | 'reset.change'): Promise<void> {
    await this.password().fill(password)
    await this.button(key).click()
  }

  /** Waits until the person who has joined is signed in to the dashboard. */
  async seeDashboard(): Promise<void> {
    await this.page.waitForURL(/\/app$/)
    await this.page.getByRole('navigation').first().waitFor()
  }

  /** Asks for a link to an email address. */
  async forget(email: string): Promise<void> {
    await this.email().fill(email)
    await this.button('forgot.send').click()
  }
}

export type Invited = { email: string; link: string; token: string; id: string }

/** Invites a member, and returns the link of the email. */
export async function inviteMember(
  { api }: Organization,
  more: Partial<Schemas['MemberCreate']> = {},
): Promise<Invited> {
  const email = more.email ?? `${randomUUID()}@harbour-kitchens.example`
  const body = { name: 'Jonas Weber', role: 'ADMIN' as const, ...more, email }
  const { id, invitationUrl } = await ok(api.POST('/v1/members', { body }))
  return { id, email, link: invitationUrl, token: new URL(invitationUrl).hash.slice(1) }
}

/** Signs in through the API, and returns the status. */
export async function signIn(email: string, password: string, baseUrl = sharedServer()): Promise<number> {
  const { response } = await createClient<paths>({ baseUrl }).POST('/v1/auth/login', { body: { email, password } })
  return response.status
}
