import { randomBytes } from 'node:crypto'
import type { Database } from '../../db/database.ts'

const key = 'internal.ledger_epoch'

/** An entry of the ledger by which a history of the database is recognised. */
export interface LedgerMark {
  readonly id: number
  readonly movement: string
}

/**
 * Names one history of the database. A copy that is restored begins another history, so it gets another name; whatever
 * Redis keeps carries the name in its key.
 */
export interface Epoch {
  /** The name in use. */
  readonly name: string
  /** The name in the database; another node may have renewed it. */
  read(): Promise<string>
  /** Takes this name from now on. */
  use(name: string): void
  /** Replaces `name` in the database, once however many nodes ask; answers the name that holds now. */
  renew(name: string): Promise<string>
  /** The last entry of the ledger, undefined while there is none. */
  lastEntry(): Promise<LedgerMark | undefined>
  /** The movement of an entry, undefined where the database has no such entry. */
  movementOf(id: number): Promise<string | undefined>
}

const newName = (): string => randomBytes(9).toString('base64url')

/** Reads the name from the database, or gives it its first one. */
export const openEpoch = async (database: Database): Promise<Epoch> => {
  const stored = async (): Promise<string | undefined> =>
    (await database.query.selectFrom('options').select('value').where('key', '=', key).executeTakeFirst())?.value

  const read = async (): Promise<string> => {
    const before = await stored()
    if (before !== undefined) return before
    await database.insertMany('options', [{ key, value: newName() }], { skipExisting: true })
    const made = await stored()
    if (made === undefined) throw new Error('The epoch of the database could not be written.')
    return made
  }

  const entries = () => database.query.selectFrom('ledger_entries')
  let inUse = await read()

  return {
    get name() {
      return inUse
    },
    read,
    use(name) {
      inUse = name
    },
    async renew(name) {
      const fresh = newName()
      await database.query
        .updateTable('options')
        .set({ value: fresh })
        .where('key', '=', key)
        .where('value', '=', name)
        .execute()
      return read()
    },
    lastEntry: () => entries().select(['id', 'movement']).orderBy('id', 'desc').limit(1).executeTakeFirst(),
    movementOf: async (id) => (await entries().select('movement').where('id', '=', id).executeTakeFirst())?.movement,
  }
}
