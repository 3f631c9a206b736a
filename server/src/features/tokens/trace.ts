import type { AuditEntry } from '@tollgate/contract'
import { parseObject } from '@tollgate/contract/json'
import type { Database } from '../../db/database.ts'
import type { Trace } from '../../db/trace.ts'

/** The owner of the tokens, as the console call knows them. */
export interface Owner {
  readonly id: number
  readonly username: string
  readonly group: string
  readonly ip: string
  /** Actor, if the owner is the wallet of an organisation. */
  readonly actor?: { readonly id: number; readonly username: string }
  /** Project and member of new keys; absent for keys of a person's own. */
  readonly project?: { readonly project_id: number; readonly member_id: number }
}

/** Audit entry of a token: actor, action, token. */
export const traceOf = (owner: Owner, action: string, objectId: number): Omit<Trace, 'before' | 'after'> => ({
  actor: { id: owner.actor?.id ?? owner.id, username: owner.actor?.username ?? owner.username },
  action: `token.${action}`,
  object: 'token',
  objectId,
  ip: owner.ip,
})

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
