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
