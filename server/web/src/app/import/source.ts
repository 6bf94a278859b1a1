// What a file is: a text that a person can change, or content that is sent as it is.
import { maxBytes } from './contract.ts'

/** The kinds of files that the page opens, by the ends of their names. */
export const accepted = '.csv,.tsv,.xlsx,.gift,.txt,.md,.xml,.zip,.json'

/** These are texts that people write. XML and JSON are not: they name their own encoding, and programs write them. */
const written = /\.(csv|tsv|gift|txt|md|markdown|text)$/i

/** A longer text is more than the 500 questions of an assessment, and makes the field slow. */
const longest = 1_000_000

/** Lines of the source, from 1. Another object with the same lines shows them again. */
export interface Lines {
  line: number
  lastLine: number
}

export type Opened = { text: string } | { file: File } | { problem: 'tooLarge' | 'empty' | 'unreadable' }

/** openFile reads a file. */
export async function openFile(file: File): Promise<Opened> {
  if (file.size > maxBytes) return { problem: 'tooLarge' }
  if (file.size === 0) return { problem: 'empty' }
  try {
    const bytes = new Uint8Array(await file.arrayBuffer())
    if (!written.test(file.name) || file.size > longest) return { file }
    const text = decode(bytes)
    // A workbook can have the wrong name. The server finds out.
    return text.includes('\0') ? { file } : { text }
  } catch {
    return { problem: 'unreadable' } // a folder, or a file that was removed meanwhile
  }
}

/** decode finds out the encoding of a text. By default, Excel writes CSV in an old encoding. */
export function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** rowLines returns the lines of each row of a table in text. A cell in quotes can have several lines. */
export function rowLines(text: string): Lines[] {
  const rows: Lines[] = []
  let first = 1
  let line = 1
  let isQuoted = false
  for (let i = 0; i < text.length; i++) {
    const sign = text[i]
    // Two quotes in a quoted cell are one quote: the first closes the cell, and the second opens it again.
    if (sign === '"') isQuoted = !isQuoted && /[,;\t|\n"]/.test(text[i - 1] ?? '\n')
    if (sign !== '\n') continue
    if (!isQuoted) {
      rows.push({ line: first, lastLine: line })
      first = line + 1
    }
    line++
  }
  return [...rows, { line: first, lastLine: line }]
}

/** lineStarts returns the positions at which the lines of a text begin. A field has only line feeds. */
export function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}
