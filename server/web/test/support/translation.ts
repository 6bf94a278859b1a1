// The translation of a page by the browser, as Chrome does it: it replaces each node of text by
// <font><font>…</font></font>, and again whenever a text appears. Here the other language has the same words.
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { open, type OpenOptions } from './page.ts'

/** Translates the page from its start. It is for `before` of a page, together with what the test does there. */
export function translated(before?: OpenOptions['before']): NonNullable<OpenOptions['before']> {
  return async (page, context) => {
    await page.addInitScript(translate)
    await before?.(page, context)
  }
}

/** Runs in the page before its scripts. */
function translate(): void {
  const made = new WeakSet<Node>()
  const replace = (text: Text) => {
    const owner = text.parentElement
    if (!owner || made.has(owner) || !text.data.trim()) return
    // The property is inherited, as the attribute is.
    if (!(owner as HTMLElement).translate || owner.closest('script, style, textarea, svg, noscript, head')) return
    const [outer, inner] = [document.createElement('font'), document.createElement('font')]
    made.add(outer).add(inner)
    inner.append(text.data)
    outer.append(inner)
    text.replaceWith(outer)
  }
  const all = (root: Node) => {
    if (root instanceof Text) return replace(root)
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    while (walker.nextNode()) texts.push(walker.currentNode as Text)
    texts.forEach(replace)
  }
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) {
      if (type === 'characterData') replace(target as Text)
      else addedNodes.forEach(all)
    }
  }).observe(document, { childList: true, characterData: true, subtree: true })
}

interface Node_ {
  type: unknown
  props: { textContent?: string; dangerouslySetInnerHTML?: { __html: unknown } } | string | number
  /** The children. Preact's own build has this name. */
  __k: (Node_ | null)[] | null
}

/** Lists where the page shows another text than it means to. The page must have rendered with Preact. */
export function wrongTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const app = document.getElementById('app')!
    const meant = (node: Node_ | null): string => {
      if (!node || node.type === 'svg') return '' // the browser translates no drawings
      if (node.type === null) return String(node.props)
      const { textContent, dangerouslySetInnerHTML: html } = node.props as Exclude<Node_['props'], string | number>
      // The policy of the page permits only the HTML that the page has made itself.
      if (html) return new DOMParser().parseFromString(html.__html as string, 'text/html').body.textContent
      return textContent ?? (node.__k ?? []).map(meant).join('')
    }
    const root = (app as unknown as { __k: Node_ }).__k
    const copy = app.cloneNode(true) as HTMLElement
    // Preact does not know the voluntary questions: see 39-voluntary.test.ts.
    copy.querySelectorAll('svg, .voluntary').forEach((other) => other.remove())
    const [expected, shown] = [meant(root), copy.textContent]
    if (app.querySelectorAll('font').length === 0) return ['nothing is translated']
    if (expected === shown) return []
    let at = 0
    while (expected[at] === shown[at]) at++
    const around = (text: string) => text.slice(Math.max(0, at - 40), at + 60)
    return [`means "${around(expected)}" and shows "${around(shown)}"`]
  })
}

/**
 * Lists texts that a browser must not translate and would: addresses, identifiers, clocks, code, and the given
 * names where they stand alone.
 */
export function translatedNames(page: Page, names: string[]): Promise<string[]> {
  return page.evaluate((names) => {
    const found = [...document.querySelectorAll('#app font > font')].flatMap((font) => {
      const text = font.textContent.trim()
      const isName = names.includes(text) || /^\d+:\d\d(:\d\d)?$/.test(text)
      const id = /^(asm|ses|evt|whk|key|dlv|qst|usr|org)_[0-9a-z]{26}$/
      const isAddress = /^\S+@\S+\.\S+$|^https?:\/\/\S+$/.test(text) || id.test(text)
      const shown = font.parentElement!.parentElement!.outerHTML.slice(0, 140)
      return isName || isAddress || font.closest('code, pre, kbd') ? [shown] : []
    })
    return [...new Set(found)]
  }, names)
}

const people = ['Harbour Kitchens', 'Mei Lindqvist', 'Samin Okafor', 'Jonas Weber', 'Kwame Mensah', 'Sofia Rossi']

/** Opens a page that the browser translates. */
export async function visitTranslated(t: TestContext, link: string, options: OpenOptions = {}): Promise<Page> {
  return (await open(t, link, { ...options, before: translated(options.before) })).page
}

/** Fails if the state shows another text than it means to, also after a change of the language. */
export async function checkTranslated(page: Page): Promise<void> {
  assert.deepEqual(await wrongTexts(page), [])
  assert.deepEqual(await translatedNames(page, people), [])
  for (const tag of ['de', 'en']) {
    const isChosen = await page.evaluate((tag) => {
      const menu = document.querySelector<HTMLSelectElement>('.language select, .menu-language select')
      if (!menu) return false
      menu.value = tag
      menu.dispatchEvent(new Event('change', { bubbles: true }))
      return true
    }, tag)
    if (!isChosen) return
    // Without a connection, the page keeps its language.
    await page.locator(`html[lang=${tag}]`).waitFor({ state: 'attached', timeout: 3000 }).catch(() => undefined)
    assert.deepEqual(await wrongTexts(page), [])
  }
}
