// Reads tables: pasted cells, and files of spreadsheets.
import Papa from 'papaparse'

/** Cells of a table. The first row can be a header. */
export type Cells = string[][]

/** How many candidates a table can have. */
export const maxRows = 5000

/** readText splits a text into cells. It finds the separator, and needs none in a list of addresses. */
export function readText(content: string): Cells {
  const { data } = Papa.parse<string[]>(content.replace(/^\uFEFF/, ''), {
    skipEmptyLines: 'greedy',
    delimitersToGuess: ['\t', ';', ',', '|'],
  })
  const rows = data.map((row) => row.map((cell) => cell.replaceAll(/\s+/g, ' ').trim()))
  const width = Math.max(0, ...rows.map((row) => row.reduce((last, cell, i) => (cell ? i + 1 : last), 0)))
  return splitAddresses(rows.map((row) => Array.from({ length: width }, (_, i) => row[i] ?? '')))
}

const address = /^"?([^"<>]*?)"?\s*<([^<>\s]+@[^<>\s]+)>$/

/** Mail programs copy people as "Mei Lindqvist <mei@candidate.example>". */
function splitAddresses(rows: Cells): Cells {
  if (!rows.some((row) => row.length === 1 && address.test(row[0]!))) return rows
  return rows.map(([cell = '']) => {
    const found = address.exec(cell)
    return found ? [found[1]!, found[2]!] : cell.includes('@') ? ['', cell] : [cell, '']
  })
}

export type FileFault = 'workbook' | 'tooLarge' | 'unreadable'

const maxBytes = 10_000_000

/** readFile reads a file with a table. Spreadsheets write UTF-8, UTF-16, or the code page of Windows. */
export async function readFile(file: File): Promise<Cells | FileFault> {
  if (file.size > maxBytes) return 'tooLarge'
  const bytes = new Uint8Array(await file.arrayBuffer())
  const begins = (...values: number[]) => values.every((value, i) => bytes[i] === value)
  // Files of Excel and LibreOffice are ZIP archives. Older ones are OLE files.
  if (begins(0x50, 0x4b) || begins(0xd0, 0xcf, 0x11, 0xe0)) return 'workbook'
  if (begins(0xff, 0xfe)) return readText(new TextDecoder('utf-16le').decode(bytes))
  if (begins(0xfe, 0xff)) return readText(new TextDecoder('utf-16be').decode(bytes))
  if (bytes.includes(0)) return 'unreadable'
  try {
    return readText(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return readText(new TextDecoder('windows-1252').decode(bytes))
  }
}
