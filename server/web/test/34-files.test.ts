// The files of the languages, the code that uses them, and the styles. No browser is needed.
import assert from 'node:assert/strict'
import { globSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import ts from 'typescript'
import candidateLanguages from '../src/shared/candidate_languages.json' with { type: 'json' }
import { localesOf, texts } from './support/texts.ts'

const source = join(import.meta.dirname, '../src')
const pages = {
  take: Object.keys(candidateLanguages),
  account: ['de', 'en'],
  app: ['de', 'en'],
}
const names = Object.keys(pages) as (keyof typeof pages)[]

const parameters = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!).sort()
const formsOf = (message: string | Record<string, string>) =>
  typeof message === 'string' ? { other: message } : message

/** The numbers from 0 to 200 with each plural form of a language. */
function counts(locale: string): Map<string, number[]> {
  const rules = new Intl.PluralRules(locale)
  const found = new Map<string, number[]>([['other', []]])
  for (let count = 0; count <= 200; count++)
    found.set(rules.select(count), [...(found.get(rules.select(count)) ?? []), count])
  return found
}

for (const page of names) {
  const english = texts('en', page)

  test(`34: The texts in the script of ${page} are those of English`, () => {
    const essential = JSON.parse(readFileSync(join(source, page, 'essential.json'), 'utf8')) as Record<string, string>
    assert.ok(Object.keys(essential).length > 0)
    for (const [key, message] of Object.entries(essential)) assert.equal(message, english[key], key)
  })

  test(`34: All languages of ${page} have the same keys, parameters, and plural forms`, () => {
    const locales = readdirSync(localesOf(page)).map((file) => file.replace('.json', ''))
    assert.deepEqual(locales.sort(), pages[page])
    const faults: string[] = []
    for (const locale of locales) {
      const messages = texts(locale, page)
      const lacks = Object.keys(english).filter((key) => !(key in messages))
      const tooMany = Object.keys(messages).filter((key) => !(key in english))
      if (lacks.length > 0) faults.push(`${locale} lacks ${lacks.join(', ')}`)
      if (tooMany.length > 0) faults.push(`${locale} has texts that English lacks: ${tooMany.join(', ')}`)
      if (!['yes', 'no'].includes(String(messages['language.reviewed']))) {
        faults.push(`${locale} does not say whether a native speaker has reviewed it`)
      }
      const needed = counts(locale)
      for (const [key, model] of Object.entries(english)) {
        const message = messages[key]
        if (message === undefined) continue
        const place = `${locale} ${key}`
        if (typeof message !== typeof model) {
          faults.push(`${place}: has plural forms in one language only`)
          continue
        }
        const forms = formsOf(message)
        if (typeof message !== 'string') {
          assert.deepEqual(Object.keys(forms).sort(), [...needed.keys()].sort(), `${place}: plural forms`)
        }
        const wanted = parameters(formsOf(model).other!)
        for (const [form, text] of Object.entries(forms)) {
          if (text.trim() === '') faults.push(`${place}: is empty`)
          // A form for exactly one number can say it in words.
          const isWord = typeof message !== 'string' && needed.get(form)?.length === 1 && form !== 'other'
          const isFine = [wanted, isWord ? wanted.filter((name) => name !== 'count') : wanted].some(
            (names) => names.join() === parameters(text).join(),
          )
          if (!isFine) faults.push(`${place}: has the parameters ${parameters(text)} instead of ${wanted}`)
        }
      }
    }
    assert.deepEqual(faults, [])
  })

  test(`34: The code of ${page} gives each text its parameters, and uses each text`, () => {
    const faults: string[] = []
    const used = new Set<string>()
    const patterns: RegExp[] = []
    for (const path of globSync([`${page}/**/*.{ts,tsx}`, 'shared/**/*.{ts,tsx}'], { cwd: source })) {
      const file = ts.createSourceFile(path, readFileSync(join(source, path), 'utf8'), ts.ScriptTarget.ES2022, true)
      const visit = (node: ts.Node): void => {
        if (ts.isStringLiteralLike(node)) used.add(node.text)
        if (ts.isTemplateExpression(node)) {
          const parts = [node.head.text, ...node.templateSpans.map((span) => span.literal.text)]
          const isKey = parts.some((part) => part.includes('.')) && parts.every((part) => /^[\w.]*$/.test(part))
          if (isKey) patterns.push(new RegExp(`^${parts.map((part) => part.replaceAll('.', '\\.')).join('.+')}$`))
        }
        if (
          ts.isCallExpression(node) &&
          ts.isIdentifier(node.expression) &&
          ['text', 'rich'].includes(node.expression.text)
        ) {
          const given = namesGiven(node.arguments.slice(1))
          for (const key of keysIn(node.arguments[0])) {
            if (!(key in english) && path.startsWith(page)) faults.push(`${path}: ${page} has no text ${key}`)
            const needs = parameters(formsOf(english[key] ?? '').other!)
            if (typeof english[key] === 'object' && !needs.includes('count')) needs.push('count')
            const lacks = given && needs.filter((name) => !given.has(name))
            if (lacks && lacks.length > 0) faults.push(`${path}: ${key} lacks ${lacks}`)
          }
        }
        ts.forEachChild(node, visit)
      }
      visit(file)
    }
    for (const key of Object.keys(english)) {
      const isUsed = key === 'language.reviewed' || used.has(key) || patterns.some((pattern) => pattern.test(key))
      if (!isUsed) faults.push(`no code uses ${key}`)
    }
    assert.deepEqual(faults, [])
  })
}

/** The keys that the first argument can be: a text, or a choice of texts. */
function keysIn(node: ts.Expression | undefined): string[] {
  if (!node) return []
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isConditionalExpression(node)) return [...keysIn(node.whenTrue), ...keysIn(node.whenFalse)]
  if (ts.isParenthesizedExpression(node)) return keysIn(node.expression)
  return []
}

/** The names in objects, or undefined if an argument is not written out. */
function namesGiven(given: ts.Expression[]): Set<string> | undefined {
  const names = new Set<string>()
  for (const argument of given) {
    if (!ts.isObjectLiteralExpression(argument)) return undefined
    for (const property of argument.properties) {
      if (ts.isSpreadAssignment(property)) return undefined
      names.add(property.name!.getText())
    }
  }
  return names
}

/** The terms of the dashboard, and the German word for each. */
const terms: [RegExp, RegExp][] = [
  [/\bstatus(es)?\b/i, /status/i],
  [/\bstates?\b/i, /\bst[aä]nd/i],
  // A session in review is another thing than the review of the team.
  [/(?<!\bin )\breviews?\b/i, /beurteil/i],
  [/\bin review\b/i, /in prüfung/i],
  [/\bratings?\b/i, /bewertung/i],
  [/(?<!passing )\bscores?\b/i, /punktzahl/i],
  [/\bpassing score\b/i, /bestehensgrenze/i],
  [/\bresults?\b/i, /ergebnis/i],
  [/\bstages?\b/i, /\bteil/i],
]

test('34: The German dashboard has one word for each term', () => {
  const words = (message: string | Record<string, string>) =>
    Object.values(formsOf(message)).join(' ').replace(/\{\w+\}/g, '')
  const german = texts('de', 'app')
  const faults = Object.entries(texts('en', 'app')).flatMap(([key, message]) =>
    terms
      .filter(([term, word]) => term.test(words(message)) && !word.test(words(german[key] ?? '')))
      .map(([, word]) => `${key}: "${words(german[key] ?? '')}" lacks ${word}`),
  )
  assert.deepEqual(faults, [])
})

test('34: No file of texts has a key twice, and no two files of the dashboard have it', () => {
  const faults: string[] = []
  const owners = new Map<string, string>()
  for (const path of globSync('{take,account,app}/**/*.json', { cwd: source })) {
    if (/essential\.json$|languages\.json$/.test(path)) continue
    // JSON.parse keeps only the last of equal keys.
    const file = ts.parseJsonText(path, readFileSync(join(source, path), 'utf8'))
    const root = file.statements[0]!.expression
    assert.ok(ts.isObjectLiteralExpression(root), path)
    const locale = /([\w-]+)\.json$/.exec(path)![1]!
    for (const property of root.properties) {
      const key = (property.name as ts.StringLiteral).text
      const place = `${path.split('/')[0]} ${locale} ${key}`
      if (owners.has(place)) faults.push(`${key} is in ${owners.get(place)} and in ${path}`)
      owners.set(place, path)
    }
  }
  assert.ok(owners.size > 1000, `found ${owners.size} texts`)
  assert.deepEqual(faults, [])
})

test('34: The styles name no left or right side', () => {
  const physical = [
    /(?:^|[;{\s])(?:left|right)\s*:/,
    /(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)/,
    /(?:text-align|float|clear)\s*:\s*(?:left|right)/,
    /border-(?:top|bottom)-(?:left|right)-radius/,
  ]
  const faults: string[] = []
  for (const path of globSync('**/*.css', { cwd: source })) {
    const lines = readFileSync(join(source, path), 'utf8').split('\n')
    for (const [index, line] of lines.entries()) {
      // Code and formulas are written from left to right in every language.
      if (physical.some((pattern) => pattern.test(line)) && !/^(pre|code|\.formula)\b/.test(line))
        faults.push(`${path}:${index + 1}: ${line.trim()}`)
      for (const [, ...sides] of line.matchAll(
        /(?:margin|padding|inset)\s*:\s*([^\s;(]+)\s+([^\s;(]+)\s+([^\s;(]+)\s+([^\s;(]+)\s*[;}]/g,
      )) {
        if (sides[1] !== sides[3]) faults.push(`${path}:${index + 1}: ${line.trim()}`)
      }
    }
  }
  assert.deepEqual(faults, [])
})
