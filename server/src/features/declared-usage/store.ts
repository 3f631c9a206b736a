import type { Declaration, DeclaredUsage } from '@tollgate/contract'
import type { Selectable } from 'kysely'
import { costKind, type Declarations, declaredKey } from '../../billing/declared/declarations.ts'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'

export type KindRow = Selectable<Tables['declared_usage']>

export const shownKind = ({
  declaration,
  kind_key: _,
  settled_time: __,
  noticed_time: ___,
  ...row
}: KindRow): DeclaredUsage =>
  declaration === '' ? row : { ...row, declaration: JSON.parse(declaration) as Declaration }

/** Parts of answers that no table declares. */
export const openDeclaredUsageStore = ({ query }: Database) => ({
  /** Those that wait first, then the latest. */
  async page(offset: number, limit: number): Promise<{ rows: KindRow[]; total: number }> {
    const kinds = query.selectFrom('declared_usage')
    const [rows, counted] = await Promise.all([
      kinds
        .selectAll()
        .orderBy('declared_time')
        .orderBy('last_time', 'desc')
        .orderBy('id')
        .limit(limit)
        .offset(offset)
        .execute(),
      kinds.select(({ fn }) => fn.countAll().as('rows')).executeTakeFirstOrThrow(),
    ])
    return { rows, total: Number(counted.rows) }
  },

  async byId(id: number): Promise<KindRow | undefined> {
    return query.selectFrom('declared_usage').selectAll().where('id', '=', id).executeTakeFirst()
  },

  async declare(
    id: number,
    set: { readonly declaration: string; readonly declared_time: number; readonly declared_by: string },
  ): Promise<void> {
    // All calls are looked at again.
    await query
      .updateTable('declared_usage')
      .set({ ...set, settled_calls: 0, settled_time: 0 })
      .where('id', '=', id)
      .execute()
  },

  /** Declarations of the operator, by key. */
  async declarations(): Promise<Declarations> {
    const rows = await query
      .selectFrom('declared_usage')
      .select(['kind', 'place', 'name', 'declaration'])
      .where('declaration', '!=', '')
      .orderBy('id')
      .execute()
    return Object.fromEntries(rows.map((row) => [declaredKey(row), JSON.parse(row.declaration) as Declaration]))
  },

  /** Those of a kind that wait for a declaration. */
  async waiting(kind: string): Promise<KindRow[]> {
    return query
      .selectFrom('declared_usage')
      .selectAll()
      .where('kind', '=', kind)
      .where('declaration', '=', '')
      .orderBy('id')
      .execute()
  },

  /** Declared kinds whose calls may not all be charged anew. */
  async open(): Promise<KindRow[]> {
    return query
      .selectFrom('declared_usage')
      .selectAll()
      .where('declaration', '!=', '')
      .where('kind', '!=', costKind)
      .where((eb) =>
        eb.or([eb('calls', '>', eb.ref('settled_calls')), eb('settled_time', '<', eb('last_time', '+', restSeconds))]),
      )
      .execute()
  },

  /** Notes that the calls of a kind are being charged anew; false where another node was first. */
  async settle({ id, settled_calls, settled_time }: KindRow, calls: number, now: number): Promise<boolean> {
    const done = await query
      .updateTable('declared_usage')
      .set({ settled_calls: calls, settled_time: now })
      .where('id', '=', id)
      .where('settled_calls', '=', settled_calls)
      .where('settled_time', '=', settled_time)
      .executeTakeFirst()
    return done.numUpdatedRows > 0n
  },

  /** Kinds of which the operator has had no notice. */
  async unnoticed(): Promise<KindRow[]> {
    return query
      .selectFrom('declared_usage')
      .selectAll()
      .where('noticed_time', '=', 0)
      .where('declaration', '=', '')
      .orderBy('id')
      .limit(20)
      .execute()
  },

  async tell(id: number, now: number): Promise<boolean> {
    const marked = await query
      .updateTable('declared_usage')
      .set({ noticed_time: now })
      .where('id', '=', id)
      .where('noticed_time', '=', 0)
      .executeTakeFirst()
    return marked.numUpdatedRows > 0n
  },
})

export type DeclaredUsageStore = ReturnType<typeof openDeclaredUsageStore>

/** A charge is in the ledger before its row is in the log, which corrections read: calls are looked at once more after so long. */
export const restSeconds = 60
