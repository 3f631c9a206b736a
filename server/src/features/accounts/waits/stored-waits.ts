import type { Database } from '../../../db/database.ts'
import type { Clock } from '../../../lib/clock.ts'
import { createSerialQueue } from '../../../lib/serial-queue.ts'
import { forgottenAfterMs, manyKeys, provenMs, type RememberedWait, type ThrottleMemory } from '../throttle.ts'

export interface StoredWaitsParts {
  readonly database: Database
  /** Keeps what is counted for logins apart from redemption codes. */
  readonly guessed: string
  readonly memory: ThrottleMemory
  readonly clock: Clock
}

/** Rows of one write, so that a flood of names holds no connection for long. */
const mostAtOnce = 500
const mostLate = 5000

const keptUntil = ({ name, last }: RememberedWait): number =>
  last + (name.startsWith('proven:') ? provenMs : forgottenAfterMs)

export interface StoredWaits {
  /** Writes what has changed; runs by the clock, never while somebody waits, and once more at the end. */
  write(): Promise<void>
  /** Removes what counts no longer. */
  purge(): Promise<void>
}

/**
 * Keeps the waits after wrong passwords and codes over restarts, where no Redis does: what a throttle remembered is read here. Rows are
 * as many as a throttle remembers at most.
 */
export const openStoredWaits = async (parts: StoredWaitsParts): Promise<StoredWaits> => {
  const { database, guessed, memory, clock } = parts
  const { query } = database

  const kept = await query
    .selectFrom('guess_waits')
    .select(['name', 'count', 'blocked_until', 'last_time'])
    .where('guessed', '=', guessed)
    .where('kept_until', '>', clock())
    .orderBy('last_time', 'desc')
    .limit(2 * manyKeys)
    .execute()
  // The one used last comes last, as it is remembered.
  const prefix = `${guessed} `
  await memory.restore(
    kept.toReversed().map(({ name, count, blocked_until: blockedUntil, last_time: last }) => {
      return { name: name.slice(prefix.length), count, blockedUntil, last }
    }),
  )

  /** Waits that the database did not take; they are written with the next ones. */
  let late: readonly RememberedWait[] = []
  const write = async (): Promise<void> => {
    const taken = [...late, ...(await memory.takeChanges(mostAtOnce))]
    if (taken.length === 0) return
    // While the database is away no more than this is kept for it.
    late = taken.slice(-mostLate)
    // Of one name the latest counts.
    const waits = [...new Map(taken.map((wait) => [wait.name, wait])).values()]
    const rows = waits
      .filter(({ count }) => count > 0)
      .map((wait) => ({
        name: `${prefix}${wait.name}`,
        guessed,
        count: wait.count,
        blocked_until: wait.blockedUntil,
        last_time: wait.last,
        kept_until: keptUntil(wait),
      }))
    await database.transaction(async (trx) => {
      const names = waits.map(({ name }) => `${prefix}${name}`)
      await trx.deleteFrom('guess_waits').where('name', 'in', names).execute()
      if (rows.length > 0) await database.insertMany('guess_waits', rows, { trx, skipExisting: true })
    })
    late = []
    if (taken.length >= mostAtOnce) await write()
  }
  const purge = async (): Promise<void> => {
    await query.deleteFrom('guess_waits').where('guessed', '=', guessed).where('kept_until', '<=', clock()).execute()
  }
  const queue = createSerialQueue()
  return { write: () => queue.run(write), purge }
}
