// What a candidate does, by the roles and names that a screen reader announces too.
import type { Locator } from 'playwright-core'
import { anyOf } from './texts.ts'
import { Visitor } from './visitor.ts'

export class Candidate extends Visitor {
  // Before the start.

  /** The button that starts the clock of the session. */
  startButton(): Locator {
    const names = ['intro.start', 'intro.start.minutes', 'intro.start.exact'].map((key) => this.pattern(key))
    return this.page.getByRole('button', { name: anyOf(...names) })
  }

  acknowledge(): Promise<void> {
    return this.page.getByRole('checkbox', { name: this.pattern('intro.acknowledge') }).check()
  }

  /** Starts the session, and waits for the first question. */
  async start(): Promise<void> {
    await this.startButton().click()
    await this.seeQuestion(1)
  }

  /** Starts a stage that waits, and waits for its first question. */
  async startStage(): Promise<void> {
    await this.button('stage.start').click()
    await this.seeQuestion(1)
  }

  // Questions.

  seeQuestion(number: number): Promise<void> {
    return this.see('question.number', { number })
  }

  /** The radio button or checkbox of an option. */
  option(name: string): Locator {
    return this.page.getByRole('radio', { name }).or(this.page.getByRole('checkbox', { name }))
  }

  choose(option: string): Promise<void> {
    return this.option(option).check()
  }

  /** The field for a number or a text. */
  field(): Locator {
    return this.page.getByRole('main').getByRole('textbox')
  }

  /** Replaces the content of the field, key by key. */
  async type(text: string): Promise<void> {
    await this.field().clear()
    await this.field().pressSequentially(text)
  }

  next(): Promise<void> {
    return this.button('question.next').click()
  }

  back(): Promise<void> {
    return this.button('question.back').click()
  }

  flag(): Promise<void> {
    return this.button('question.flag').click()
  }

  clear(): Promise<void> {
    return this.button('question.clear').click()
  }

  /** Waits until the page says that all answers are saved. */
  seeSaved(): Promise<void> {
    return this.page.getByText(this.pattern('save.saved')).first().waitFor()
  }

  /** Answers the four questions of assessments.ts, stage(), correctly, from the first to the last. */
  async answerEachType(): Promise<void> {
    await this.choose('57 °C')
    await this.next()
    for (const option of ['Cut melon', 'Cut tomatoes', 'Garlic in oil']) await this.choose(option)
    await this.next()
    await this.type('74.5')
    await this.next()
    await this.type('sesame')
  }

  // The end of a stage.

  async openOverview(): Promise<void> {
    await this.button('question.overview').click()
    await this.see('overview.title')
  }

  /** Goes to a question from the overview. */
  async jumpTo(number: number): Promise<void> {
    // The name of the link may also say the question's state.
    const name = new RegExp(this.pattern('question.number', { number }).source.replace(/\$$/, ''))
    await this.page.getByRole('link', { name }).click()
    await this.seeQuestion(number)
  }

  /** Asks to submit the stage, from the overview, and waits for the confirmation. */
  async submit(): Promise<void> {
    await this.button('overview.submit').click()
    await this.see('confirm.title')
  }

  /** Confirms the submission. */
  confirm(): Promise<void> {
    return this.button('confirm.yes').click()
  }

  /** Opens the overview, submits the stage, and confirms. */
  async submitStage(): Promise<void> {
    await this.openOverview()
    await this.submit()
    await this.confirm()
  }

  seeEnd(): Promise<void> {
    return this.see('end.title')
  }
}
