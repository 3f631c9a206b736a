import { parseObject } from '@tollgate/contract/json'
import { type Kysely, sql } from 'kysely'
import { addColumns } from '../../tables.ts'

interface Entry {
  readonly id: number
  readonly action: string
  readonly object_id: string
  readonly actor_id: number
  readonly after: string
}

/** Keys that one query asks about. */
const pageSize = 1000

/**
 * Writes down who was shown the secret of a machine's key, as far as the audit log says: who made it. A key that moved has the secret of
 * the one before it. What direct calls make is noted with the key that made it.
 */
export const machineSecrets = {
  async up(on: Kysely<unknown>): Promise<void> {
    await addColumns(on, 'made_objects', { token_id: 'count' })
    // Keys that moved away are deleted rows, through which the chain of moves leads.
    const { rows } = await sql<{ id: number }>`select id from tokens
      where project_id <> 0 and member_id = 0 and secret_for = 0 order by id`.execute(on)
    const ids = rows.map(({ id }) => String(id))
    const machines = new Set(ids)
    const makers = new Map<string, number>()
    for (let from = 0; from < ids.length; from += pageSize) {
      const page = sql.join(ids.slice(from, from + pageSize))
      const entries = await sql<Entry>`select id, action, object_id, actor_id, after from audit
        where object = 'token' and action in ('token.create', 'token.move') and object_id in (${page})`.execute(on)
      for (const { object_id, actor_id } of entries.rows.filter(({ action }) => action === 'token.create'))
        makers.set(object_id, Number(actor_id))
      const moves = entries.rows.filter(({ action }) => action === 'token.move')
      // A move has a lower number of its key than of the one that goes on, so this order follows each chain.
      moves.sort((left, right) => Number(left.object_id) - Number(right.object_id))
      for (const { object_id, after } of moves) {
        const [next, maker] = [String(parseObject(after)?.moved_to), makers.get(object_id)]
        if (maker !== undefined && machines.has(next)) makers.set(next, maker)
      }
    }
    for (const [id, maker] of makers)
      await sql`update tokens set secret_for = ${sql.lit(maker)} where id = ${sql.lit(Number(id))}`.execute(on)
  },
}
