// Accessibility checks with axe-core.
import assert from 'node:assert/strict'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

type Axe = typeof import('axe-core')

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const list = () => join(process.env.TEST_FOLDER ?? '', 'axe-states')

const colors = {
  light: { colorScheme: 'light', forcedColors: 'none' },
  dark: { colorScheme: 'dark', forcedColors: 'none' },
  'forced colors': { colorScheme: null, forcedColors: 'active' },
} as const

/** Checks a state in light, in dark, and with forced colors. */
export async function checkAxeInAllColors(page: Page, state: string): Promise<void> {
  for (const [name, media] of Object.entries(colors)) {
    await page.emulateMedia(media)
    await checkAxe(page, `${state} (${name})`)
  }
  await page.emulateMedia({ colorScheme: null, forcedColors: null })
}

/** Fails if axe-core finds anything, except what the rules `without` find. The run prints the names of all checked states. */
export async function checkAxe(page: Page, state: string, without: string[] = []): Promise<void> {
  appendFileSync(list(), `${state}\n`)
  await settled(page)
  await page.evaluate(source)
  const options = { without: Object.fromEntries(without.map((id) => [id, { enabled: false }])), rules }
  const found = await page.evaluate(async ({ without, rules }) => {
    const { axe } = window as unknown as { axe: Axe }
    const { violations } = await axe.run({ runOnly: rules, rules: without, resultTypes: ['violations'] })
    return violations.flatMap(({ id, nodes }) =>
      nodes.slice(0, 5).map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`),
    )
  }, options)
  assert.deepEqual(found, [], `axe-core in the state "${state}"`)
}

/** The states that the test files have checked, without repetitions. */
export function checkedStates(): string[] {
  if (!existsSync(list())) return []
  return [...new Set(readFileSync(list(), 'utf8').trim().split('\n'))].sort()
}

/** Waits for the end of transitions. During one, axe-core would see colors in between. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished))
  })
}
