// Pools and questions of the bank in the editor. They are loaded with their texts when an assessment has them.
import { lazy } from '../core/lazy.ts'
import { loadTexts } from '../core/texts.ts'
import de from './de.json?url'
import en from './en.json?url'

const files = { de, en }
const withTexts = async <M>(load: Promise<M>): Promise<M> => (await Promise.all([load, loadTexts(files)]))[0]

export const Pools = lazy(async () => (await withTexts(import('./pools.tsx'))).Pools)
export const IncludedForm = lazy(async () => (await withTexts(import('./included.tsx'))).IncludedForm)
export const PickerDialog = lazy(async () => (await withTexts(import('./picker.tsx'))).PickerDialog)
export const KeepDialog = lazy(async () => (await withTexts(import('./keep.tsx'))).KeepDialog)
