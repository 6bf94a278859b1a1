// All states of the dashboard. Each file of this folder has the states of some screens.
import { readdirSync } from 'node:fs'
import type { State } from './types.ts'

const others = ['all.ts', 'types.ts']
const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.ts') && !others.includes(file))
const modules = await Promise.all(files.map((file) => import(`./${file}`) as Promise<{ states?: State[] }>))

export const states: State[] = modules.flatMap((module) => module.states ?? [])
