// Pictures in the fields of the editor.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { disconnect } from './support/chromium.ts'
import { openDraft } from './support/draft.ts'
import { drawn } from './support/pictures.ts'
import { until } from './support/until.ts'

after(disconnect)

test('a picture is chosen, pasted, and shown in the preview, with its alternative text selected', async (t) => {
  const user = await openDraft(t)
  const { page } = user
  await user.edit(1)
  const form = page.locator('.editor-form')
  const choose = async (name: string, mimeType: string, buffer: Buffer) => {
    const chooser = page.waitForEvent('filechooser')
    await form.getByRole('button', { name: user.text('editor.picture.insert') }).first().click()
    await (await chooser).setFiles({ name, mimeType, buffer })
  }
  await user.prompt.fill('Which? ')
  await choose('plan.svg', 'image/svg+xml', Buffer.from('<svg/>'))
  await user.read('editor.picture.type')
  await choose('plan.png', 'image/png', Buffer.from('no picture'))
  await user.read('editor.picture.refused')
  await choose('cold_store-plan.png', 'image/png', Buffer.from(await drawn('Plan', 200, 100)))
  await until(async () =>
    assert.match(await user.prompt.inputValue(), /^Which\? !\[cold store plan\]\(media:med_[0-9a-z]{26}\)$/),
  )
  const selected = () =>
    user.prompt.evaluate((field: HTMLTextAreaElement) => field.value.slice(field.selectionStart, field.selectionEnd))
  assert.equal(await selected(), 'cold store plan')
  await page.keyboard.press('Delete')
  await user.read('editor.picture.words')
  await user.save()
  await form.getByText(user.text('editor.fault.picture.required')).waitFor()
  await page.keyboard.type('The plan')
  await user.save()
  await page.locator('.editor-preview').getByRole('img', { name: 'The plan' }).waitFor()

  const pixels = [...(await drawn('Pasted', 120, 60))]
  const option = user.option(1)
  await option.fill('')
  await option.evaluate((field, bytes) => {
    const data = new DataTransfer()
    data.items.add(new File([new Uint8Array(bytes)], 'image.png', { type: 'image/png' }))
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, pixels)
  await until(async () => assert.match(await option.inputValue(), /^!\[.+\]\(media:med_[0-9a-z]{26}\)$/))
  await user.save()
  const { stages } = await user.saved()
  assert.match(stages[0]!.questions[0]!.options![0]!.textHtml, /<img /)
})
