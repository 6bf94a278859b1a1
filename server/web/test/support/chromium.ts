// Chromium, started once for all test files.
import { chromium, type Browser, type BrowserServer } from 'playwright-core'

/**
 * Starts Chromium without its user interface, which takes less than half the time.
 * Only names of this machine resolve.
 */
export function launchChromium(): Promise<BrowserServer> {
  return chromium.launchServer({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'],
  })
}

let connected: Promise<Browser> | undefined

/** The connection of this process to the browser of the run. */
export function browser(): Promise<Browser> {
  const endpoint = process.env.BROWSER_ENDPOINT
  if (!endpoint) throw new Error('run the tests with server/web/test/run')
  connected ??= chromium.connect(endpoint)
  return connected
}

/** Ends the connection, because an open one keeps the process alive. */
export async function disconnect(): Promise<void> {
  const open = connected
  connected = undefined
  await (await open)?.close()
}
