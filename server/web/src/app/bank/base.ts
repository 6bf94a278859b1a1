// A question of the bank as the server has it.
import { ask, v1, type Schemas } from '../core/api.ts'

export type BankQuestion = Schemas['BankQuestion']

export interface Base {
  data: BankQuestion
  etag: string
}

export const etagOf = (response: Response) => response.headers.get('ETag') ?? ''

export const read = (id: string) => ask(v1.GET('/v1/questions/{id}', { params: { path: { id } } }))
