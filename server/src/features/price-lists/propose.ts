import type { Database } from '../../db/database.ts'
import type { PriceDifference } from './differences.ts'
import { doubtsOf } from './price-checks.ts'
import { addVersion, type Change, type PriceStore } from './store.ts'

/** Actor who proposes, applies or takes back prices; id 0 is the server. */
export interface PriceActor {
  readonly id: number
  readonly username: string
  readonly ip: string
}

export const serverActor: PriceActor = { id: 0, username: 'system', ip: '' }

/** Differences with what is doubtful about them; those without doubts are applied unless an operator decides otherwise. */
export const guarded = (differences: readonly PriceDifference[], now: number): Change[] =>
  differences.map((difference) => {
    const doubts = doubtsOf(difference.before, difference.after, now)
    return { ...difference, doubts, decision: doubts.length === 0 ? 'apply' : undefined }
  })

export interface Proposal {
  readonly kind: 'shipped' | 'sync'
  /** Displayed source of the prices. */
  readonly source: string
  /** The row of `price_lists` that it brings; 0 for none. */
  readonly listId: number
  readonly changes: readonly Change[]
}

/** Stores a proposal; an open one from the same source is discarded, because this one says what differs now. */
export const storeProposal = (
  { database, store }: { database: Database; store: PriceStore },
  { kind, source, listId, changes }: Proposal,
  { actor, at }: { actor: PriceActor; at: number },
): Promise<number> =>
  database.transaction(async (trx) => {
    await trx
      .updateTable('price_versions')
      .set({ status: 'discarded', decided_at: at })
      .where('status', '=', 'proposed')
      .where('kind', '=', kind)
      .where('source', '=', source)
      .execute()
    const id = await addVersion(trx, {
      created_at: at,
      decided_at: 0,
      effective_from: 0,
      kind,
      source,
      status: 'proposed',
      list_id: listId,
      undoes: 0,
      actor_id: actor.id,
      actor_name: actor.id === 0 ? '' : actor.username,
    })
    if (changes.length > 0) await store.addChanges(trx, id, changes)
    return id
  })
