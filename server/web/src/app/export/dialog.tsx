// Saves the questions of an assessment as a file, in a format that the person chooses, or the responses of candidates.
import { useState } from 'preact/hooks'
import { text } from '../../shared/i18n.tsx'
import type { Fault, Schemas } from '../core/api.ts'
import { Dialog } from '../core/dialogs.tsx'
import { download } from '../core/download.ts'
import { notify } from '../core/notices.tsx'
import { Action } from '../core/page.tsx'
import { base } from '../core/session.ts'
import { FaultNote } from '../core/states.tsx'
import { addStyles } from '../core/styles.ts'
import styles from './export.css?text'
import { saveMatrix } from './matrix.ts'
import { nameOf } from './name.ts'

addStyles(styles)

type Format = Schemas['ExportFormat']

/** The extension of the file of each format. The types fail if the contract has another format. */
const extensions: Record<Format, string> = {
  ASSAY_JSON: '.json',
  XLSX: '.xlsx',
  CSV: '.csv',
  GIFT: '.gift',
  MOODLE_XML: '.xml',
  QTI_3_0: '.zip',
  QTI_2_2: '.zip',
}

export interface ExportProps {
  assessment: { id: string; title: string }
  close(): void
}

export function ExportDialog({ assessment: { id, title }, close }: ExportProps) {
  const [format, setFormat] = useState<Format>('ASSAY_JSON')
  const [fault, setFault] = useState<Fault>()
  const [isBusy, setBusy] = useState(false)
  const name = (nameOf(title) || text('export.file')) + extensions[format]
  const save = async (event: Event) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setFault(undefined)
    const failed = await download(`/v1/assessments/${id}/export?format=${format}`, name)
    setBusy(false)
    if (failed) return setFault(failed)
    notify(text('export.done', { name }))
    close()
  }
  return (
    <Dialog title={text('export.title')} close={close}>
      <p class="muted">{text('export.text')}</p>
      <form class="form" onSubmit={(event) => void save(event)}>
        <fieldset class="export-formats">
          <legend class="unseen">{text('export.format')}</legend>
          {(Object.keys(extensions) as Format[]).map((one) => (
            <label key={one} class="tick">
              <input type="radio" name="format" checked={one === format} onChange={() => setFormat(one)} />
              <span>
                {text(`export.format.${one}`)}
                <span class="hint">{text(`export.loses.${one}`)}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <p class="small">
          <a href={guide} target="_blank" rel="noopener">
            {text('export.guide')}
          </a>
        </p>
        {fault && <FaultNote fault={fault} />}
        <div class="go">
          <button type="submit" class="button primary" aria-disabled={isBusy}>
            {isBusy ? text('export.busy') : text('export.save')}
          </button>
          <button type="button" class="button" onClick={close}>
            {text('dialog.cancel')}
          </button>
        </div>
      </form>
      <h3 class="export-matrix">{text('export.matrix.title')}</h3>
      <p class="muted small">{text('export.matrix.text')}</p>
      <div class="go">
        <Action isSmall act={() => void saveMatrix({ id, title }, 'export')}>
          {text('export.matrix')}
        </Action>
        <Action isSmall act={() => void saveMatrix({ id, title }, 'code-book')}>
          {text('export.codeBook')}
        </Action>
      </div>
    </Dialog>
  )
}

/** The chapter of the guide with the table of what each format keeps. */
const guide = new URL('docs#description/bringing-questions-and-taking-them-with-you', base).href
