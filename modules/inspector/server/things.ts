import type { Database } from '#server/db/database.ts'
import { acceptsUnpricedModels } from '#server/relay/callers.ts'
import type { InspectedThings } from './ports.ts'

/** Users and keys from the database, channels from memory. */
export const openInspectedThings = (
  { query }: Pick<Database, 'query'>,
  channel: InspectedThings['channel'],
): InspectedThings => ({
  async user(id) {
    const row = await query
      .selectFrom('users')
      .select(['id', 'username', 'role', 'status', 'group', 'setting'])
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (row === undefined) return undefined
    const { setting, ...user } = row
    return { ...user, acceptsUnpricedModels: acceptsUnpricedModels(setting) }
  },

  async token(id) {
    const row = await query
      .selectFrom('tokens')
      .select(['name', 'user_id'])
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    return row && { name: row.name, userId: row.user_id }
  },

  channel,
})
