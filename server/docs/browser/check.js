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
for (const [colorScheme, width] of [['light', 1280], ['dark', 390], ['light', 320]]) {
  const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } })
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
    // axe-core needs seconds for /docs. At 320 px it finds what it finds at 390 px.
    if (path !== '/docs' || width > 320) for (const fault of await findings(page)) report(fault)
    await checkKeyboard(page, path, report)
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

async function findings(page) {
  await page.evaluate(axe)
  const { violations } = await page.evaluate((only) => axe.run({ runOnly: only, resultTypes: ['violations'] }), rules)
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
