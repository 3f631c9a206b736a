import { isDataError } from '../../db/data-error.ts'
import type { Database } from '../../db/database.ts'
import type { Journal } from '../../journal/journal.ts'
import { type JournalRecord, withHoldForgotten } from '../../journal/journal-record.ts'
import type { SerialQueue } from '../../lib/serial-queue.ts'
import type { Backlog } from '../backlog.ts'
import type { AccountBalance, Accounts } from '../holds/accounts.ts'
import { openLogGaps } from '../logs/log-gaps.ts'
import { createRefusals, type RefusedListener } from '../refused/refusals.ts'
import { restoreTexts } from '../refused/restore-texts.ts'
import type { RefusedStore } from '../refused/store.ts'
import { applyCharges } from './batch.ts'
import { openBatches } from './batches.ts'
import { writeLogs } from './log-rows.ts'
import { writeTasks } from './task-rows.ts'

/** Options of the operator, read for each batch. */
export interface ChargeOptions {
  /** True if charges get a row in the logs (option LogConsumeEnabled). */
  logConsume(): boolean
  /** True if failures do (option ErrorLogEnabled). */
  logErrors(): boolean
  /** True if hourly figures are collected (option DataExportEnabled). */
  hourly(): boolean
}

export interface ChargesParts {
  readonly database: Database
  /** The same as `database` unless logs live apart. */
  readonly logDatabase: Database
  readonly journal: Pick<Journal, 'applied'>
  readonly accounts: Accounts
  readonly queue: SerialQueue
  readonly options: ChargeOptions
  /** True if several nodes write to the database. */
  readonly shared: boolean
  readonly delayMs: number
  readonly retryMs: number
  readonly warn: (message: string, fields: Readonly<Record<string, unknown>>) => void
  readonly error: (event: string, fields: Readonly<Record<string, unknown>>) => void
  readonly now: () => number
  /** Store for records that the database refuses alone; without it they are tried for ever. */
  readonly refused: RefusedStore | undefined
  readonly onRefused: RefusedListener
  /** Called with the balances after each batch. */
  readonly onCharged: ChargedListener
  /** Called with tokens whose quota is exhausted. */
  readonly onSpent: SpentListener
  readonly backlog: Backlog
}

/** Gets the balances of users who were charged something, once their charges are in the database. Must return at once. */
export type ChargedListener = (balances: readonly AccountBalance[]) => void

/** Gets the ids of limited tokens whose balance a batch left at zero or below. Must return at once. */
export type SpentListener = (tokenIds: readonly number[]) => void

/** Takes finished requests, which the journal has, to the database in batches: first the money, then the logs. */
export interface Charges {
  add(record: JournalRecord): void
  /** How many are not in the database yet. */
  readonly waiting: number
  /** Milliseconds since 1970 when the one that has waited longest ended; undefined when none waits. */
  readonly oldestAt: number | undefined
  /** Resolves when this charge, which was added or is about to be, is in the database, or after `mostMs` milliseconds. */
  arrived(id: string, mostMs: number): Promise<void>
  /** Retries a refused record: its charge if the ledger lacks it, and all of its texts. Throws errors of the database. */
  applyAgain(record: JournalRecord): Promise<void>
  /** Resolves when all are. */
  flush(): Promise<void>
  close(): Promise<void>
}

const batchSize = 3000
/** After failures the pause doubles up to this many times the first one. */
const longestRetry = 50

export const openCharges = (parts: ChargesParts): Charges => {
  const { database, logDatabase, journal, accounts, queue, options, warn } = parts
  const { retryMs, backlog } = parts
  const common = { backlog, most: batchSize, retryMs, longestRetryMs: longestRetry * retryMs }
  const arrivals = new Map<string, () => void>()
  const gaps = openLogGaps(database)

  const book = (records: readonly JournalRecord[]): Promise<readonly AccountBalance[]> =>
    queue.run(async () => {
      const applied = await applyCharges({ database, hourly: options.hourly(), versions: parts.shared }, records)
      await accounts.committed(records, applied)
      return applied
    })

  const charge = async (records: readonly JournalRecord[]): Promise<void> => {
    const balances = await book(records)
    for (const record of records) logs.add(record)
    if (arrivals.size > 0) for (const { id } of records) arrivals.get(id)?.()
    notifyCharged(records, balances)
  }

  /** The batch is committed: an error of a listener does not make it fail. */
  const notifyCharged = (records: readonly JournalRecord[], balances: readonly AccountBalance[]): void => {
    const charged = new Set(records.flatMap(({ userId, quota }) => (quota > 0 ? userId : [])))
    try {
      const spent = balances.filter(
        ({ account, unlimited, balance }) => account === 'token' && !unlimited && balance <= 0,
      )
      if (spent.length > 0) parts.onSpent(spent.map(({ id }) => id))
      parts.onCharged(balances.filter(({ account, id }) => account === 'user' && charged.has(id)))
    } catch (error) {
      warn('charge_listener_failed', { error })
    }
  }

  const log = async (records: readonly JournalRecord[]): Promise<void> => {
    await writeTasks(
      database,
      records.filter(({ kind }) => kind === 'error'),
    )
    const logged = { charge: options.logConsume(), error: options.logErrors() }
    if (!logged.charge) await gaps.note(records.filter(({ kind }) => kind === 'charge'))
    await writeLogs(
      { database, logDatabase },
      records.filter(({ kind }) => logged[kind]),
    )
    journal.applied(records)
  }

  const failed = (event: string) => (error: unknown, batch: readonly JournalRecord[]) =>
    warn(`${event}_not_written`, {
      error,
      records: batch.length,
      first: batch[0]?.id,
    })

  const refusals =
    parts.refused &&
    createRefusals({
      store: parts.refused,
      write: { charge: (record) => charge([record]), log: (record) => log([record]) },
      giveUp: {
        async charge(record) {
          await accounts.committed([record], [])
          arrivals.get(record.id)?.()
          journal.applied([record])
        },
        async log(record) {
          journal.applied([record])
        },
      },
      now: parts.now,
      error: parts.error,
      onRefused: parts.onRefused,
    })
  const refusing = (step: 'charge' | 'log') =>
    refusals && {
      isAboutItems: isDataError,
      refuse: (record: JournalRecord, error: unknown, failures: number) =>
        refusals.refuse(record, step, error, failures),
    }

  const money = openBatches({
    ...common,
    delayMs: parts.delayMs,
    work: charge,
    failed: failed('charges'),
    ...refusing('charge'),
  })
  const logs = openBatches({ ...common, delayMs: 0, work: log, failed: failed('logs'), ...refusing('log') })

  return {
    add: (record) => (record.kind === 'charge' ? money : logs).add(record),
    get waiting() {
      return money.waiting + logs.waiting
    },
    get oldestAt() {
      const ends = [money.oldest?.at, logs.oldest?.at].filter((at) => at !== undefined)
      return ends.length === 0 ? undefined : Math.min(...ends)
    },
    arrived: (id, mostMs) =>
      new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer)
          arrivals.delete(id)
          resolve()
        }
        const timer = setTimeout(done, mostMs)
        arrivals.set(id, done)
      }),
    async applyAgain(record) {
      if (record.kind === 'charge') notifyCharged([record], await book([withHoldForgotten(record)]))
      const logged = record.kind === 'charge' ? options.logConsume() : options.logErrors()
      await restoreTexts({ database, logDatabase }, record, logged)
    },
    async flush() {
      await money.flush()
      await logs.flush()
    },
    async close() {
      await money.close()
      await logs.close()
    },
  }
}
