import { randomUUID } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { upsert } from '../../db/dialect.ts'
import { every } from '../../jobs/every.ts'
import type { Log } from '../../lib/log.ts'

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

export interface Neighbours {
  /** The node that serves from this database and shares nothing with this process; undefined where there is none, and calls may be served. */
  readonly stranger: string | undefined
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

interface Sign {
  readonly process: string
  readonly started_time: number
}

/** One order for all processes, also for those that began in the same moment. */
const isBefore = (left: Sign, right: Sign): boolean =>
  left.started_time < right.started_time || (left.started_time === right.started_time && left.process < right.process)

const firstOf = <S extends Sign>(signs: readonly S[]): S | undefined =>
  signs.toSorted((left, right) => (isBefore(left, right) ? -1 : 1))[0]

const howToMend =
  'Two gateways that use one database must share one Redis (REDIS_CONN_STRING), or balances are spent twice. ' +
  'This one refuses calls until the other has ended: stop one of the two, or give both the same REDIS_CONN_STRING.'

/**
 * Says in the database that this process serves, and watches for processes that share the database but not what is reserved of balances:
 * another Redis, none, or another data folder. The one that began first goes on; the others refuse calls, and take over once it has
 * ended or has given no sign for `deadAfterS`. Looks once before it resolves.
 */
export const openNeighbours = async (parts: NeighboursParts): Promise<Neighbours> => {
  const { database, log, nodeName, elapsed = () => performance.now() } = parts
  const self = randomUUID()
  let stranger: string | undefined
  let started: number | undefined
  /** Until then silence of others proves nothing: they may have missed the database as this process did. */
  let unsureUntil = Number.NEGATIVE_INFINITY

  /** Answers the node that began first, where it is of another store. */
  const sign = async (store: string): Promise<string | undefined> => {
    const { rows } = await sql<{ now: unknown }>`select ${databaseTime(database)} as now`.execute(database.query)
    const now = Number(rows[0]?.now)
    const isFirstSign = started === undefined
    const signs = () =>
      database.query
        .selectFrom('signs_of_life')
        .selectAll()
        .where('last_time', '>=', now - deadAfterS * 1000)
        .execute()
    const isJoining = isFirstSign || stranger !== undefined
    const present = isJoining ? firstOf((await signs()).filter(({ process }) => process !== self)) : undefined
    // Who joins those that serve takes their place in the order; who waits for others comes after all of them, whichever ends first.
    const joinedAt = present?.store === store ? present.started_time : now
    const began = isJoining ? joinedAt : (started ?? now)
    started = began
    const row = { process: self, node: nodeName, store, started_time: began, last_time: now }
    const set = ['store', 'started_time', 'last_time'] as const
    await upsert(database.query, 'signs_of_life', [row], { key: ['process'], set })
    if (isFirstSign) {
      const longDead = now - 10 * deadAfterS * 1000
      await database.query.deleteFrom('signs_of_life').where('last_time', '<', longDead).execute()
    }
    const first = firstOf(await signs()) ?? row
    return first.store === store ? undefined : first.node
  }

  const take = (next: string | undefined): void => {
    if (next !== undefined && stranger === undefined)
      log.error('calls_refused_beside_other_gateway', { node: nodeName, other: next, mend: howToMend })
    if (next === undefined && stranger !== undefined)
      log.info('calls_served_after_other_gateway', { node: nodeName, other: stranger })
    stranger = next
  }

  const look = async (): Promise<void> => {
    try {
      const store = await parts.store()
      if (store === undefined) return
      const found = await sign(store)
      if (found === undefined && stranger !== undefined && elapsed() < unsureUntil) return
      take(found)
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
