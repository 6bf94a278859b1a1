// One tab of this browser works on a session. The others are read-only. The tabs agree
// over a BroadcastChannel. Locks would be simpler, but browsers offer them on HTTPS only.
import { signal } from '@preact/signals'

/** Whether another tab has taken over. */
export const readOnly = signal(false)

type Word =
  | 'ask' // May I work on the session?
  | 'here' // No, I do.
  | 'take' // I do now.
  | 'given' // I no longer do, and everything I had is kept.

const me = Math.random()
let channel: BroadcastChannel | undefined
let state: 'idle' | 'asking' | 'holding' = 'idle'
let answered: (word: Word) => void = () => {}
let give: () => Promise<unknown> = async () => {}

/** How long a tab waits for other tabs, in milliseconds. A tab that the browser has frozen does not answer. */
const patience = { ask: 150, take: 1000 }

/** beforeGiving sets what happens before another tab takes over. */
export function beforeGiving(work: () => Promise<unknown>): void {
  give = work
}

/** hold makes this tab the one that works on the session. It returns false if another tab is, unless it takes over. */
export async function hold(session: string, options: { takeOver?: boolean } = {}): Promise<boolean> {
  join(`assay-take-${session}`)
  if (!channel || state === 'holding') return true
  state = 'asking'
  const isTaken = !options.takeOver && (await reply('ask')) === 'here'
  if (!isTaken) {
    // Also after an unanswered question: a frozen tab reads this when it continues.
    if (options.takeOver) await reply('take')
    else say('take')
  }
  state = isTaken ? 'idle' : 'holding'
  if (!isTaken) readOnly.value = false
  return !isTaken
}

function join(name: string): void {
  if (channel?.name === name || typeof BroadcastChannel === 'undefined') return
  channel?.close()
  state = 'idle'
  channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }: MessageEvent<{ word: Word; from: number }>) => void hear(data.word, data.from)
}

async function hear(word: Word, from: number): Promise<void> {
  if (word === 'ask') {
    // Of two tabs that ask at the same time, the one with the lower number works.
    if (state === 'holding' || (state === 'asking' && me < from)) say('here')
    else if (state === 'asking') say('ask')
    return
  }
  if (word !== 'take') return answered(word)
  if (state === 'asking') answered('here')
  if (state !== 'holding') return
  state = 'idle'
  readOnly.value = true
  await give()
  say('given')
}

function say(word: Word): void {
  channel?.postMessage({ word, from: me })
}

function reply(word: 'ask' | 'take'): Promise<Word | undefined> {
  return new Promise((done) => {
    answered = done
    say(word)
    setTimeout(() => done(undefined), patience[word])
  })
}
