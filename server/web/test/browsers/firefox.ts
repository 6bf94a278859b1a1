// Firefox over WebDriver BiDi (https://w3c.github.io/webdriver-bidi/), which it speaks without a driver.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from './remote.ts'

type Message = {
  id?: number
  type: string
  result?: unknown
  error?: string
  message?: string
  method?: string
  params?: unknown
}

/** Starts Firefox with a new profile in the folder. */
export async function startFirefox(folder: string): Promise<Browser> {
  const profile = join(folder, 'firefox')
  mkdirSync(profile, { recursive: true })
  const child = spawn('firefox-esr', ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0'], {
    // Firefox also writes to the home folder.
    env: { ...process.env, HOME: profile },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  process.once('exit', () => child.kill('SIGKILL'))
  const address = await new Promise<string>((found, failed) => {
    let written = ''
    child.stderr.on('data', (chunk) => {
      written += String(chunk)
      const match = /WebDriver BiDi listening on (ws:\S+)/.exec(written)
      if (match) found(match[1]!)
    })
    child.once('error', failed)
    child.once('exit', () => failed(new Error(`Firefox ended:\n${written}`)))
  })
  const { send, errors, socket } = await connect(`${address}/session`)
  await send('session.new', { capabilities: {} })
  await send('session.subscribe', { events: ['log.entryAdded'] })
  const { contexts } = (await send('browsingContext.getTree', {})) as { contexts: { context: string }[] }
  const context = contexts[0]!.context
  await send('browsingContext.setViewport', { context, viewport: { width: 390, height: 800 } })
  return {
    name: 'Firefox',
    async navigate(url) {
      await send('browsingContext.navigate', { context, url, wait: 'complete' })
    },
    async execute(body, ...args) {
      // Values travel as JSON, because BiDi has a form of its own for them.
      const { result, exceptionDetails } = (await send('script.callFunction', {
        functionDeclaration: `(args) => JSON.stringify((function () { ${body} })(...JSON.parse(args)) ?? null)`,
        arguments: [{ type: 'string', value: JSON.stringify(args) }],
        target: { context },
        awaitPromise: false,
      })) as { result?: { value: string }; exceptionDetails?: { text: string } }
      if (exceptionDetails) throw new Error(exceptionDetails.text)
      return JSON.parse(result?.value ?? 'null')
    },
    async perform(actions) {
      await send('input.performActions', { context, actions })
    },
    async close() {
      socket.close()
      const exited = once(child, 'exit')
      child.kill()
      await exited
      if (errors.length > 0) throw new Error(`the console of Firefox has errors:\n${errors.join('\n')}`)
    },
  }
}

/** Opens the connection. Errors in the console of the page are collected. */
async function connect(address: string) {
  const socket = new WebSocket(address)
  await once(socket, 'open')
  let last = 0
  const waiting = new Map<number, (message: Message) => void>()
  const errors: string[] = []
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    if (message.id !== undefined) waiting.get(message.id)?.(message)
    else if (message.method === 'log.entryAdded') {
      const { level, text } = message.params as { level: string; text: string }
      if (level === 'error') errors.push(text)
    }
  })
  const send = (method: string, params: object) => {
    const id = ++last
    return new Promise<unknown>((resolve, reject) => {
      waiting.set(id, (message) => {
        waiting.delete(id)
        if (message.type === 'success') resolve(message.result)
        else reject(new Error(`${method}: ${message.error} ${message.message}`))
      })
      socket.send(JSON.stringify({ id, method, params }))
    })
  }
  return { send, errors, socket }
}
