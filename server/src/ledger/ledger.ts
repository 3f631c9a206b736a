import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import type { Journal } from '../journal/journal.ts'
import { AppError } from '../lib/app-error.ts'
import { createSerialQueue, type SerialQueue } from '../lib/serial-queue.ts'
import type { Holds, LeftWebCall, Recorder } from '../relay/ports.ts'
import { knownMovements } from './apply/batch.ts'
import { type ChargedListener, type ChargeOptions, openCharges, type SpentListener } from './apply/charges.ts'
import { Backlog } from './backlog.ts'
import { readBalances } from './balances.ts'
import type { Accounts, ReadBalances } from './holds/accounts.ts'
import { openMemoryAccounts } from './holds/holds-memory.ts'
import { openLeftovers } from './leftovers.ts'
import { type Movements, openMovements } from './movements.ts'
import { createRecorder } from './recorder.ts'
import type { RefusedListener } from './refused/refusals.ts'
import { openRefused, type Refused } from './refused/retries.ts'
import type { RefusedStore } from './refused/store.ts'

export interface LedgerParts {
  readonly database: Database
  /** Database of the logs if it is not `database`. */
  readonly logDatabase?: Database | undefined
  readonly journal: Journal
  readonly options: ChargeOptions
  /** Opens what several nodes share; one node keeps its accounts in memory. */
  readonly openAccounts?: ((parts: { queue: SerialQueue; read: ReadBalances }) => Promise<Accounts>) | undefined
  readonly now?: () => number
  readonly warn?: (message: string, fields: Readonly<Record<string, unknown>>) => void
  /** Reports what a person must look at. */
  readonly error?: (event: string, fields: Readonly<Record<string, unknown>>) => void
  /** Store for records that the database refuses alone; without it they are tried for ever. */
  readonly refused?: RefusedStore
  /** How long a finished request waits for others before it goes to the database. */
  readonly delayMs?: number
  /** Finished requests that may wait for the database before no new call may begin (100,000). */
  readonly mostWaiting?: number
  /** First pause after the database failed. */
  readonly retryMs?: number
}

export interface Ledger {
  readonly holds: Holds
  readonly recorder: Recorder
  readonly movements: Movements
  /** Records that the database refused; undefined where they are not stored. */
  readonly refused: Refused | undefined
  /** Sets the listener for balances after charges; it replaces the previous one. */
  whenCharged(listener: ChargedListener): void
  /** The same for tokens that charges left without quota. */
  whenSpent(listener: SpentListener): void
  /** The same for records that the database refused. */
  whenRefused(listener: RefusedListener): void
  /** Calls over WebRTC of an earlier process of this node that still run at their providers. */
  readonly leftWebCalls: readonly LeftWebCall[]
  /** Finished requests that are not in the database yet. */
  readonly waiting: number
  /** End of the request that has waited longest, in milliseconds since 1970; undefined when none waits. */
  readonly oldestWaitingAt: number | undefined
  /** Number of open reservations of this node, and their sum in quota units. */
  openHolds(): { readonly count: number; readonly quota: number }
  /** Number of accounts with a lease of this node, and the unused rest in quota units. */
  leases(): { readonly count: number; readonly quota: number }
  /** Resolves when the charge of a request is in the database, or after `mostMs` milliseconds; call it before the request ends. */
  arrived(requestId: string, mostMs: number): Promise<void>
  /** Which of these requests have their charge in the database. */
  readonly chargedAmong: (requestIds: readonly string[]) => Promise<ReadonlySet<string>>
  /** False while the disk refuses records or the database is far behind: no new call may begin. */
  readonly accepting: boolean
  /** Calls the listener whenever `accepting` may have changed. */
  whenAccepting(listener: () => void): void
  /** Resolves when every finished request is in the database, or after this many milliseconds (30,000). */
  flush(mostMs?: number): Promise<void>
  /** Stops; what is not in the database stays in the journal for the next start. */
  close(): Promise<void>
}

/**
 * The only writer of quota. Charges of earlier runs in the journal count as pending when it opens, and are applied in the background;
 * the database must be migrated.
 */
export const openLedger = async (parts: LedgerParts): Promise<Ledger> => {
  const {
    database,
    journal,
    now = Date.now,
    warn = () => {},
    delayMs = 500,
    retryMs = 100,
    mostWaiting = 100_000,
  } = parts
  const shared = parts.openAccounts !== undefined
  // All movements and balance reads of this node run one after the other, so an earlier read never overwrites a later one.
  const queue = createSerialQueue()
  const read: ReadBalances = async (names) => {
    try {
      return await readBalances(database.query, names, { versions: shared })
    } catch (cause) {
      // A call whose balance cannot be read may be tried again.
      throw new AppError('database_unreachable', { cause })
    }
  }
  const accounts = (await parts.openAccounts?.({ queue, read })) ?? openMemoryAccounts({ queue, read })
  const acceptingListeners: (() => void)[] = []
  const acceptingChanged = (): void => {
    for (const listener of acceptingListeners) listener()
  }
  journal.whenHealthy(acceptingChanged)
  const backlog = new Backlog(mostWaiting, acceptingChanged)
  let onCharged: ChargedListener = () => {}
  let onSpent: SpentListener = () => {}
  let onRefused: RefusedListener = () => {}
  const charges = openCharges({
    database,
    logDatabase: parts.logDatabase ?? database,
    journal,
    accounts,
    queue,
    options: parts.options,
    shared,
    backlog,
    delayMs,
    retryMs,
    warn,
    error: parts.error ?? warn,
    now,
    refused: parts.refused,
    onRefused: (refused) => onRefused(refused),
    onCharged: (balances) => onCharged(balances),
    onSpent: (tokenIds) => onSpent(tokenIds),
  })
  const leftovers = await openLeftovers({ journal, charges, accounts, backlog, now, warn })
  accounts.started()

  const chargedAmong: Ledger['chargedAmong'] = (ids) => knownMovements(database.query, ids)

  return {
    holds: accounts,
    recorder: createRecorder({ journal, charges, accounts }),
    refused:
      parts.refused &&
      openRefused({
        store: parts.refused,
        applyAgain: charges.applyAgain,
        chargedAmong,
      }),
    chargedAmong,
    movements: openMovements({
      database,
      queue,
      accounts,
      shared,
      hourly: parts.options.hourly,
      now,
      applied: () => charges.flush(),
    }),
    whenCharged(listener) {
      onCharged = listener
    },
    whenSpent(listener) {
      onSpent = listener
    },
    whenRefused(listener) {
      onRefused = listener
    },
    leftWebCalls: leftovers.webCalls,
    get waiting() {
      return backlog.waiting
    },
    get oldestWaitingAt() {
      return charges.oldestAt
    },
    openHolds: () => accounts.open(),
    leases: () => accounts.leased(),
    arrived: charges.arrived,
    get accepting() {
      return journal.healthy && !backlog.isFull
    },
    whenAccepting(listener) {
      acceptingListeners.push(listener)
    },
    async flush(mostMs = 30_000) {
      const patience = new AbortController()
      const tooLate = sleep(mostMs, undefined, { signal: patience.signal }).catch(() => undefined)
      await Promise.race([leftovers.handedOver.then(() => charges.flush()), tooLate])
      patience.abort()
    },
    async close() {
      await leftovers.stop()
      await charges.close()
      await queue.idle()
      await accounts.close()
    },
  }
}
