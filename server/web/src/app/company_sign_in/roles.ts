// Which values of a claim give which role, as lines that people type: "hiring-team: EDITOR".
import type { Schemas } from '../core/api.ts'

type Mapping = Schemas['ProviderRoleMapping']
type Input = Schemas['ProviderRoleMappingInput']

export const roles = ['ADMIN', 'EDITOR', 'MEMBER', 'REVIEWER'] as const

export const rolesText = (mappings: Mapping[]) => mappings.map(({ value, role }) => `${value}: ${role}`).join('\n')

/** parseRoles returns undefined if a line is not one. The value can contain colons. */
export function parseRoles(lines: string): Input[] | undefined {
  const mappings: Input[] = []
  for (const line of lines.split('\n').filter((line) => line.trim())) {
    const at = line.lastIndexOf(':')
    const value = line.slice(0, at).trim()
    const role = line.slice(at + 1).trim().toUpperCase()
    if (at < 1 || !value || !(roles as readonly string[]).includes(role)) return undefined
    mappings.push({ value, role: role as Input['role'] })
  }
  return mappings
}
