import { parseObject } from '@tollgate/contract/json'
import { type Kysely, sql } from 'kysely'
import { addColumns } from '../../tables.ts'

interface Entry {
  readonly action: string
  readonly object_id: string
  readonly actor_id: number
  readonly after: string
}

/** Entries of the audit log that one query reads. */
const pageSize = 1000

/**
 * Marks keys of projects whose secret only their person was shown. Keys that are there count as such where the audit log says that
 * the person made them; a key that moved has the secret of the one before it. Others may know the secret of all the rest.
 */
export const keySecrets = {
  async up(on: Kysely<unknown>): Promise<void> {
    await addColumns(on, 'tokens', { secret_for: 'count' })
    const { rows } = await sql<{ id: number; member_id: number }>`select id, member_id from tokens
      where project_id <> 0 and member_id <> 0`.execute(on)
    const members = new Map(rows.map(({ id, member_id }) => [String(id), Number(member_id)]))
    const ids = [...members.keys()]
    // A move has a lower number of its key than of the one that goes on, so this order follows each chain of moves.
    ids.sort((left, right) => Number(left) - Number(right))
    const own = new Set<string>()
    for (let from = 0; from < ids.length; from += pageSize) {
      const page = sql.join(ids.slice(from, from + pageSize))
      const entries = await sql<Entry>`select action, object_id, actor_id, after from audit
        where object = 'token' and action in ('token.create', 'token.move') and object_id in (${page})`.execute(on)
      const created = entries.rows.filter(({ action }) => action === 'token.create')
      for (const { object_id, actor_id } of created) if (members.get(object_id) === Number(actor_id)) own.add(object_id)
      const moves = entries.rows.filter(({ action }) => action === 'token.move')
      moves.sort((left, right) => Number(left.object_id) - Number(right.object_id))
      for (const { object_id, after } of moves) {
        const next = String(parseObject(after)?.moved_to)
        if (own.has(object_id) && members.get(next) === members.get(object_id)) own.add(next)
      }
    }
    const made = [...own]
    for (let from = 0; from < made.length; from += pageSize) {
      const page = sql.join(made.slice(from, from + pageSize).map((id) => sql.lit(Number(id))))
      await sql`update tokens set secret_for = member_id where id in (${page})`.execute(on)
    }
  },
}
