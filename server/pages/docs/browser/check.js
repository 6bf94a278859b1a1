// Opens the public pages of a demo in Chromium, and prints what is wrong with them: content
// wider than the screen, findings of axe-core, errors in the console, and controls
// that a keyboard cannot reach. Usage: node check.js ADDRESS [FOLDER for screenshots] [PATHS of
// pages whose button sends a form]
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium } from 'playwright-core'

const [address, folder, ...forms] = process.argv.slice(2)
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const faults = []

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell' })
// The address must be that of a demo, because no other service has the pages of emails.
const emails = await (await fetch(address + '/demo/mail')).text()
const anEmail = '/demo/' + /href="(mail\/eml_[^"]+)"/.exec(emails)[1]
for (const [colorScheme, width] of [['light', 1280], ['dark', 320]]) {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } })
  context.setDefaultTimeout(120_000) // the whole contract takes half a minute on a busy machine
  const page = await context.newPage()
  let name = ''
  const report = (fault) => faults.push(`${name}: ${fault}`)
  page.on('console', (message) => message.type() === 'error' && report(message.text()))
  page.on('pageerror', (error) => report(error.message))
  for (const path of ['/docs', '/errors', '/errors/invalid_request', '/demo/mail', anEmail, ...forms]) {
    name = `${path.replace(/=.*/, '-' + forms.indexOf(path))}, ${colorScheme}, ${width} px`
    await page.goto(address + path)
    if (path === '/docs') {
      await page.waitForSelector('#docs .markdown')
      await renderAll(page)
    }
    for (const fault of await page.evaluate(wideElements)) report(fault)
    for (const fault of await findings(page)) report(fault)
    await checkKeyboard(page, path, report)
    if (path === '/docs') await checkSearch(page, width, report)
    if (folder) await page.screenshot({ path: `${folder}/${name.replace(/[^a-z0-9]+/g, '-')}.png` })
    if (forms.includes(path)) {
      await Promise.all([page.waitForNavigation(), page.click('button')])
      if (await page.$('form')) report('the form was not sent')
      for (const fault of await findings(page)) report(fault)
    }
  }
  await context.close()
}
await browser.close()
console.log(faults.join('\n'))
process.exitCode = faults.length ? 1 : 0

// renderAll opens the operations of a tag and scrolls to the end, because Scalar
// renders what comes into view.
async function renderAll(page) {
  await page.waitForSelector('[id$="tag/auth"]')
  await page.evaluate(async () => {
    for (let last = -1; last !== scrollY; ) {
      last = scrollY
      scrollBy(0, 4000)
      await new Promise((done) => setTimeout(done, 50))
    }
    scrollTo(0, 0)
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  })
}

// wideElements returns a fault if the page scrolls sideways, and one for each
// visible element that ends beyond the screen and not inside a scrolling region.
function wideElements() {
  const screen = document.documentElement.clientWidth
  const found = []
  if (document.documentElement.scrollWidth > screen) found.push('the page scrolls sideways')
  const isClipped = (element) => {
    for (let e = element.parentElement; e; e = e.parentElement) if (getComputedStyle(e).overflowX !== 'visible') return true
    return false
  }
  for (const element of document.querySelectorAll('body *')) {
    const box = element.getBoundingClientRect()
    if (box.right > screen + 1 && box.width > 0 && box.height > 0 && !isClipped(element)) {
      found.push(`ends at ${Math.round(box.right)} px: ${element.outerHTML.slice(0, 120)}`)
    }
  }
  return found.slice(0, 5)
}

async function findings(page, part = 'html') {
  await page.evaluate(axe)
  const { violations } = await page.evaluate(
    ([within, only]) => axe.run(within, { runOnly: only, resultTypes: ['violations'] }),
    [part, rules],
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 5).map((node) => `axe ${id} (${nodes.length}): ${node.html.slice(0, 120)} ${node.failureSummary}`),
  )
}

// checkKeyboard presses Tab and compares the focused elements. Each must be visible
// and show that it has the focus.
async function checkKeyboard(page, path, report) {
  const seen = new Set()
  for (let i = 0; i < 8; i++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const element = document.activeElement
      if (element === document.body) return null
      if (element.tagName === 'IFRAME') return { html: 'a frame', shown: true } // the focus is in its document
      const { outlineStyle, boxShadow } = getComputedStyle(element)
      const box = element.getBoundingClientRect()
      return {
        html: element.outerHTML.slice(0, 120),
        shown: (outlineStyle !== 'none' || boxShadow !== 'none') && box.width > 0 && box.height > 0,
      }
    })
    if (!focused) break
    seen.add(focused.html)
    if (!focused.shown) report(`the focus is not visible: ${focused.html}`)
  }
  if (seen.size < (forms.includes(path) ? 1 : 2)) report(`only ${seen.size} elements take the focus`)
}

// checkSearch opens the search by its key and by its button, finds words of the guide and
// operations, and follows results with the keyboard and the mouse. Each section of the guide must
// be where its results lead.
async function checkSearch(page, width, report) {
  const faults = await page.evaluate(async () => {
    const guide = await (await fetch('docs/guide.md')).text()
    const headings = [...document.querySelectorAll('.markdown :is(h1,h2,h3,h4)[id]')]
    const leadsTo = (address) => headings.find(({ id }) => id.endsWith(address.slice(address.indexOf('#') + 1)))
    const text = (element) => element?.textContent.trim().replace(/\s+/g, ' ')
    const sections = guideEntries(guide)
    const lost = []
    for (const { title, href } of sections) {
      if (text(leadsTo(href)) !== title) lost.push(`no section ${title} at ${href}`)
    }
    for (const link of document.querySelectorAll('.markdown a[href^="/docs#"]')) {
      if (!leadsTo(link.getAttribute('href'))) lost.push(`no section for the link ${link.getAttribute('href')}`)
    }
    if (sections.length < 60 || sections.length !== headings.length) {
      lost.push(`${sections.length} sections are searched, and there are ${headings.length} headings`)
    }
    return lost
  })
  for (const fault of faults) report(fault)

  await page.keyboard.press('Control+k')
  await page.waitForSelector('#search[open] input:focus')
  for (const [query, title, words] of [
    ['X-Service-Signature', 'What is sent', 'the hexadecimal HMAC-SHA-256 of the body'],
    ['service-sign', 'What is sent', 'the hexadecimal HMAC-SHA-256 of the body'],
    ['gdpr', 'Deleting your copies', 'you must inform each recipient'],
    ['does not retry', 'A verified event in five minutes', 'Assay does not retry a ping'],
    ['state_chang', 'What is sent', 'a person or an API key has changed the state'],
    ['updated_since nothing', '', ''],
    ['listDeliveries', 'List deliveries', 'GET /v1/webhooks/{id}/deliveries'],
  ]) {
    await page.fill('#search input', query)
    const found = await page.evaluate(() =>
      [...document.querySelectorAll('#found a')].map((result) => ({
        title: result.querySelector('strong').textContent,
        all: result.textContent,
        marked: [...result.querySelectorAll('mark')].map((mark) => mark.textContent.toLowerCase()),
      })),
    )
    const hit = found.find((result) => result.title === title)
    if (!title ? found.length > 0 : !hit?.all.includes(words)) report(`${query} finds ${JSON.stringify(found)}`)
    if (hit && !hit.marked.includes(query.toLowerCase().split(' ')[0])) report(`${query} is not marked in ${hit.all}`)
  }

  await page.fill('#search input', 'copies erased')
  for (const fault of await findings(page, '#search')) report(`search: ${fault}`)
  for (const fault of await page.evaluate(wideElements)) report(`search: ${fault}`)
  if (folder) await page.screenshot({ path: `${folder}/docs-search-${width}.png` })
  for (const key of ['ArrowDown', 'ArrowUp', 'Enter']) await page.keyboard.press(key)
  await arrives('Deleting your copies')
  if (width < 1000) await page.click('button:has-text("Open Menu"):visible')
  await page.click('button:has(.sidebar-search-placeholder):visible')
  await page.fill('#search input', 'listDeliveries')
  await page.click('#found a')
  await arrives('List deliveries')
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Escape')
  if (await page.$('#search[open]')) report('Escape does not close the search')

  async function arrives(title) {
    try {
      await page.waitForFunction((wanted) => {
        const top = [...document.querySelectorAll('h1,h2,h3')].find((heading) => heading.textContent.trim() === wanted)
        const { left = 0, top: at = -1 } = top?.getBoundingClientRect() ?? {}
        const shown = at >= 0 && at < innerHeight && document.elementFromPoint(left + 5, at + 5)
        return !document.querySelector('#search[open]') && shown && (top.contains(shown) || shown.contains(top))
      }, title, { timeout: 60_000 })
    } catch {
      report(`the search does not lead to ${title}, but to ${page.url()}`)
    }
  }
}
