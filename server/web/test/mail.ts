// Takes pictures of emails in two widths, light and dark, and fails if an email asks for
// anything or axe-core finds a fault. Usage: make mail-screenshots, which writes the emails.
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Page } from 'playwright-core'
import { checkAxe } from './support/axe.ts'
import { browser, disconnect, launchChromium } from './support/chromium.ts'
import { outOfReach } from './support/hostile.ts'
import { overflows } from './support/layout.ts'

const samples = process.env.MAIL_SAMPLES!
const folder = join(import.meta.dirname, '../../mail/screenshots')
const pattern = new RegExp(process.argv[2] ?? '')
const widths = [320, 360, 800]
const schemes = ['light', 'dark'] as const

mkdirSync(folder, { recursive: true })
const chromium = await launchChromium()
process.env.BROWSER_ENDPOINT = chromium.wsEndpoint()

const left = readdirSync(samples).filter((file) => file.endsWith('.html') && pattern.test(file))
assert.ok(left.length > 0, `no email fits ${pattern}`)
const worker = async () => {
  for (let file = left.shift(); file; file = left.shift()) {
    try {
      await take(file)
    } catch (error) {
      console.error(`${file}: ${error instanceof Error ? error.message : String(error)}`)
      process.exitCode = 1
    }
  }
}
await Promise.all(Array.from({ length: Number(process.env.JOBS ?? 2) }, worker))
await disconnect()
await chromium.close()

async function take(file: string): Promise<void> {
  const context = await (await browser()).newContext({ reducedMotion: 'reduce' })
  try {
    const page = await context.newPage()
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await context.route('**', (route) => route.abort())
    await page.setContent(readFileSync(join(samples, file), 'utf8'), { waitUntil: 'load' })
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme })
      for (const width of widths) {
        await page.setViewportSize({ width, height: 700 })
        assert.deepEqual([...(await overflows(page)), ...(await outOfReach(page))], [], `${width} px`)
        if (width === 320) continue
        await page.screenshot({ path: join(folder, name(file, width, colorScheme)), fullPage: true })
      }
      // The mail program around an email has the landmarks.
      await checkAxe(page, `${file} (${colorScheme})`, ['landmark-one-main', 'region'])
    }
    assert.deepEqual(requests, [], 'requests')
    await makeSheet(file, await context.newPage())
  } finally {
    await context.close()
  }
}

function name(file: string, width: number, scheme: string): string {
  return `${basename(file, '.html')}-${width}-${scheme}.png`
}

/** Combines the four pictures of an email into one. */
async function makeSheet(file: string, page: Page): Promise<void> {
  const images = schemes.flatMap((scheme) =>
    [360, 800].map((width) => {
      const picture = readFileSync(join(folder, name(file, width, scheme))).toString('base64')
      return `<img width="${width * 0.75}" src="data:image/png;base64,${picture}">`
    }),
  )
  await page.context().unroute('**')
  await page.setViewportSize({ width: 1780, height: 600 })
  await page.setContent(`<body style="margin:8px;background:#888;display:flex;gap:8px;align-items:start">${images.join('')}`)
  await page.screenshot({ path: join(folder, `sheet-${basename(file, '.html')}.png`), fullPage: true })
}
