import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { idParams } from '../page.ts'
import { readySetNames } from './permissions.ts'
import { staffPermissions, user } from './users.ts'

/** Permissions as they are set: a ready set by its name, or levels of their own. */
export const staffGrant = z.discriminatedUnion('set', [
  z.object({ set: z.enum(readySetNames) }),
  staffPermissions.extend({ set: z.literal('custom') }),
])
export type StaffGrant = z.output<typeof staffGrant>

export const setPermissions = endpoint({
  method: 'PUT',
  path: '/api/user/:id/permissions',
  access: 'root',
  confirm: true,
  summary: 'Says what an administrator may read and change, by area; null for everything that administrators may',
  params: idParams,
  body: z.object({ permissions: staffGrant.nullable() }),
  data: user,
})
