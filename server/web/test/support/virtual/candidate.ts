// A patient candidate on the candidate page, who does each second what the page offers.
import assert from 'node:assert/strict'
import { VirtualBrowser, type Network } from './page.ts'
import { ModelServer, token, type Request_ } from './model.ts'
import { VirtualTime } from './time.ts'

export type Plan = Record<string, string | number>

/** The questions of the first stage, and of the second stage, which has a time limit. */
export const plan: Plan = { q1: 1, q2: 'two', q3: '3', q4: 'four', q5: 0 }
const question = (id: string) => {
  const type = typeof plan[id] === 'number' ? 'SINGLE_CHOICE' : id === 'q3' ? 'NUMERIC' : 'SHORT_TEXT'
  return { id, type }
}
const stages = [
  { id: 's1', seconds: null, questions: ['q1', 'q2', 'q3'].map(question) },
  { id: 's2', seconds: 60, questions: ['q4', 'q5'].map(question) },
]

/** How long the page can leave the candidate without anything to do but wait, in milliseconds. */
const maxIdle = 20_000

export class Journey {
  readonly time = new VirtualTime()
  readonly server = new ModelServer(this.time, stages)
  readonly browser: VirtualBrowser
  readonly requests: Request_[] = []
  /** The answers by question, as the candidate has entered them. */
  entered: Plan = {}
  answers: Plan
  /** Whether the candidate does not submit the second stage. */
  staysUntilTheEnd = false
  /** Whether the candidate submits only after the page has named an answer that does not get through. */
  waitsForNotice = false
  /** Whether the page has named an answer that does not get through. */
  hasSeenBlocked = false
  private idleSince = 0

  constructor(network: (request: Request_, journey: Journey) => ReturnType<Network>, answers: Plan = plan) {
    this.answers = answers
    this.browser = new VirtualBrowser(this.time, (request) => {
      this.requests.push(request)
      return network(request, this)
    })
    this.browser.open(`#${token}`)
  }

  get isDone(): boolean {
    const isShown = this.browser.left !== undefined || this.browser.is('end.title')
    return isShown && this.server.status === 'COMPLETED'
  }

  /** live lets the time pass until the candidate is done, or `until`. */
  async live(milliseconds: number, until: () => boolean = () => false): Promise<void> {
    const end = this.time.now + milliseconds
    while (this.time.now < end && !this.isDone && !until()) {
      await this.time.pass(1000)
      this.check()
      this.act()
    }
  }

  /** act is one step of the candidate. */
  private act(): void {
    const { browser } = this
    if (browser.press('intro.start') || browser.press('stage.start') || browser.press('continue.yes')) return
    const number = /^Question (\d) of/.exec(browser.heading)?.[1]
    if (number !== undefined) {
      const id = this.server.current?.questions[Number(number) - 1]?.id
      const answer = id === undefined ? undefined : this.answers[id]
      if (id !== undefined && answer !== undefined && !(id in this.entered) && this.showsStageOf(id)) {
        if (browser.enter(answer)) this.entered[id] = answer
        return
      }
      if (!browser.press('question.next') && !this.isStaying(id)) browser.press('question.overview')
      return
    }
    if (browser.is('overview.title')) browser.press('overview.submit')
    else if (browser.is('confirm.title')) browser.press('confirm.yes')
  }

  /** The first stage has three questions, and the second has two. */
  private showsStageOf(id: string): boolean {
    const isFirst = /of 3$/.test(this.browser.heading)
    return isFirst === ['q1', 'q2', 'q3'].includes(id)
  }

  private isStaying(id: string | undefined): boolean {
    return (this.staysUntilTheEnd && id === 'q5') || (this.waitsForNotice && !this.hasSeenBlocked)
  }

  /** check checks what must be true at each moment. */
  private check(): void {
    const { browser, time } = this
    assert.deepEqual(browser.faults, [], 'the page has a fault')
    assert.ok(browser.mostInFlight <= 1, 'two requests with answers were in flight')
    if (browser.is('save.saved', browser.textOf('header .saved'))) this.checkSaved()
    if (browser.shows('blocked.notice')) this.hasSeenBlocked = true
    if (browser.enabled.length > 0) this.idleSince = time.now
    assert.ok(time.now - this.idleSince < maxIdle, `nothing to do for ${maxIdle} ms: "${browser.heading}"`)
  }

  private checkSaved(): void {
    const { current } = this.server
    for (const { id } of current?.questions ?? []) {
      if (id in this.entered) assert.ok(this.isStored(id), `the page says "Saved", and the server lacks ${id}`)
    }
  }

  isStored(id: string): boolean {
    const answer = this.server.answers.get(id)?.answer
    const entered = this.entered[id]
    const value = answer?.text ?? answer?.number?.toString() ?? answer?.optionId
    return value !== undefined && value === (typeof entered === 'number' ? ['a', 'b'][entered] : entered)
  }
}
