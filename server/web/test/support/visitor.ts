// What people find on any of the pages, by the roles and names that a screen reader announces too.
import type { Locator, Page } from 'playwright-core'
import { pattern, t, type PageName, type Params } from './texts.ts'

export class Visitor {
  readonly page: Page
  readonly locale: string
  /** Which texts the page has. */
  readonly name: PageName

  constructor(page: Page, locale = 'en', name: PageName = 'take') {
    this.page = page
    this.locale = locale
    this.name = name
  }

  /** The pattern of a text in the language of the page. */
  pattern(key: string, params: Params = {}): RegExp {
    return pattern(key, params, this.locale, this.name)
  }

  /** A text in the language of the page. */
  text(key: string, params: Params = {}): string {
    return t(key, params, this.locale, this.name)
  }

  /** The button with the text of a key. Parameters without a value can have any. */
  button(key: string, params: Params = {}): Locator {
    return this.page.getByRole('button', { name: this.pattern(key, params) })
  }

  /** The heading of the view with the text of a key. */
  heading(key: string, params: Params = {}): Locator {
    return this.page.getByRole('heading', { level: 1, name: this.pattern(key, params) })
  }

  /** Waits until the view with this heading is shown. */
  see(key: string, params: Params = {}): Promise<void> {
    return this.heading(key, params).waitFor()
  }

  /** Waits until a text is shown. */
  read(key: string, params: Params = {}): Promise<void> {
    return this.page.getByText(this.pattern(key, params)).first().waitFor()
  }

  /** The text of the current heading. */
  headingText(): Promise<string> {
    return this.page.getByRole('heading', { level: 1 }).innerText()
  }
}
