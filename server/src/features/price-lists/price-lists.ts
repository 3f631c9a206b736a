import { lazySource } from '../../billing/book/list-book.ts'
import type { ListBook } from '../../billing/book/list-price.ts'
import type { PreparedLists } from '../../billing/book/prepared-lists.ts'
import { sourceOf } from '../../billing/book/price-list-data.ts'
import { createVersionedBook } from '../../billing/book/versioned-book.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Bus } from '../../lib/redis/bus.ts'
import { createSerialQueue } from '../../lib/serial-queue.ts'
import {
  applyProposal,
  type DecisionParts,
  type Decisions,
  discardVersion,
  proposedState,
  undoVersion,
} from './decisions.ts'
import { type SourcePrices, sourceDifferences } from './differences.ts'
import { type LiveLists, openLiveLists } from './live-lists.ts'
import { guarded, type PriceActor, serverActor, storeProposal } from './propose.ts'
import { keepShipped, shippedChanges } from './shipped.ts'
import { type Change, openPriceStore, type PriceStore } from './store.ts'

export interface PriceListParts extends Pick<DecisionParts, 'database' | 'audit'> {
  readonly bus: Bus
  readonly log: Log
  readonly clock: Clock
  readonly syncFrequencyMs: number
  /** A slave stores and proposes nothing of its own. */
  readonly isSlave: boolean
  /** The lists of this version of the product. */
  readonly shipped: PreparedLists
  /** Called when the book was replaced. */
  readonly changed?: () => void
}

/** Result of a comparison. */
export interface ListComparison {
  /** The proposal; 0 where nothing differs. */
  readonly id: number
  readonly read: number
  readonly changes: readonly Change[]
  readonly leftOut: number
}

export interface ProposeHow {
  /** Names that enabled channels serve. */
  readonly names: readonly string[]
  readonly actor: PriceActor
  /** If true, what the newest version of this source held already is not proposed again: it waits, or was decided. */
  readonly once?: boolean
}

export interface PriceLists {
  readonly live: LiveLists
  readonly store: PriceStore
  /** From memory; the same object until prices change. */
  book(): ListBook
  /** Proposes what the lists of this version of the product would change, if they are not in force. */
  proposeShipped(names: readonly string[], actor?: PriceActor): Promise<ListComparison>
  /** Proposes what a source prices otherwise. */
  propose(source: string, prices: SourcePrices, how: ProposeHow): Promise<ListComparison>
  /** The prices as they would be with a proposal. */
  proposedBook(id: number, decisions: Decisions): Promise<ListBook>
  apply(id: number, how: { decisions: Decisions; at: number | undefined; actor: PriceActor }): Promise<void>
  discard(id: number, actor: PriceActor): Promise<void>
  undo(id: number, actor: PriceActor): Promise<number>
  /** True while the lists of this version of the product neither count nor were ever proposed. */
  hasNewShipped(): Promise<boolean>
  refresh(): Promise<void>
  close(): void
}

const topic = 'price_lists'

const shape = (changes: readonly Change[]): string =>
  JSON.stringify(
    changes.map(({ provider, model, before, after }) => [provider, model, before?.prices, after?.prices]).sort(),
  )

/** True if the newest version of the source has exactly these changes. */
const isKnown = async (
  store: PriceStore,
  proposal: { source: string; changes: readonly Change[] },
): Promise<boolean> => {
  const last = (await store.newestVersions()).find(({ source }) => source === proposal.source)
  return last !== undefined && shape(await store.changes(last.id)) === shape(proposal.changes)
}

/**
 * Opens the list prices: those in force stand in memory on every node, are read anew when a node changes them, and are
 * checked against the database every `syncFrequencyMs`. Nothing but an operator's decision changes them.
 */
export const openPriceLists = async (parts: PriceListParts): Promise<PriceLists> => {
  const { database, bus, clock, log, shipped } = parts
  const store = openPriceStore(database)
  const queue = createSerialQueue()
  const own = { database, store, clock }
  const shippedId = parts.isSlave ? 0 : await keepShipped(shipped, own)
  const live = await openLiveLists(
    store,
    lazySource(() => sourceOf(shipped.lists())),
    clock,
    parts.changed,
  )
  const decisionParts: DecisionParts = { ...own, live, audit: parts.audit }

  const refresh = async (): Promise<void> => {
    await live.refresh()
  }
  const refreshSoon = (): void => {
    queue.run(refresh).catch((error: unknown) => log.warn('price_lists_reload_failed', { error }))
  }
  const unsubscribe = bus.subscribe(topic, (notice) => {
    if (notice.kind === 'resync' || !notice.own) refreshSoon()
  })
  const timer = setInterval(refreshSoon, parts.syncFrequencyMs)
  timer.unref()

  /** Against what any node has decided so far. */
  const change = <T>(work: () => Promise<T>): Promise<T> =>
    queue.run(async () => {
      await live.refresh()
      const result = await work()
      await live.refresh()
      bus.publish(topic)
      return result
    })

  const compareTrace = (made: { id: number; source: string; changes: readonly Change[]; actor: PriceActor }) => {
    const { id, source, changes, actor } = made
    const held = changes.filter(({ decision }) => decision === undefined).length
    const after = { source, changes: changes.length, held }
    return parts.audit({ actor, action: 'price_list.compare', object: 'price_list', objectId: id, after, ip: actor.ip })
  }

  const compared = (
    proposal: { kind: 'shipped' | 'sync'; source: string; listId: number; changes: readonly Change[] },
    more: { read: number; leftOut: number; actor: PriceActor },
  ): Promise<ListComparison> =>
    change(async () => {
      const { read, leftOut, actor } = more
      const isNothing = proposal.changes.length === 0 && proposal.listId === 0
      const id = isNothing ? 0 : await storeProposal(own, proposal, { actor, at: unixSeconds(clock) })
      await compareTrace({ ...proposal, id, actor })
      return { id, read, changes: proposal.changes, leftOut }
    })

  return {
    live,
    store,
    book: live.book,
    async proposeShipped(names, actor = serverActor) {
      if (shippedId === 0 || live.present().listId === shippedId) {
        await compareTrace({ id: 0, source: shipped.name, changes: [], actor })
        return { id: 0, read: 0, changes: [], leftOut: 0 }
      }
      const { name, changes } = await shippedChanges(shippedId, { ...own, live, names: () => names })
      return compared({ kind: 'shipped', source: name, listId: shippedId, changes }, { read: 0, leftOut: 0, actor })
    },
    async propose(source, prices, { names, actor, once = false }) {
      const { differences, leftOut } = sourceDifferences(live.source(), prices, { names, now: clock() })
      const proposal = { kind: 'sync' as const, source, listId: 0, changes: guarded(differences, clock()) }
      if (once && (differences.length === 0 || (await isKnown(store, proposal))))
        return { id: 0, read: prices.prices.length, changes: [], leftOut }
      return compared(proposal, { read: prices.prices.length, leftOut, actor })
    },
    proposedBook: async (id, decisions) => createVersionedBook([await proposedState(decisionParts, id, decisions)]),
    apply: (id, how) => change(() => applyProposal(decisionParts, id, how)),
    discard: (id, actor) => change(() => discardVersion(decisionParts, id, actor)),
    undo: (id, actor) => change(() => undoVersion(decisionParts, id, actor)),
    async hasNewShipped() {
      if (shippedId === 0) return false
      const version = await database.query
        .selectFrom('price_versions')
        .select('id')
        .where('list_id', '=', shippedId)
        .executeTakeFirst()
      return version === undefined
    },
    refresh: () => queue.run(refresh),
    close() {
      clearInterval(timer)
      unsubscribe()
    },
  }
}
