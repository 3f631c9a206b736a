import { permits } from '@tollgate/contract/accounts/permissions'
import { createContext, useContext } from 'react'
import { type PermissionLevel, role, type StaffArea } from './contract.ts'
import { type SessionUser, storedUser, useSession } from './session.ts'

/** The role that counts in an area: an administrator whose permissions do not open it is a user there; 0 for visitors. */
export const roleIn = (user: SessionUser | undefined, area: StaffArea, level: PermissionLevel = 'read'): number =>
  user?.role === role.admin && !permits(user.permissions?.areas, area, level) ? role.user : (user?.role ?? 0)

/** True for an administrator who may read the area. */
export const useIsStaff = (area: StaffArea): boolean => roleIn(useSession(), area) >= role.admin

/** The same for use outside of rendering. */
export const isStaffNow = (area: StaffArea): boolean => roleIn(storedUser(), area) >= role.admin

/** True for an administrator who may change what belongs to the area; the server decides for itself. */
export const mayWrite = (user: SessionUser | undefined, area: StaffArea): boolean =>
  roleIn(user, area, 'write') >= role.admin

/** True within a page that the viewer may look at but not change. */
export const ReadOnlyPage = createContext(false)
export const useReadOnly = (): boolean => useContext(ReadOnlyPage)
