import type { Kysely } from 'kysely'
import { addColumns } from '../../tables.ts'

/** What an administrator may read and change, as JSON; null for everything that administrators may. */
export const staffPermissions = {
  async up(on: Kysely<unknown>): Promise<void> {
    await addColumns(on, 'users', { staff_permissions: 'text?' })
  },
}
