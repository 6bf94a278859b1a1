// Starts one browser and one server, and runs the test files against them. Exits
// with 1 if a test fails or is skipped, or if no test runs.
import { readFileSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { parseArgs } from 'node:util'
import { checkedStates } from './axe.ts'
import { launchChromium } from './chromium.ts'
import { startServer } from './server.ts'

const folder = resolve(import.meta.dirname, '..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'test-name-pattern': { type: 'string', multiple: true } },
})
const all = readdirSync(folder).filter((name) => name.endsWith('.test.ts'))
// Most take minutes, and one needs a quiet machine, so they run when their names are given.
const slow = [
  ...all.filter((name) => name.startsWith('12-faults-')),
  '32-every-state.test.ts',
  '33-hostile-texts.test.ts',
  '35-speed.test.ts',
  '37-translation-states.test.ts',
  'app-every-state.test.ts',
  'app-hostile-texts.test.ts',
  'app-translation-states.test.ts',
]
const chosen = positionals.map((file) => file.replace(/^.*\//, '').replace(/(\.test)?(\.ts)?$/, '.test.ts'))
const unknown = chosen.filter((file) => !all.includes(file))
if (unknown.length > 0) throw new Error(`no such test file: ${unknown.join(', ')}`)

const [chromium, server] = await Promise.all([launchChromium(), startServer()])
process.env.BROWSER_ENDPOINT = chromium.wsEndpoint()
process.env.ASSAY_URL = server.url

const faults: string[] = []
const patterns = values['test-name-pattern']
let count = 0

/** Runs the files, and returns the names of the tests that failed, by file. */
async function runFiles(files: string[], concurrency: number): Promise<Map<string, string[]>> {
  const failed = new Map<string, string[]>()
  const stream = run({
    files,
    concurrency,
    // A file that hangs fails alone, and the other files continue. The slow files are run by their names.
    timeout: chosen.length > 0 ? 1_200_000 : 400_000,
    ...(patterns && { testNamePatterns: patterns.map((pattern) => new RegExp(pattern)) }),
  })
  // A file without tests counts as a test of that name in the summary, so the events are counted instead.
  stream.on('test:pass', ({ name, skip, todo }) => {
    if (name.startsWith(folder)) return
    count++
    if (skip !== undefined || todo !== undefined) faults.push(`skipped: ${name}`)
  })
  stream.on('test:fail', ({ name, file }) => {
    count++
    // The name of a file that ends without its tests is its path.
    const path = file ?? name
    failed.set(path, [...(failed.get(path) ?? []), name])
  })
  for await (const text of stream.compose(spec)) process.stdout.write(text)
  return failed
}

if (chosen.length === 0) console.log(`${slow.join(', ')} run with "make test-browsers" and "make test-states"`)
const files = chosen.length > 0 ? chosen : all.filter((name) => !slow.includes(name))
const failed = await runFiles(
  files.map((file) => join(folder, file)),
  Number(process.env.JOBS ?? 4),
)
// A browser on a busy machine can be late at a single moment. What fails at the first attempt is printed,
// and must pass when its file runs again by itself.
if (failed.size > 0 && failed.size <= 4) {
  const names = [...failed.values()].flat()
  console.log(`\nFAILED AT THE FIRST ATTEMPT, runs again: ${names.join(', ')}\n`)
  const again = await runFiles([...failed.keys()], 1)
  faults.push(...[...again.values()].flat())
} else {
  faults.push(...[...failed.values()].flat())
}

if (count === 0) faults.push('no test ran')
await Promise.allSettled([chromium.close(), server.stop()])
const states = checkedStates()
console.log(`axe checked ${states.length} states${states.length > 0 ? `: ${states.join(', ')}` : ''}`)
const logged = readFileSync(server.log, 'utf8')
  .split('\n')
  .filter((line) => /level=ERROR|panic/.test(line))
if (logged.length > 0) faults.push(`the server logged errors:\n${logged.slice(0, 20).join('\n')}`)
for (const fault of faults) console.error(`FAIL: ${fault}`)
process.exitCode = faults.length > 0 ? 1 : 0
