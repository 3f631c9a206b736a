import { type Permissions, readySets, role, type StaffPermissions, staffGrant } from '@tollgate/contract'

/** The columns of a user that decide it. */
interface Stored {
  readonly role: number
  readonly staff_permissions: string | null
}

/** Unreadable permissions grant nothing. */
const closed: StaffPermissions = { set: 'custom', areas: {} }

const parsed = (stored: string): StaffPermissions => {
  try {
    const grant = staffGrant.parse(JSON.parse(stored))
    return grant.set === 'custom' ? grant : { set: grant.set, areas: readySets[grant.set] }
  } catch {
    return closed
  }
}

/** The permissions set for a user, of any role; null for none. */
export const grantedTo = ({ staff_permissions: stored }: Stored): StaffPermissions | null =>
  stored === null ? null : parsed(stored)

/** Permissions of an administrator; undefined for administrators without any of their own, for root and for users. */
export const permissionsOf = (row: Stored): Permissions | undefined =>
  row.role === role.admin ? grantedTo(row)?.areas : undefined
