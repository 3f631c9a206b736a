import type { AuditEntry } from '@tollgate/contract'
import { parseObject } from '@tollgate/contract/json'
import type { Database } from '../../db/database.ts'

const mostEntries = 20

/** The newest entries of the trail about a token, as its owner may read them: others who acted are not named. */
export const readTokenHistory = async (
  { query }: Pick<Database, 'query'>,
  ownerId: number,
  tokenId: number,
): Promise<AuditEntry[]> => {
  const rows = await query
    .selectFrom('audit')
    .selectAll()
    .where('object', '=', 'token')
    .where('object_id', '=', String(tokenId))
    .orderBy('id', 'desc')
    .limit(mostEntries)
    .execute()
  return rows.map((row) => {
    const entry = { ...row, before: parseObject(row.before), after: parseObject(row.after) }
    return row.actor_id === ownerId ? entry : { ...entry, actor_name: '', ip: '' }
  })
}
