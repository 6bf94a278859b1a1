// The name, the logo, and the accent color of the organization.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Page } from 'playwright-core'
import { accentFor, contrast } from '../src/shared/accent.ts'
import { ok, organization } from './support/api.ts'
import { assessment, singleChoice, stage } from './support/assessments.ts'
import { checkAxe } from './support/axe.ts'
import { browser, disconnect } from './support/chromium.ts'
import { Candidate } from './support/journey.ts'
import { open } from './support/page.ts'
import { until } from './support/until.ts'

after(disconnect)

const grounds = { light: ['#f5f6f8', '#ffffff'], dark: ['#0f1216', '#171b21'] }
const schemes = ['light', 'dark'] as const

test('36: Every accent color can be read, and a color with enough contrast stays as it is', () => {
  const parts = [0, 32, 64, 96, 128, 160, 192, 224, 255].map((part) => part.toString(16).padStart(2, '0'))
  const colors = parts.flatMap((red) => parts.flatMap((green) => parts.map((blue) => `#${red}${green}${blue}`)))
  for (const scheme of schemes) {
    let kept = 0
    for (const color of colors) {
      const { accent, ink, tint } = accentFor(color, scheme)
      for (const ground of [...grounds[scheme], tint, ink]) {
        const found = contrast(accent, ground)
        assert.ok(found >= 4.5, `${color} becomes ${accent} with ${found} on ${ground}, ${scheme}`)
      }
      const [before, later] = [contrast(color, '#000000'), contrast(accent, '#000000')]
      assert.ok(scheme === 'light' ? later <= before : later >= before, `${color} becomes ${accent}, ${scheme}`)
      if (accent === color) kept++
      else
        assert.ok(
          [...grounds[scheme], tint, ink].some((ground) => contrast(color, ground) < 5.5),
          `${color} became ${accent}`,
        )
    }
    assert.ok(kept > 100, `only ${kept} colors stay, ${scheme}`)
  }
  assert.equal(contrast('#ffffff', '#000000'), 21)
  assert.equal(accentFor('#1d4ed8', 'light').accent, '#1d4ed8')
})

test('36: The page shows the name, the logo, and an accent color that can be read', async (t) => {
  const owner = await organization({
    name: 'Harbour Kitchens',
    accentColor: '#ffd400',
    supportEmail: 'jobs@harbour-kitchens.example',
  })
  await ok(
    owner.api.PUT('/v1/organization/logo', {
      body: (await picture()) as never,
      bodySerializer: (body: unknown) => body,
      headers: { 'Content-Type': 'image/png' },
    } as never),
  )
  const questions = [singleChoice, singleChoice]
  const published = await owner.publish(
    assessment([stage({ questions })], { instructions: 'See [the kitchen](https://harbour-kitchens.example).' }),
  )
  const { page, allow } = await open(t, (await owner.invite(published)).link)
  const candidate = new Candidate(page)
  await candidate.startButton().waitFor()
  await page.getByText('Harbour Kitchens', { exact: false }).first().waitFor()

  const logo = page.getByRole('img', { name: 'Harbour Kitchens' })
  const { width, height } = (await logo.boundingBox())!
  assert.deepEqual([width <= 200, height], [true, 44], `a logo of 600 × 100 is ${width} × ${height}`)
  await until(async () =>
    assert.equal(await logo.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth), 600),
  )

  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme })
    const { accent, ink } = accentFor('#ffd400', colorScheme)
    await until(async () => assert.deepEqual(await colorsOf(page), { accent, ink }, colorScheme))
    await checkAxe(page, `intro with a yellow accent, ${colorScheme}`)
  }
  assert.equal(accentFor('#ffd400', 'dark').accent, '#ffd400', 'yellow needs no change on dark')

  await candidate.start()
  await page.getByRole('banner').getByRole('img', { name: 'Harbour Kitchens' }).waitFor()
  await candidate.choose('57 °C')
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme })
    await checkAxe(page, `question with a yellow accent, ${colorScheme}`)
  }

  // Without the image, the first letter of the name stands in its place.
  allow(/logos/)
  await page.route('**/logos/*', (route) => route.abort())
  await page.reload()
  await candidate.seeQuestion(1)
  await page.getByRole('banner').getByText('H', { exact: true }).waitFor()
  assert.equal(await page.getByRole('img').count(), 0)
})

test('36: Without an accent color, the page has its own', async (t) => {
  const owner = await organization()
  const { page } = await open(t, (await owner.invite(await owner.publish(assessment([stage()])))).link)
  await new Candidate(page).startButton().waitFor()
  await until(async () => assert.deepEqual(await colorsOf(page), { accent: '#2453c9', ink: '#ffffff' }))
})

/** The colors of the primary button, as `#rrggbb`. */
function colorsOf(page: Page): Promise<{ accent: string; ink: string }> {
  return page.locator('.button.primary').evaluate((button) => {
    const hex = (color: string) =>
      '#' +
      color
        .match(/\d+/g)!
        .slice(0, 3)
        .map((part) => Number(part).toString(16).padStart(2, '0'))
        .join('')
    const { backgroundColor, color } = getComputedStyle(button)
    return { accent: hex(backgroundColor), ink: hex(color) }
  })
}

/** A wide picture, as PNG. */
async function picture(): Promise<Uint8Array<ArrayBuffer>> {
  const page = await (await browser()).newPage({ viewport: { width: 600, height: 100 } })
  await page.setContent('<h1>Harbour Kitchens</h1>')
  const png = await page.screenshot({ omitBackground: true })
  await page.close()
  return new Uint8Array(png)
}
