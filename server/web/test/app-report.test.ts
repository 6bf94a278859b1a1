// The report of an assessment: what it says, and that it prints on four sheets.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { organization } from './support/api.ts'
import { disconnect } from './support/chromium.ts'
import { dashboard } from './support/dashboard.ts'
import { withFigures } from './support/figures.ts'

after(disconnect)

/** pagesOf counts the pages of a PDF. */
const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0

describe('The report', { concurrency: 2 }, () => {
  for (const locale of ['en-GB', 'de-DE'])
    test(`of 45 questions prints on four sheets of A4 and of US Letter (${locale})`, async (t) => {
      const made = await organization()
      const { id, before } = await withFigures(made)
      const user = await dashboard(t, made, `/assessments/${id}/report`, { before, locale })
      await user.page.getByRole('heading', { name: user.text('report.definitions') }).waitFor()
      for (const format of ['A4', 'Letter']) {
        const pdf = await user.page.pdf({ format, preferCSSPageSize: true })
        // For a look at each page with pdftoppm.
        if (process.env.KEEP_PDF) writeFileSync(`${process.env.KEEP_PDF}-${locale}-${format}.pdf`, pdf)
        assert.equal(pagesOf(pdf), 4, `${format} has ${pagesOf(pdf)} pages`)
      }
    })
})
