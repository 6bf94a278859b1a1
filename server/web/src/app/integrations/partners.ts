// The applicant tracking systems that an organization can connect.
import type { Schemas } from '../core/api.ts'

export type Integration = Schemas['Integration']
export type Partner = Schemas['PartnerInput']

/** Each system has a name. The types fail if the contract has another system. */
export const names: Record<Partner, string> = { ashby: 'Ashby', greenhouse: 'Greenhouse', workable: 'Workable' }
