// Takes pictures of the states of the pages, in three widths, light and dark, and puts
// the six pictures of a state together on one sheet.
// Usage: make screenshots, or make screenshots STATE=intro, or LOCALE=ar make screenshots for another language, or
// ZOOM=4 make screenshots for a window of 1280 × 1024 px at 400 %
import { readFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchChromium, browser, disconnect } from './support/chromium.ts'
import { startServer } from './support/server.ts'
import { Candidate } from './support/journey.ts'
import { Member } from './support/member.ts'
import { visit, type OpenOptions } from './support/page.ts'
import type { Visitor } from './support/visitor.ts'
import { states as accountStates } from './account_states.ts'
import { states as appStates } from './app_states/all.ts'
import { signedIn, User } from './support/dashboard.ts'
import { states as takeStates } from './states.ts'

type Opened = (link: string, options?: OpenOptions) => Promise<Page>
type State = { name: string; reach(open: Opened): Promise<Visitor> }

const locale = process.env.LOCALE ?? 'en'
const states: State[] = [
  ...takeStates.map(({ name, reach }) => ({
    name,
    reach: (open: Opened) => reach(async (...link) => new Candidate(await open(...link), locale)),
  })),
  ...accountStates.map(({ name, reach }) => ({
    name,
    reach: (open: Opened) => reach(async (...link) => new Member(await open(...link), locale)),
  })),
  ...appStates.map(({ name, reach }) => ({
    name,
    reach: (open: Opened) =>
      reach(async (...given) => {
        const { link, settings } = await signedIn(...given)
        return new User(await open(link, settings), locale)
      }),
  })),
]

const folder = join(import.meta.dirname, '../screenshots')
const zoom = Number(process.env.ZOOM ?? 1)
const widths = zoom > 1 ? [1280 / zoom] : [360, 768, 1280]
const schemes = ['light', 'dark'] as const

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !states.some((state) => state.name === name))
if (unknown.length > 0) {
  throw new Error(`no such state: ${unknown.join(', ')}; the states are ${states.map(({ name }) => name).join(', ')}`)
}
const chosen = states.filter(({ name }) => wanted.length === 0 || wanted.includes(name))

mkdirSync(join(folder, 'sheets'), { recursive: true })
const [chromium, server] = await Promise.all([launchChromium(), startServer()])
process.env.BROWSER_ENDPOINT = chromium.wsEndpoint()
process.env.ASSAY_URL = server.url

const left = [...chosen]
const worker = async () => {
  for (let state = left.shift(); state; state = left.shift()) {
    try {
      await take(state)
      console.log(`${state.name}: ${join(folder, 'sheets', `${state.name}.png`)}`)
    } catch (error) {
      console.error(`${state.name}: ${error instanceof Error ? error.message : String(error)}`)
      process.exitCode = 1
    }
  }
}
await Promise.all(Array.from({ length: Number(process.env.JOBS ?? 3) }, worker))
await disconnect()
await Promise.allSettled([chromium.close(), server.stop()])

/** Reaches a state once, and takes its six pictures. */
async function take({ name, reach }: State): Promise<void> {
  const contexts = new Set<{ close(): Promise<void> }>()
  try {
    const { page } = await reach(async (link, options = {}) => {
      const { page, context } = await visit(link, {
        ...options,
        ...(locale !== 'en' && { locale }),
        ...(zoom > 1 && { deviceScaleFactor: zoom }),
      })
      contexts.add(context)
      return page
    })
    const files = []
    for (const colorScheme of schemes) {
      for (const width of widths) {
        const path = join(folder, `${name}-${width}-${colorScheme}.png`)
        await page.emulateMedia({ colorScheme })
        const height = zoom > 1 ? 1024 / zoom : width < 768 ? 740 : 800
        await page.setViewportSize({ width, height })
        // A window as high as the page, so that what stays in sight is at its place.
        const whole = await page.evaluate(() => document.documentElement.scrollHeight)
        if (whole > height) await page.setViewportSize({ width, height: whole })
        await page.screenshot({ path })
        files.push(path)
      }
    }
    await makeSheet(name, files)
  } finally {
    for (const context of contexts) await context.close()
  }
}

/** Combines the pictures into one, at half their size. */
async function makeSheet(name: string, files: string[]): Promise<void> {
  const page: Page = await (await browser()).newPage({ viewport: { width: 1300, height: 600 } })
  const images = files.map((file) => {
    const width = Number(/-(\d+)-[a-z]+\.png$/.exec(file)?.[1])
    return `<img width="${width / 2}" src="data:image/png;base64,${readFileSync(file).toString('base64')}">`
  })
  await page.setContent(
    `<style>body { margin: 8px; background: #888 } div { display: flex; gap: 8px; align-items: start; margin-bottom: 8px }</style>
    <div>${images.slice(0, 3).join('')}</div><div>${images.slice(3).join('')}</div>`,
    { waitUntil: 'load' },
  )
  await page.screenshot({ path: join(folder, 'sheets', `${name}.png`), fullPage: true })
  await page.close()
}
