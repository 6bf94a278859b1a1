// Which files use the storage of a browser, and what their tables say. No browser is needed.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import ts from 'typescript'
import { table } from '../src/app/storage/table.ts'

const source = join(import.meta.dirname, '../src')

/** The homes, and what each may use. */
const homes: Record<string, RegExp> = {
  'app/storage/table.ts': /^(localStorage|sessionStorage|indexedDB)$/,
  'app/storage/storage.ts': /^(localStorage|sessionStorage)$/,
  'app/storage/clearing.ts': /^(localStorage|sessionStorage)$/,
  'app/storage/documents.ts': /^indexedDB$/,
  'take/tab.ts': /^sessionStorage$/,
  'take/database.ts': /^indexedDB$/,
  // Tabs tell each other that something has changed, and nothing is kept.
  'app/core/session.ts': /^BroadcastChannel$/,
  'app/editor/kept.ts': /^BroadcastChannel$/,
  'take/tabs.ts': /^BroadcastChannel$/,
  // The token of a link leaves the address, and must survive a reload. It leaves the entry when it was used.
  'account/link.ts': /^history\.state$/,
  'app/sign-in/setup_token.ts': /^history\.state$/,
  // Where the candidate is within a stage.
  'take/route.ts': /^history\.state$/,
}

const forbidden = /^(localStorage|sessionStorage|indexedDB|caches|BroadcastChannel|cookieStore|showSaveFilePicker)$/

/** What a file uses that keeps something: also as window.localStorage, window['localStorage'], and navigator.storage. */
export function uses(name: string, text: string): Set<string> {
  const found = new Set<string>()
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS)
  const visit = (node: ts.Node): void => {
    const isType = ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)
    if (isType) return
    const isName = ts.isIdentifier(node) || ts.isStringLiteralLike(node)
    if (isName && forbidden.test(node.text)) found.add(node.text)
    if (ts.isPropertyAccessExpression(node)) {
      const whole = node.getText().replace(/^(window|globalThis|self)\.|\?/g, '')
      if (/^(navigator\.(storage|serviceWorker)|document\.cookie)$/.test(whole)) found.add(whole)
    }
    if (ts.isCallExpression(node) && /^history\.(push|replace)State$/.test(node.expression.getText())) {
      const state = node.arguments[0]!.getText()
      if (!/^(null|history\.state)$/.test(state)) found.add('history.state')
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

test('only the homes of the storage use it', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: source }).filter((file) => !/\.(gen|d)\.ts$/.test(file))
  assert.ok(files.length > 200, `found ${files.length} files`)
  const faults = files.flatMap((file) => {
    const of = [...uses(file, readFileSync(join(source, file), 'utf8'))]
    return of.filter((one) => !homes[file]?.test(one)).map((one) => `${file} uses ${one}`)
  })
  assert.deepEqual(faults, [])
  for (const [file, allowed] of Object.entries(homes)) {
    const of = [...uses(file, readFileSync(join(source, file), 'utf8'))]
    assert.ok(of.some((one) => allowed.test(one)), `${file} does not use ${allowed}`)
  }
})

test('the search finds each way to keep something', () => {
  for (const text of [
    `localStorage.setItem('a', 'b')`,
    `window.sessionStorage.a = 'b'`,
    `globalThis['localStorage'].a = 'b'`,
    `const { indexedDB: database } = window`,
    `await caches.open('a')`,
    `new BroadcastChannel('a')`,
    `document.cookie = 'a=b'`,
    `navigator.serviceWorker.register('a.js')`,
    `await navigator.storage.getDirectory()`,
    `history.replaceState({ ...history.state, email }, '')`,
  ]) {
    assert.equal(uses('a.ts', text).size, 1, text)
  }
  assert.equal(uses('a.ts', `history.pushState(null, '', '/a') // localStorage`).size, 0)
})

test('the README says of each key what the table says', () => {
  const readme = readFileSync(join(source, 'app/README.md'), 'utf8')
  const rows = [...readme.matchAll(/^\| `([\w-]+)` \| (\w+) \| (\w+) \| ([\w ]+) \| ([\w ]+) \|/gm)]
  const said = Object.fromEntries(rows.map(([, name, area, owner, age, expired]) => [name, { area, owner, age, expired }]))
  const wanted = Object.fromEntries(
    Object.entries(table).map(([name, rule]) => [
      name,
      {
        area: rule.area,
        owner: rule.owner,
        age: 'days' in rule ? `${rule.days} ${rule.days === 1 ? 'day' : 'days'}` : 'no limit',
        expired: 'expired' in rule ? rule.expired : 'stays',
      },
    ]),
  )
  assert.deepEqual(said, wanted)
})
