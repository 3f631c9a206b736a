import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { upsert } from '../db/dialect.ts'
import { type Clock, unixSeconds } from '../lib/clock.ts'
import type { Secrets } from '../lib/secrets.ts'

export interface OneTimeCodes {
  /** Keeps a code for whoever it was sent to; an earlier one for the same purpose is void from now on. */
  put(purpose: string, subject: string, code: string, seconds: number): Promise<void>
  /** True once for the right code before its time is over; after five wrong guesses the code is void. */
  take(purpose: string, subject: string, code: string): Promise<boolean>
  /** Seconds since the last code for this purpose was put; undefined when none is kept. */
  age(purpose: string, subject: string): Promise<number | undefined>
  purge(): Promise<void>
}

const mostGuesses = 5

/** Codes sent to people (server reference §12.3): shared by all nodes, hashed, single use, few guesses. */
export const openOneTimeCodes = (parts: { database: Database; secrets: Secrets; clock: Clock }): OneTimeCodes => {
  const { query } = parts.database
  const hashOf = (text: string): string => parts.secrets.digest('proof', text)
  const codeHash = (purpose: string, subject: string, code: string): string => hashOf(`${purpose}\n${subject}\n${code}`)

  return {
    async put(purpose, subject, code, seconds) {
      const now = unixSeconds(parts.clock)
      const row = {
        purpose,
        subject_hash: hashOf(subject),
        code_hash: codeHash(purpose, subject, code),
        attempts: 0,
        created_time: now,
        expires_time: now + seconds,
      }
      await upsert(query, 'one_time_codes', [row], {
        key: ['purpose', 'subject_hash'],
        set: ['code_hash', 'attempts', 'created_time', 'expires_time'],
      })
    },

    async take(purpose, subject, code) {
      const subjectHash = hashOf(subject)
      // One statement decides, so of several equal guesses at the same moment one wins.
      const taken = await query
        .deleteFrom('one_time_codes')
        .where('purpose', '=', purpose)
        .where('subject_hash', '=', subjectHash)
        .where('code_hash', '=', codeHash(purpose, subject, code))
        .where('attempts', '<', mostGuesses)
        .where('expires_time', '>', unixSeconds(parts.clock))
        .executeTakeFirst()
      if (Number(taken.numDeletedRows) > 0) return true
      await query
        .updateTable('one_time_codes')
        .set({ attempts: sql`attempts + 1` })
        .where('purpose', '=', purpose)
        .where('subject_hash', '=', subjectHash)
        .execute()
      return false
    },

    async age(purpose, subject) {
      const row = await query
        .selectFrom('one_time_codes')
        .select('created_time')
        .where('purpose', '=', purpose)
        .where('subject_hash', '=', hashOf(subject))
        .executeTakeFirst()
      return row && unixSeconds(parts.clock) - row.created_time
    },

    async purge() {
      await query.deleteFrom('one_time_codes').where('expires_time', '<=', unixSeconds(parts.clock)).execute()
    },
  }
}
