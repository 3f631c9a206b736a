import type { PermissionLevel, Permissions, StaffArea } from './permissions.ts'

/** True if these permissions, undefined for all, open an area at a level. */
export const permits = (
  permissions: Permissions | null | undefined,
  area: StaffArea,
  level: PermissionLevel,
): boolean => !permissions || permissions[area] === 'write' || (level === 'read' && permissions[area] === 'read')
