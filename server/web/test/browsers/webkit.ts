// WebKitGTK's browser for tests, over WebDriver (https://www.w3.org/TR/webdriver2/). It
// needs a display, which Xvfb provides.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../support/server.ts'
import type { Browser } from './remote.ts'

/** Starts WebKitWebDriver and MiniBrowser, with their files in the folder. */
export async function startWebKit(folder: string): Promise<Browser> {
  const [binary] = globSync('/usr/lib/{*/,}webkit2gtk-4.*/MiniBrowser')
  if (!binary) throw new Error('there is no MiniBrowser of webkit2gtk-driver')
  const home = join(folder, 'webkit')
  mkdirSync(home, { recursive: true })

  // Xvfb chooses a free display, and writes its number to the descriptor 3.
  const display = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  process.once('exit', () => display.kill('SIGKILL'))
  const [number] = (await once(display.stdio[3]!, 'data')) as [Buffer]
  const port = await freePort()
  const driver = spawn('WebKitWebDriver', [`--port=${port}`], {
    env: {
      ...process.env,
      HOME: home,
      XDG_RUNTIME_DIR: home,
      DISPLAY: `:${String(number).trim()}`,
      GDK_BACKEND: 'x11',
    },
    stdio: 'ignore',
  })
  process.once('exit', () => driver.kill('SIGKILL'))

  const base = `http://127.0.0.1:${port}`
  await listening(base, driver)
  const options = { binary, args: ['--automation'] }
  const { sessionId } = (await call(`${base}/session`, {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
  })) as { sessionId: string }
  const session = `${base}/session/${sessionId}`
  return {
    name: 'WebKit',
    async navigate(url) {
      await call(`${session}/url`, { url })
    },
    execute: (script, ...args) => call(`${session}/execute/sync`, { script, args }),
    async perform(actions) {
      await call(`${session}/actions`, { actions })
    },
    async close() {
      await fetch(session, { method: 'DELETE' })
      await Promise.all([end(driver), end(display)])
    },
  }
}

async function listening(base: string, driver: ChildProcess): Promise<void> {
  for (const until = Date.now() + 15_000; Date.now() < until && driver.exitCode === null; await sleep(25)) {
    const response = await fetch(`${base}/status`).catch(() => null)
    if (response?.ok) return
  }
  throw new Error('WebKitWebDriver did not start')
}

async function call(address: string, body: object): Promise<unknown> {
  const response = await fetch(address, { method: 'POST', body: JSON.stringify(body) })
  const { value } = (await response.json()) as { value: unknown }
  if (!response.ok) throw new Error(`${address}: ${JSON.stringify(value)}`)
  return value
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill()
  await exited
}
