import type { PriceDecision } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import { priceKey } from '../../billing/book/versioned-book.ts'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'
import type { Trace } from '../../db/trace.ts'
import { AppError } from '../../lib/app-error.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { isSamePrice, listedUnder } from './differences.ts'
import type { LiveLists } from './live-lists.ts'
import type { PriceActor } from './propose.ts'
import { stateAfter, type VersionState, versionName } from './states.ts'
import { addVersion, type Change, type ChangeRow, decide, type PriceStore, settle, type VersionRow } from './store.ts'

export interface DecisionParts {
  readonly database: Database
  readonly store: PriceStore
  readonly clock: Clock
  readonly live: LiveLists
  audit(entry: Trace, trx?: Transaction<Tables>): Promise<void>
}

/** By the id of a change. */
export type Decisions = Readonly<Record<string, PriceDecision>>

const settled = (): AppError => new AppError('price_version_settled')

const withDecisions = (changes: readonly ChangeRow[], decisions: Decisions): ChangeRow[] => {
  const chosen = new Map(Object.entries(decisions))
  return changes.map((change) => ({ ...change, decision: chosen.get(String(change.id)) ?? change.decision }))
}

/** Names of changed models for the trail, which is no place for a whole list. */
const mostNames = 50
const traceOf = (row: VersionRow, changes: readonly Change[], more: Record<string, unknown>) => {
  const applied = changes.filter(({ decision }) => decision !== 'keep')
  return {
    source: row.source,
    name: versionName(row),
    applied: applied.length,
    kept: changes.length - applied.length,
    models: applied
      .slice(0, mostNames)
      .map(({ model }) => model)
      .join(', '),
    ...more,
  }
}

const openVersion = async ({ store }: DecisionParts, id: number): Promise<VersionRow> => {
  const row = await store.version(id)
  if (row === undefined) throw new AppError('not_found')
  if (row.status !== 'proposed') throw settled()
  return row
}

/** The state as it would be with a proposal and these decisions; changes without a decision stay as they are. */
export const proposedState = async (parts: DecisionParts, id: number, decisions: Decisions): Promise<VersionState> => {
  const row = await openVersion(parts, id)
  const changes = withDecisions(await parts.store.changes(id), decisions).map((change) => ({
    ...change,
    decision: change.decision ?? 'keep',
  }))
  const lists = row.list_id === 0 ? undefined : await parts.live.lists(row.list_id)
  return { ...stateAfter(parts.live.present(), { row, changes, lists }), from: 0 }
}

/** A proposal was checked against prices that must still be those in force. */
const assertFresh = ({ live }: DecisionParts, changes: readonly Change[]): void => {
  const source = live.source()
  const stale = changes.find(
    ({ provider, model, before }) => !isSamePrice(before?.prices, listedUnder(source, provider, model)?.stored.prices),
  )
  if (stale !== undefined) throw new AppError('price_version_stale', { params: { model: stale.model } })
}

/**
 * Applies a proposal, now or at a moment of the future. Throws `price_decisions_missing` while a change is held back,
 * `price_version_stale` when other prices are in force than those it was compared with, `price_version_settled`.
 */
export const applyProposal = async (
  parts: DecisionParts,
  id: number,
  { decisions, at, actor }: { decisions: Decisions; at: number | undefined; actor: PriceActor },
): Promise<void> => {
  const { database, store, clock } = parts
  const row = await openVersion(parts, id)
  const changes = withDecisions(await store.changes(id), decisions)
  const missing = changes.filter(({ decision }) => decision === undefined)
  if (missing.length > 0) throw new AppError('price_decisions_missing', { params: { count: missing.length } })
  assertFresh(parts, changes)
  const now = unixSeconds(clock)
  const from = Math.max(now, at ?? now)
  await database.transaction(async (trx) => {
    const to = { status: 'applied', decided_at: now, effective_from: from }
    if (!(await settle(trx, id, 'proposed', to))) throw settled()
    for (const decision of ['apply', 'keep'] as const) {
      const ids = changes.filter((change) => change.decision === decision).map((change) => change.id)
      await decide(trx, ids, decision)
    }
    const after = traceOf(row, changes, { effective_from: from })
    await parts.audit(
      { actor, action: 'price_list.apply', object: 'price_list', objectId: id, after, ip: actor.ip },
      trx,
    )
  })
}

/** Discards a proposal, or a version that has not begun. Throws `price_version_settled` for others. */
export const discardVersion = async (parts: DecisionParts, id: number, actor: PriceActor): Promise<void> => {
  const { database, store, clock } = parts
  const row = await store.version(id)
  if (row === undefined) throw new AppError('not_found')
  const now = unixSeconds(clock)
  const isScheduled = row.status === 'applied' && row.effective_from > now
  if (row.status !== 'proposed' && !isScheduled) throw settled()
  await database.transaction(async (trx) => {
    if (!(await settle(trx, id, row.status, { status: 'discarded', decided_at: now }))) throw settled()
    const before = { source: row.source, name: versionName(row) }
    await parts.audit(
      { actor, action: 'price_list.discard', object: 'price_list', objectId: id, before, ip: actor.ip },
      trx,
    )
  })
}

/** Changes that restore the prices of a version's models, except those that a later version changed. */
const reversal = (
  { live }: DecisionParts,
  row: VersionRow,
  { changes, previous }: { changes: readonly Change[]; previous: VersionState },
): Change[] => {
  const [present, source] = [live.present(), live.source()]
  const after = live.states().find(({ version }) => version === row.id)
  return changes.flatMap((change): Change[] => {
    const key = priceKey(change.provider, change.model)
    const isOwn = present.overlay.get(key)?.stored.prices === after?.overlay.get(key)?.stored.prices
    if (!isOwn) return []
    const now = listedUnder(source, change.provider, change.model)
    const before = now && { ...now.stored, version: now.version }
    const restored = previous.overlay.get(key)
    if (restored?.isUnlisted) return [{ ...change, before, after: undefined, doubts: [], decision: 'apply' }]
    if (restored === undefined) return [{ ...change, before, after: change.before, doubts: [], decision: 'drop' }]
    const placed = { ...restored.stored, version: restored.version }
    return [{ ...change, before, after: placed, doubts: [], decision: 'apply' }]
  })
}

/**
 * Restores the prices from before a version, in a new version that begins now. Throws `price_version_not_undoable` for one that
 * does not count (any more) or whose prices later versions changed.
 */
export const undoVersion = async (parts: DecisionParts, id: number, actor: PriceActor): Promise<number> => {
  const { database, store, clock, live } = parts
  const row = await store.version(id)
  if (row === undefined) throw new AppError('not_found')
  const now = unixSeconds(clock)
  const previous = live.before(id)
  const isListOfPast = row.list_id !== 0 && live.present().listId !== row.list_id
  const refused = new AppError('price_version_not_undoable')
  if (row.status !== 'applied' || row.effective_from > now || previous === undefined || isListOfPast) throw refused
  const made = await store.changes(id)
  const changes = reversal(parts, row, { changes: made, previous })
  if (made.length > 0 && changes.length === 0 && row.list_id === 0) throw refused
  return database.transaction(async (trx) => {
    if (!(await settle(trx, id, 'applied', { status: 'undone', decided_at: row.decided_at }))) throw refused
    const version: Omit<VersionRow, 'id'> = {
      created_at: now,
      decided_at: now,
      effective_from: now,
      kind: 'undo',
      source: versionName(row),
      status: 'applied',
      list_id: row.list_id === 0 ? 0 : previous.listId,
      undoes: id,
      actor_id: actor.id,
      actor_name: actor.username,
    }
    const undo = await addVersion(trx, version)
    if (changes.length > 0) await store.addChanges(trx, undo, changes)
    const after = traceOf({ ...version, id: undo }, changes, { undoes: versionName(row) })
    await parts.audit(
      { actor, action: 'price_list.undo', object: 'price_list', objectId: id, after, ip: actor.ip },
      trx,
    )
    return undo
  })
}
