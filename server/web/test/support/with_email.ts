import type { Page } from 'playwright-core'

/** The dashboard of a service that can send email. */
export const withEmail = (page: Page): Promise<unknown> =>
  page.route('**/v1/me', async (route) => {
    const response = await route.fetch()
    const json = (await response.json()) as { data: { organization: { emailEnabled: boolean } } }
    json.data.organization.emailEnabled = true
    await route.fulfill({ response, json })
  })
