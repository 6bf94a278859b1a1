// Reads files, and finds out what a text is.

export type Kind = 'lines' | 'gift' | 'csv'

/** Larger files contain more than the 500 questions of an assessment. */
export const maxFileBytes = 5_000_000

export type FileText = { text: string } | { problem: 'tooLarge' | 'office' | 'binary' }

/** readFile decodes a text file. By default, Excel writes CSV in an old encoding. */
export async function readFile(file: File): Promise<FileText> {
  if (file.size > maxFileBytes) return { problem: 'tooLarge' }
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return { problem: 'office' } // .xlsx, .docx, and .ods are ZIP archives
  const text = decode(bytes)
  return text.includes('\0') ? { problem: 'binary' } : { text }
}

export function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const questionHeader = /(^|[\t;,"])(question|question text|prompt|frage|fragetext|aufgabe)("?)([\t;,]|$)/i

/** A sentence with empty braces after it is an essay of GIFT. Braces elsewhere can be code. */
const essay = /[.?!:]\s*\{\s*\}\s*$/m

/** kindOf guesses the format of a text. The name of a file can help. */
export function kindOf(text: string, name = ''): Kind {
  if (/\.gift$/i.test(name)) return 'gift'
  if (/\.(csv|tsv)$/i.test(name)) return 'csv'
  const first = text
    .replace(/^\ufeff/, '')
    .trimStart()
    .split('\n', 1)[0]!
    .trim()
  if (questionHeader.test(first) && /[\t;,]/.test(first)) return 'csv'
  const isGift =
    /^\s*(::|\$CATEGORY:)/m.test(text) ||
    /\{\s*(?:[=~]|#|T(?:RUE)?\s*[}#]|F(?:ALSE)?\s*[}#])/.test(text) ||
    essay.test(text)
  return isGift ? 'gift' : 'lines'
}

/** titleOf makes a title of the name of a file. */
export function titleOf(name: string): string {
  return name
    .replace(/\.[^.]+$/, '')
    .replace(/[_-]+/g, ' ')
    .trim()
}
