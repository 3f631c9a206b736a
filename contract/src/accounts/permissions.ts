// Areas and levels of administrators' permissions. Imports no schema library, so that the console's first load can read it.

/** Areas of administration. Each call of administrators belongs to one area, see `areaOf`. */
export const staffAreas = [
  'channels',
  'models',
  'users',
  'billing',
  'logs',
  'contents',
  'settings',
  'limits',
  'organisations',
  'audit',
] as const
export type StaffArea = (typeof staffAreas)[number]

/** Whoever may change may read. */
export const permissionLevels = ['read', 'write'] as const
export type PermissionLevel = (typeof permissionLevels)[number]

/** An area that is missing is closed. */
export type Permissions = Partial<Record<StaffArea, PermissionLevel>>

export const readySetNames = ['auditor', 'support', 'billing', 'channel_operator'] as const
export type ReadySetName = (typeof readySetNames)[number]

/** True if these permissions, undefined for all, open an area at a level. */
export const permits = (
  permissions: Permissions | null | undefined,
  area: StaffArea,
  level: PermissionLevel,
): boolean => !permissions || permissions[area] === 'write' || (level === 'read' && permissions[area] === 'read')

/** Ready sets of permissions. An auditor reads every area, also those that come later. */
export const readySets: Readonly<Record<ReadySetName, Permissions>> = {
  auditor: Object.fromEntries(staffAreas.map((area) => [area, 'read'])),
  support: {
    users: 'write',
    channels: 'read',
    models: 'read',
    billing: 'read',
    logs: 'read',
    limits: 'read',
    organisations: 'read',
  },
  billing: { billing: 'write', users: 'read', models: 'read', logs: 'read', organisations: 'read', audit: 'read' },
  channel_operator: { channels: 'write', models: 'write', logs: 'read', limits: 'read', settings: 'read' },
}
