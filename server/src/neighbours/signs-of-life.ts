import { randomUUID } from 'node:crypto'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { upsert } from '../db/dialect.ts'
import type { Tables } from '../db/schema.ts'
import { every } from '../jobs/every.ts'
import type { Log } from '../lib/log.ts'

/** Milliseconds between two signs of life. */
const everyMs = 3_000
/** Seconds without a sign, by the clock of the database, after which a process is believed dead. */
export const deadAfterS = 15

export interface NeighboursParts {
  readonly database: Database
  readonly log: Pick<Log, 'error' | 'warn' | 'info'>
  /** How operators call this process. */
  readonly nodeName: string
  /**
   * Names what holds the reserved parts of balances: processes with the same one count together. undefined while it is not known.
   */
  store(): string | undefined | Promise<string | undefined>
  /** Milliseconds that only go on. */
  readonly elapsed?: () => number
  readonly everyMs?: number
}

export interface NeighbourWatch {
  /** The node that serves from this database and shares nothing with this process; undefined where there is none, and calls may be served. */
  readonly stranger: string | undefined
  /** Calls the listener after each change of `stranger`. */
  whenStranger(listener: () => void): void
  /** The nodes that refuse calls because another gateway serves from this database, this one among them. */
  readonly refusing: readonly string[]
  /** Gives a sign of life now, and looks for others. Never rejects. */
  look(): Promise<void>
  /** Takes the sign of this process away. Never rejects. */
  close(): Promise<void>
}

/** Milliseconds since 1970 by the clock of the database, which is one for all nodes. */
const databaseTime = ({ engine }: Database): RawBuilder<number> => {
  if (engine === 'postgres') return sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
  if (engine === 'mysql') return sql<number>`timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000`
  return sql<number>`cast(unixepoch('subsec') * 1000 as integer)`
}

type Sign = Tables['signs_of_life']

/** The row that a process locks while it joins, so that one joins at a time. It stands for no process: its time is always stale. */
const lockName = 'lock'

/** One order for all processes, also for those that began in the same moment. */
const isBefore = (left: Sign, right: Sign): boolean =>
  left.started_time < right.started_time || (left.started_time === right.started_time && left.process < right.process)

const firstOf = (signs: readonly Sign[]): Sign | undefined =>
  signs.toSorted((left, right) => (isBefore(left, right) ? -1 : 1))[0]

const howToMend =
  'Two gateways that use one database must share one Redis (REDIS_CONN_STRING), or balances are spent twice. ' +
  'This one refuses calls until the other has ended: stop one of the two, or give both the same REDIS_CONN_STRING.'

/**
 * Says in the database that this process serves, and watches for processes that share the database but not what is reserved of balances:
 * another Redis, none, or another data folder. The one that joined first goes on; the others refuse calls, and the next one takes over once it
 * has ended or has given no sign for `deadAfterS`. Looks once before it resolves, so that two which begin in one moment never both serve.
 */
export const openNeighbours = async (parts: NeighboursParts): Promise<NeighbourWatch> => {
  const { database, log, nodeName, elapsed = () => performance.now() } = parts
  const self = randomUUID()
  const listeners: (() => void)[] = []
  let stranger: string | undefined
  let refusing: readonly string[] = []
  /** Until then silence of others proves nothing: they may have missed the database as this process did. */
  let unsureUntil = Number.NEGATIVE_INFINITY

  /** Signs that are younger than `deadAfterS`, and the time by which they are. */
  const present = async (on: Kysely<Tables>): Promise<{ now: number; signs: readonly Sign[] }> => {
    const { rows } = await sql<{ now: unknown }>`select ${databaseTime(database)} as now`.execute(on)
    const now = Number(rows[0]?.now)
    const since = now - deadAfterS * 1000
    return { now, signs: await on.selectFrom('signs_of_life').selectAll().where('last_time', '>=', since).execute() }
  }

  /** Writes the sign of this process; answers it with those of the others. */
  const write = async (on: Kysely<Tables>, row: Sign, signs: readonly Sign[]): Promise<readonly Sign[]> => {
    const set = ['store', 'started_time', 'last_time'] as const
    await upsert(on, 'signs_of_life', [row], { key: ['process'], set })
    return [...signs.filter(({ process }) => process !== self), row]
  }

  /**
   * Joins behind all processes that are there. The row of the lock is written first, so one process joins at a time, and the second sees the
   * sign of the first.
   */
  const join = (store: string): Promise<readonly Sign[]> =>
    database.transaction(async (trx) => {
      const lock = { process: lockName, node: '', store: '', started_time: 0, last_time: 0 }
      await upsert(trx, 'signs_of_life', [lock], { key: ['process'], set: ['last_time'] })
      const { now, signs } = await present(trx)
      const first = firstOf(signs)
      const last = Math.max(0, ...signs.map(({ started_time }) => started_time))
      // A process that joins the serving ones takes its place in their order.
      const started_time = first?.store === store ? first.started_time : Math.max(now, last + 1)
      const longDead = now - 10 * deadAfterS * 1000
      await trx.deleteFrom('signs_of_life').where('last_time', '<', longDead).where('process', '<>', lockName).execute()
      return write(trx, { process: self, node: nodeName, store, started_time, last_time: now }, signs)
    })

  /** Answers everybody who is there. A process whose own sign went stale may have been taken for dead, so it joins anew. */
  const sign = async (store: string): Promise<readonly Sign[]> => {
    const { now, signs } = await present(database.query)
    const own = signs.find(({ process }) => process === self)
    if (own === undefined) return join(store)
    return write(database.query, { ...own, store, last_time: now }, signs)
  }

  const take = (signs: readonly Sign[], store: string): void => {
    const first = firstOf(signs)
    const next = first === undefined || first.store === store ? undefined : first.node
    if (next === undefined && stranger !== undefined && elapsed() < unsureUntil) return
    const unlike = signs.filter((one) => one.store !== (first?.store ?? store))
    refusing = [...new Set(unlike.map(({ node }) => node))].toSorted()
    if (next !== undefined && stranger === undefined)
      log.error('calls_refused_beside_other_gateway', { node: nodeName, other: next, mend: howToMend })
    if (next === undefined && stranger !== undefined)
      log.info('calls_served_after_other_gateway', { node: nodeName, other: stranger })
    if (next === stranger) return
    stranger = next
    for (const listener of listeners) listener()
  }

  const look = async (): Promise<void> => {
    try {
      const store = await parts.store()
      if (store === undefined) return
      take(await sign(store), store)
    } catch (error) {
      unsureUntil = elapsed() + deadAfterS * 1000
      log.warn('sign_of_life_failed', { error })
    }
  }

  await look()
  const stop = every(parts.everyMs ?? everyMs, look, (error) => log.warn('sign_of_life_failed', { error }))
  return {
    get stranger() {
      return stranger
    },
    whenStranger(listener) {
      listeners.push(listener)
    },
    get refusing() {
      return refusing
    },
    look,
    async close() {
      stop()
      await database.query
        .deleteFrom('signs_of_life')
        .where('process', '=', self)
        .execute()
        .catch((error: unknown) => log.warn('sign_of_life_failed', { error }))
    },
  }
}
