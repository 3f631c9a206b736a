import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountStore } from './account-store.ts'
import type { LeaseBook } from './leases/lease-book.ts'
import type { RedisDelivery } from './redis-delivery.ts'

/** Share of the grace period for which a node uses its leases without a sign of life; clocks may differ. */
const trustedPart = 0.8

export interface NodeLifeParts {
  readonly store: Pick<AccountStore, 'beat' | 'forgetSilent' | 'settled'>
  readonly news: Pick<RedisDelivery, 'behind' | 'catchUp' | 'fellBehind'>
  readonly book: Pick<LeaseBook, 'drop' | 'sweep' | 'trustUntil'>
  /** Checks that the store has the history of this database. Rejects where the database does not answer. */
  readonly check: () => Promise<void>
  readonly nodeName: string
  readonly graceMs: number
  readonly beatMs: number
  readonly settleMs: number
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number
  readonly warn: (message: string, fields: Readonly<Record<string, unknown>>) => void
}

/** Presence of a node in the store, and its recovery after missed messages. */
export interface NodeLife {
  /** The first sign of life; from then on there is one each `beatMs`. */
  begin(): Promise<void>
  /** After the connection was lost. */
  reconnected(): Promise<void>
  /** Catches up on missed messages, and sends those that the store may not have. */
  recover(): Promise<void>
  /** Sends the messages that the store has missed, if any. */
  catchUpIfBehind(): Promise<void> | undefined
  /** Like `check`, but without an answer of the database the epoch stays as it is; balances cannot be read then either. */
  checkQuietly(): Promise<void>
  /** Reservations wait for it: a store that is new, or came back without its data, must learn first what all nodes have pending. */
  readonly settling: Promise<unknown> | undefined
  /** Forgets earlier runs of this node. */
  forgetEarlierRuns(): void
  stop(): void
}

export const createNodeLife = (parts: NodeLifeParts): NodeLife => {
  const { store, news, book, now, beatMs } = parts
  let isUnchecked = false
  let settling: Promise<unknown> | undefined
  let timer: NodeJS.Timeout | undefined
  let later: NodeJS.Timeout | undefined

  const checkQuietly = async (): Promise<void> => {
    try {
      await parts.check()
      isUnchecked = false
    } catch (error) {
      if (!isUnchecked) parts.warn('database_epoch_unchecked', { error })
      isUnchecked = true
    }
  }

  const recover = async (): Promise<void> => {
    await checkQuietly()
    await news.catchUp()
  }

  const catchUpIfBehind = (): Promise<void> | undefined => (news.behind ? news.catchUp() : undefined)

  /** Sends a heartbeat; true if the store knew this node. */
  const showLife = async (): Promise<boolean> => {
    const at = now()
    const lived = await store.beat()
    if (!lived) book.drop()
    book.trustUntil(at + parts.graceMs * trustedPart)
    return lived
  }

  const settleFor = (known: Promise<unknown>): void => {
    settling = known
    void known.then(() => {
      if (settling === known) settling = undefined
    })
  }

  const beat = (): void => {
    // Not after the check: a database that does not answer must not make the others take this node for dead.
    showLife()
      .then((lived) => (lived ? catchUpIfBehind() : news.catchUp()))
      .catch(news.fellBehind)
    void checkQuietly().then(catchUpIfBehind)
    book.sweep()
  }

  return {
    checkQuietly,
    recover,
    catchUpIfBehind,

    get settling() {
      return settling
    },

    async begin() {
      await showLife()
      settleFor(store.settled())
      timer = setInterval(beat, beatMs)
      timer.unref()
    },

    async reconnected() {
      const lived = await showLife().catch(() => true)
      if (!lived) settleFor(sleep(parts.settleMs))
      await recover()
    },

    forgetEarlierRuns() {
      // A process that died a moment ago may have sent a heartbeat just before: checked again after its silence.
      const forget = async (): Promise<void> => {
        // Redis must know this run's share of what an earlier run had pending before it drops that.
        if (news.behind) await news.catchUp()
        if (!news.behind) await store.forgetSilent(`${parts.nodeName}#`, beatMs * 3).catch(news.fellBehind)
      }
      void forget()
      later = setTimeout(() => void forget(), beatMs * 4)
      later.unref()
    },

    stop() {
      clearInterval(timer)
      clearTimeout(later)
    },
  }
}
