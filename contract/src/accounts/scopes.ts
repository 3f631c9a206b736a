// Scopes of access tokens. Imports no schema library, so that the console can read it early.
import { type PermissionLevel, type Permissions, permissionLevels, type StaffArea, staffAreas } from './permissions.ts'

/** Areas of a caller's own data, in every role. Each call of users belongs to one, see `ownAreaOf`. */
export const ownAreas = ['own_account', 'own_keys', 'own_logs', 'own_wallet', 'own_organisations'] as const
export type OwnArea = (typeof ownAreas)[number]

/** `all` is everything that the owner may, except how the owner signs in; `write` includes `read`. */
export type Scope = 'all' | `${OwnArea | StaffArea}:${PermissionLevel}`

export const scopes: readonly Scope[] = [
  'all',
  ...[...ownAreas, ...staffAreas].flatMap((area) => permissionLevels.map((level): Scope => `${area}:${level}`)),
]

/** True if scopes open an area at a level. */
export const scopesOpen = (held: readonly Scope[], area: OwnArea | StaffArea, level: PermissionLevel): boolean =>
  held.includes('all') || held.includes(`${area}:write`) || (level === 'read' && held.includes(`${area}:read`))

/** The levels of administrators' areas that scopes without `all` open. */
const areasOf = (held: readonly Scope[]): Permissions =>
  Object.fromEntries(
    staffAreas.flatMap((area): [StaffArea, PermissionLevel][] => {
      if (scopesOpen(held, area, 'write')) return [[area, 'write']]
      return scopesOpen(held, area, 'read') ? [[area, 'read']] : []
    }),
  )

/** Permissions of an administrator limited by the scopes of the token: the lower level of both; undefined for all. */
export const permissionsWithin = (
  held: readonly Scope[],
  permissions: Permissions | undefined,
): Permissions | undefined => {
  if (held.includes('all')) return permissions
  const open = areasOf(held)
  if (permissions === undefined) return open
  return Object.fromEntries(
    staffAreas.flatMap((area): [StaffArea, PermissionLevel][] => {
      const levels = [open[area], permissions[area]]
      if (levels.includes(undefined)) return []
      return [[area, levels.includes('read') ? 'read' : 'write']]
    }),
  )
}
