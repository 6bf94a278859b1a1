// A state of the dashboard, for pictures and for the checks of every state.
import type { Organization } from '../support/api.ts'
import type { DashboardOptions, User } from '../support/dashboard.ts'

/** Opens a screen as a person who is signed in. */
export type Open = (organization: Organization, path: string, options?: DashboardOptions) => Promise<User>

/** States are also reached on a server that other tests use, so each makes an organization of its own, or shares one of its file. */
export type State = { name: string; reach(open: Open): Promise<User> }
