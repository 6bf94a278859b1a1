// Pictures for texts.
import { browser } from './chromium.ts'
import { ok, type Organization, type Schemas } from './api.ts'

/** A picture of a text, as PNG with a transparent ground. */
export async function drawn(words: string, width = 600, height = 300): Promise<Uint8Array<ArrayBuffer>> {
  const page = await (await browser()).newPage({ viewport: { width, height } })
  await page.setContent(`<h1>${words}</h1>`)
  const png = await page.screenshot({ omitBackground: true })
  await page.close()
  return new Uint8Array(png)
}

/** Uploads a picture. */
export async function upload(owner: Organization, picture: Uint8Array<ArrayBuffer>): Promise<Schemas['Media']> {
  return ok(
    owner.api.POST('/v1/media', {
      body: picture as never,
      bodySerializer: (body: unknown) => body,
      headers: { 'Content-Type': 'image/png' },
    } as never),
  )
}
