// Time that passes only when a test says so.

interface Timer {
  id: number
  at: number
  act: () => void
  every: number | undefined
}

export class VirtualTime {
  /** Milliseconds since the page's time began. */
  now = 1000
  private timers: Timer[] = []
  private lastId = 0

  set(act: () => void, milliseconds = 0, isRepeated = false): number {
    const wait = Math.max(Number(milliseconds) || 0, 1)
    const id = ++this.lastId
    this.timers.push({ id, at: this.now + wait, act, every: isRepeated ? wait : undefined })
    return id
  }

  clear(id: number | undefined): void {
    this.timers = this.timers.filter((timer) => timer.id !== id)
  }

  /** forget removes all timers, as the end of a page does. */
  forget(): void {
    this.timers = []
  }

  /** pass runs everything that is due within the time. */
  async pass(milliseconds: number): Promise<void> {
    const until = this.now + milliseconds
    await drained()
    for (;;) {
      const next = this.timers.reduce<Timer | undefined>(
        (first, timer) => (timer.at <= until && (!first || timer.at < first.at) ? timer : first),
        undefined,
      )
      if (!next) break
      this.now = Math.max(this.now, next.at)
      if (next.every === undefined) this.clear(next.id)
      else next.at = this.now + next.every
      next.act()
      await drained()
    }
    this.now = until
  }
}

/** drained waits until all promises that are settled have been handled. */
const drained = () => new Promise((done) => setImmediate(done))
