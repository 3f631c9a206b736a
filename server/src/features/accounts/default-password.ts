import { role } from '@tollgate/contract'
import type { UserRow } from '../../db/schema.ts'
import { isPrivateOrLoopback } from '../../lib/security/client-address.ts'
import { verifyPassword } from '../../lib/security/password.ts'

/** Password of the first root user if INITIAL_ROOT_PASSWORD is not set. */
export const defaultRootPassword = '123456'

/** Tells whether a user is root and still has the default password. Each hash is looked at once. */
export const createDefaultPasswordCheck = (): ((row: UserRow) => Promise<boolean>) => {
  let seen: { hash: string; isDefault: Promise<boolean> } | undefined
  return async (row) => {
    if (row.role !== role.root) return false
    if (seen?.hash !== row.password) {
      seen = { hash: row.password, isDefault: verifyPassword(defaultRootPassword, row.password) }
    }
    return seen.isDefault
  }
}

/** The default password is public knowledge: it counts only from this machine and its network, and never through a proxy. */
export const mayUseDefaultPassword = (client: { ip: string; forwarded: boolean }): boolean =>
  !client.forwarded && isPrivateOrLoopback(client.ip)
