import type { Kysely } from 'kysely'
import { addColumns } from '../../tables.ts'

/** Permissions of an administrator, as JSON; null for all. */
export const staffPermissions = {
  async up(on: Kysely<unknown>): Promise<void> {
    await addColumns(on, 'users', { staff_permissions: 'text?' })
  },
}
