import type { BodyOf, Correction, CorrectionDetail, createCorrection, Page } from '@tollgate/contract'
import type { Declarations } from '#server/billing/declared/declarations.ts'
import type { Actor } from '#server/http/actor.ts'
import { AppError } from '#server/lib/app-error.ts'
import { unixSeconds } from '#server/lib/clock.ts'
import type { CorrectionParts } from './ports.ts'
import { type CorrectionRow, openCorrectionStore, shownCorrection } from './store.ts'
import { type CorrectionWork, createCorrectionWork } from './work.ts'

/** Corrections of prices: computed first, applied when an operator says so, by one node in the background. */
export interface Corrections extends CorrectionWork {
  list(page: { p: number; page_size: number }): Promise<Page<Correction>>
  detail(id: number): Promise<CorrectionDetail>
  create(actor: Actor, body: BodyOf<typeof createCorrection>): Promise<Correction>
  /**
   * Charges the provisional calls since `from` (unix seconds) anew that the declarations are about, in the background and without
   * being asked to apply it: it only gives back.
   */
  settle(actor: Actor, from: number, declarations: Declarations, note: string): Promise<Correction>
  /** Throws `correction_not_ready` unless it is ready, being applied or done. */
  apply(actor: Actor, id: number): Promise<Correction>
  /** Throws `correction_not_ready` once it is applied. */
  cancel(actor: Actor, id: number): Promise<Correction>
}

const shownUsers = 200

type CorrectionBody = BodyOf<typeof createCorrection>

interface NewCorrection extends Pick<CorrectionBody, 'note' | 'from' | 'to' | 'changes'> {
  readonly filter: Pick<CorrectionBody, 'models' | 'channels' | 'users'>
  /** Frozen options and price lists, as `parts.prices` prints them. */
  readonly price: string
}

export const openCorrections = (parts: CorrectionParts): Corrections => {
  const store = openCorrectionStore(parts.database)
  const now = (): number => unixSeconds(parts.clock)

  const rowOf = async (id: number): Promise<CorrectionRow> => {
    const row = await store.byId(id)
    if (row === undefined) throw new AppError('not_found')
    return row
  }

  const record = ({ ip, ...actor }: Actor, verb: string, correction: Correction, before?: string): Promise<void> => {
    const { id, state, from, to, models, channels, users, changes, calls, old_quota, new_quota, note } = correction
    const after = { state, from, to, models, channels, users, changes, calls, old_quota, new_quota, note }
    return parts.audit.record({
      actor: { id: actor.id, username: actor.username },
      action: `correction.${verb}`,
      object: 'correction',
      objectId: id,
      ...(before === undefined ? {} : { before: { state: before } }),
      after,
      ip,
    })
  }

  /** Stores a correction of calls from `from` to `to` (unix seconds, at most now), with its trace. */
  const add = async (actor: Actor, { note, from, to, price, filter, changes }: NewCorrection): Promise<Correction> => {
    const id = await store.add({
      created_at: now(),
      actor_id: actor.id,
      actor_name: actor.username,
      note,
      from_time: from,
      to_time: Math.min(to, now()),
      filter: JSON.stringify(filter),
      changes: JSON.stringify(changes),
      price,
    })
    const made = shownCorrection(await rowOf(id))
    await record(actor, 'create', made)
    return made
  }

  return {
    ...createCorrectionWork(parts, store),

    async list({ p, page_size }) {
      const { rows, total } = await store.page((p - 1) * page_size, page_size)
      return { items: rows.map(shownCorrection), total, page: p, page_size }
    },

    async detail(id) {
      const [row, users, total] = await Promise.all([rowOf(id), store.users(id, shownUsers), store.countUsers(id)])
      const users_changed = users.map(({ applied_old: _, applied_new: _new, ...user }) => user)
      return { ...shownCorrection(row), users_changed, users_total: total }
    },

    async create(actor, { from, to, models, channels, users, changes, note }) {
      const price = parts.prices.freeze(changes)
      return add(actor, { note, from, to, price, filter: { models, channels, users }, changes })
    },

    async settle(actor, from, declarations, note) {
      const price = parts.prices.freezeDeclared(declarations)
      return add(actor, { note, from, to: now(), price, filter: { models: [], channels: [], users: [] }, changes: [] })
    },

    async apply(actor, id) {
      const before = await rowOf(id)
      if (before.state === 'applying' || before.state === 'done') return shownCorrection(before)
      if (!(await store.move(id, 'ready', 'applying'))) throw new AppError('correction_not_ready')
      const after = shownCorrection(await rowOf(id))
      await record(actor, 'apply', after, before.state)
      return after
    },

    async cancel(actor, id) {
      const before = await rowOf(id)
      const cancelled =
        (await store.move(id, 'ready', 'cancelled', now())) || (await store.move(id, 'preparing', 'cancelled', now()))
      if (!cancelled) throw new AppError('correction_not_ready')
      await store.deleteCalls(id)
      const after = shownCorrection(await rowOf(id))
      await record(actor, 'cancel', after, before.state)
      return after
    },
  }
}
