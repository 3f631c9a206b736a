import { sql, type Transaction } from 'kysely'
import type { Database } from '../db/database.ts'
import { isUniqueViolation } from '../db/dialect.ts'
import type { Tables } from '../db/schema.ts'
import { type Clock, unixSeconds } from '../lib/clock.ts'
import type { Secrets } from '../lib/security/secrets.ts'

/** Purpose and recipient of a code. */
export interface CodeName {
  readonly purpose: string
  readonly subject: string
}

export interface OneTimeCodes {
  /**
   * Keeps a code for so many seconds; an earlier one of the same name is void from now on. Answers 0, or how many seconds
   * to wait when that one is younger than `apart`; then nothing is kept.
   */
  put(name: CodeName, code: string, how: { readonly seconds: number; readonly apart: number }): Promise<number>
  /** Keeps a code for so many seconds, together with what it is for; the name has no code yet. */
  issue(trx: Transaction<Tables>, name: CodeName, code: string, seconds: number): Promise<void>
  /** Counts a guess and says whether it is right and in time; after fifty the code is void. A right one stays until used. */
  guess(name: CodeName, code: string): Promise<boolean>
  /** True if it is right and in time, without counting: for codes too long to guess. */
  matches(name: CodeName, code: string): Promise<boolean>
  /** Uses a code up, together with what it is for: true for one of all who try. For codes too long to guess, or guessed. */
  use(trx: Transaction<Tables>, name: CodeName, code: string): Promise<boolean>
  /** Takes a code back, e.g. because it could not be sent. */
  drop(name: CodeName): Promise<void>
  purge(): Promise<void>
}

/** From all addresses together; each of them waits after a few (`features/accounts/throttle.ts`). */
const mostGuesses = 50

/** Codes sent to people: shared by all nodes, hashed, single use, few guesses. */
export const openOneTimeCodes = (parts: { database: Database; secrets: Secrets; clock: Clock }): OneTimeCodes => {
  const { query } = parts.database
  const now = (): number => unixSeconds(parts.clock)
  const hashOf = (text: string): string => parts.secrets.digest('proof', text)
  const codeHash = ({ purpose, subject }: CodeName, code: string): string => hashOf(`${purpose}\n${subject}\n${code}`)

  const change = ({ purpose, subject }: CodeName) =>
    query.updateTable('one_time_codes').where('purpose', '=', purpose).where('subject_hash', '=', hashOf(subject))

  const find = (name: CodeName) =>
    query
      .selectFrom('one_time_codes')
      .select(['code_hash', 'created_time', 'expires_time'])
      .where('purpose', '=', name.purpose)
      .where('subject_hash', '=', hashOf(name.subject))
      .executeTakeFirst()

  const matches = async (name: CodeName, code: string): Promise<boolean> => {
    const row = await find(name)
    return row !== undefined && row.expires_time > now() && row.code_hash === codeHash(name, code)
  }

  const waitFor = async (name: CodeName, apart: number): Promise<number> => {
    const row = await find(name)
    return Math.max(1, (row?.created_time ?? now()) + apart - now())
  }

  return {
    async put(name, code, { seconds, apart }) {
      const fresh = {
        code_hash: codeHash(name, code),
        attempts: 0,
        created_time: now(),
        expires_time: now() + seconds,
      }
      // Of several at the same moment one replaces or inserts, so that one mail is sent.
      const replaced = await change(name)
        .set(fresh)
        .where('created_time', '<=', now() - apart)
        .executeTakeFirst()
      if (replaced.numUpdatedRows > 0n) return 0
      try {
        const row = { purpose: name.purpose, subject_hash: hashOf(name.subject), ...fresh }
        await query.insertInto('one_time_codes').values(row).execute()
        return 0
      } catch (error) {
        if (isUniqueViolation(error)) return waitFor(name, apart)
        throw error
      }
    },

    async issue(trx, name, code, seconds) {
      const row = {
        purpose: name.purpose,
        subject_hash: hashOf(name.subject),
        code_hash: codeHash(name, code),
        attempts: 0,
        created_time: now(),
        expires_time: now() + seconds,
      }
      await trx.insertInto('one_time_codes').values(row).execute()
    },

    async guess(name, code) {
      // Counted first, so that guesses at the same moment count too.
      const counted = await change(name)
        .set({ attempts: sql`attempts + 1` })
        .where('attempts', '<', mostGuesses)
        .where('expires_time', '>', now())
        .executeTakeFirst()
      if (counted.numUpdatedRows === 0n) return false
      return matches(name, code)
    },

    matches,

    async use(trx, name, code) {
      const used = await trx
        .deleteFrom('one_time_codes')
        .where('purpose', '=', name.purpose)
        .where('subject_hash', '=', hashOf(name.subject))
        .where('code_hash', '=', codeHash(name, code))
        .where('expires_time', '>', now())
        .executeTakeFirst()
      return used.numDeletedRows > 0n
    },

    async drop({ purpose, subject }) {
      await query
        .deleteFrom('one_time_codes')
        .where('purpose', '=', purpose)
        .where('subject_hash', '=', hashOf(subject))
        .execute()
    },

    async purge() {
      await query.deleteFrom('one_time_codes').where('expires_time', '<=', now()).execute()
    },
  }
}
