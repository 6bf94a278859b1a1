// The samples of the dashboard, as the files that it offers.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Assessment } from './api.ts'

export const sampleIds = ['support', 'bookkeeper', 'warehouse'] as const

export function sample(id: (typeof sampleIds)[number]): Assessment {
  const file = join(import.meta.dirname, `../../src/app/samples/${id}.json`)
  return JSON.parse(readFileSync(file, 'utf8')) as Assessment
}
