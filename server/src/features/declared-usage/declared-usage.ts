import { type Declaration, type DeclaredUsage, declarationsOf, type Page } from '@tollgate/contract'
import { type Declarations, declaredKey } from '../../billing/declared/declarations.ts'
import type { Database } from '../../db/database.ts'
import type { Trace } from '../../db/trace.ts'
import type { Actor } from '../../http/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { LiveDeclarations } from './live.ts'
import { openDeclaredUsageStore, restSeconds, shownKind } from './store.ts'

/** Charges calls anew that were charged provisionally, once a declaration says what their unknown parts are. */
export interface ProvisionalSettling {
  /** For calls since `from` (unix seconds) that the declarations are about, in the background; it only gives back. */
  settle(actor: Actor, from: number, declarations: Declarations, note: string): Promise<unknown>
  /** Begins what is waiting at once. */
  wake(): void
}

export interface DeclaredUsageParts {
  readonly database: Database
  readonly live: Pick<LiveDeclarations, 'changed'>
  readonly audit: { record(trace: Trace): Promise<void> }
  /** Charge provisional calls anew. While there are none, the calls stay as they were charged, and wait for one. */
  readonly settlings: readonly Pick<ProvisionalSettling, 'settle'>[]
  /** Tells root of a kind that was not known before. */
  tell(kind: DeclaredUsage): void
  readonly clock: Clock
  /** True once a list or an option has a price of its own for a model. */
  isPriced(model: string): boolean
}

/** Parts of answers that no table of prices declares: listed, declared, and their charges corrected. */
export interface DeclaredUsages {
  list(page: { p: number; page_size: number }): Promise<Page<DeclaredUsage>>
  /** Throws `not_found`, and `invalid_parameter` for a declaration that its kind cannot have. */
  declare(actor: Actor, id: number, declaration: Declaration): Promise<DeclaredUsage>
  /** Tells root of new kinds, and has charges corrected that were made before all nodes knew a declaration. */
  work(): Promise<void>
}

const priced = JSON.stringify({ as: 'priced' } satisfies Declaration)

export const openDeclaredUsages = (parts: DeclaredUsageParts): DeclaredUsages => {
  const store = openDeclaredUsageStore(parts.database)
  const now = (): number => unixSeconds(parts.clock)

  const settle = async (): Promise<void> => {
    if (parts.settlings.length === 0) return
    for (const row of await store.open()) {
      const isLate = row.calls === row.settled_calls && now() < row.settled_time + restSeconds
      if (isLate || !(await store.settle(row, row.calls, now()))) continue
      const actor = { id: 0, username: row.declared_by, ip: '' }
      const declarations = { [declaredKey(row)]: JSON.parse(row.declaration) as Declaration }
      const note = `${row.kind} ${row.place} ${row.name}`
      for (const settling of parts.settlings) await settling.settle(actor, row.first_time, declarations, note)
    }
  }

  /** Models that had no price, and have one now: what their calls paid too much is given back. */
  const notePriced = async (): Promise<void> => {
    const found = (await store.waiting('price')).filter(({ name }) => parts.isPriced(name))
    for (const { id } of found) await store.declare(id, { declaration: priced, declared_time: now(), declared_by: '' })
    if (found.length > 0) await parts.live.changed()
  }

  const tell = async (): Promise<void> => {
    for (const row of await store.unnoticed()) if (await store.tell(row.id, now())) parts.tell(shownKind(row))
  }

  return {
    async list({ p, page_size }) {
      const { rows, total } = await store.page((p - 1) * page_size, page_size)
      return { items: rows.map(shownKind), total, page: p, page_size }
    },

    async declare(actor, id, declaration) {
      const before = await store.byId(id)
      if (before === undefined) throw new AppError('not_found')
      if (!declarationsOf(before.kind).includes(declaration.as)) throw new AppError('invalid_parameter')
      await store.declare(id, {
        declaration: JSON.stringify(declaration),
        declared_time: now(),
        declared_by: actor.username,
      })
      const { kind, place, name } = before
      await parts.audit.record({
        actor: { id: actor.id, username: actor.username },
        action: 'declared_usage.declare',
        object: 'declared_usage',
        objectId: id,
        ...(before.declaration === '' ? {} : { before: { declaration: JSON.parse(before.declaration) as unknown } }),
        after: { kind, place, name, declaration },
        ip: actor.ip,
      })
      await parts.live.changed()
      await settle()
      return shownKind((await store.byId(id)) ?? before)
    },

    async work() {
      await tell()
      await notePriced()
      await settle()
    },
  }
}
