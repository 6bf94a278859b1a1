// Drafts in the editor of the dashboard.
import type { TestContext } from 'node:test'
import type { Locator } from 'playwright-core'
import { ok, organization, type Assessment, type Organization, type Schemas } from './api.ts'
import { numeric, singleChoice } from './assessments.ts'
import { dashboard, User, type DashboardOptions } from './dashboard.ts'

export const draft: Assessment = {
  title: 'Line cook',
  stages: [
    { title: 'Temperatures', questions: [singleChoice, numeric] },
    {
      title: 'Allergens',
      questions: [{ type: 'SHORT_TEXT', prompt: 'Which seed?', points: 1, acceptedAnswers: ['sesame'] }],
    },
  ],
}

export class EditorUser extends User {
  organization!: Organization
  id!: string

  /** What is saved on the server now. */
  saved(): Promise<Schemas['AssessmentDetail']> {
    return ok(this.organization.api.GET('/v1/assessments/{id}', { params: { path: { id: this.id } } }))
  }

  /** Waits until the editor has the status, such as "saved" or "unreachable". */
  async status(status: string): Promise<void> {
    await this.page.locator(`.editor-state[data-state=${status}]`).waitFor()
  }

  /** Saves at once instead of after the pause. */
  async save(): Promise<void> {
    await this.page.keyboard.press('Control+s')
    await this.status('saved')
  }

  /** The prompts of the outline, in their order. */
  async outline(): Promise<string[]> {
    return this.page.locator('.editor-outline .editor-item:not(.stage) .name').allInnerTexts()
  }

  /** Opens the form of a question of the shown stage. */
  async edit(number: number): Promise<void> {
    await this.button('editor.question.edit', { number }).click()
    await this.prompt.waitFor()
  }

  get prompt(): Locator {
    return this.page.locator('.editor-form [data-place$="/prompt"]')
  }

  option(number: number): Locator {
    return this.page.getByRole('textbox', { name: this.text('editor.options.text', { number }) })
  }

  /** The place of the element that has the focus. */
  focused(): Promise<string | undefined> {
    return this.page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-place]')?.dataset.place)
  }
}

export type DraftOptions = DashboardOptions & { made?: Organization; id?: string }

/** Opens the editor with a new draft, or with an assessment of the organization. */
export async function openDraft(
  t: TestContext,
  assessment: Assessment = draft,
  options: DraftOptions = {},
): Promise<EditorUser> {
  const { made = await organization(), id: given, ...rest } = options
  const id = given ?? (await ok(made.api.POST('/v1/assessments', { body: assessment }))).id
  const { page } = await dashboard(t, made, `/assessments/${id}/edit`, rest)
  const user = new EditorUser(page, rest.locale?.slice(0, 2))
  Object.assign(user, { organization: made, id })
  await page.locator('.editor-outline, .editor-settings').first().waitFor()
  return user
}
