import type { Selectable } from 'kysely'
import type { z } from 'zod'
import type { Database } from '../db/database.ts'
import { isUniqueViolation } from '../db/dialect.ts'
import type { ChallengesTable } from '../db/schema.ts'
import { type Clock, unixSeconds } from '../lib/clock.ts'
import { randomAlphanumerics } from '../lib/ids.ts'
import type { Secrets } from '../lib/security/secrets.ts'

export interface Challenge<Data> {
  /** 0 without a known user. */
  readonly userId: number
  readonly data: Data
}

export interface Challenges {
  /** Begins something that has to come back to this browser, and answers its id: 43 random characters. */
  begin(challenge: {
    readonly purpose: string
    /** A secret that only this browser has (a cookie's value); the id alone then proves nothing. */
    readonly browser: string
    readonly userId?: number
    readonly data: unknown
    readonly seconds: number
  }): Promise<string>
  /** Ends it: what was kept, once, for the right purpose and browser and in time; undefined for everything else. */
  take<Schema extends z.ZodType>(
    challenge: { readonly id: string; readonly purpose: string; readonly browser: string },
    schema: Schema,
  ): Promise<Challenge<z.output<Schema>> | undefined>
  /** Same as `take` without ending the challenge: for steps that may be tried again. */
  look<Schema extends z.ZodType>(
    challenge: { readonly id: string; readonly purpose: string; readonly browser: string },
    schema: Schema,
  ): Promise<Challenge<z.output<Schema>> | undefined>
  /**
   * True the first time `thing` is shown within `seconds`: for proofs that somebody else issued and that must not count
   * twice.
   */
  once(purpose: string, thing: string, seconds: number): Promise<boolean>
  purge(): Promise<void>
}

const idLength = 43

/** Steps that were begun in one browser and must be finished in it, shared by all nodes. */
export const openChallenges = (parts: { database: Database; secrets: Secrets; clock: Clock }): Challenges => {
  const { query } = parts.database
  const { secrets } = parts
  const hashOf = (text: string): string => secrets.digest('proof', text)

  const find = ({ id, purpose, browser }: { id: string; purpose: string; browser: string }) =>
    query
      .selectFrom('challenges')
      .selectAll()
      .where('id_hash', '=', hashOf(id))
      .where('purpose', '=', purpose)
      .where('browser_hash', '=', hashOf(browser))
      .where('expires_time', '>', unixSeconds(parts.clock))
      .executeTakeFirst()

  const open = <Schema extends z.ZodType>(row: Selectable<ChallengesTable>, schema: Schema) => ({
    userId: row.user_id,
    data: schema.parse(JSON.parse(secrets.decrypt('proof', row.data_cipher))),
  })

  return {
    async begin({ purpose, browser, userId = 0, data, seconds }) {
      const id = randomAlphanumerics(idLength)
      const now = unixSeconds(parts.clock)
      const row = {
        id_hash: hashOf(id),
        purpose,
        user_id: userId,
        browser_hash: hashOf(browser),
        data_cipher: secrets.encrypt('proof', JSON.stringify(data)),
        created_time: now,
        expires_time: now + seconds,
      }
      await query.insertInto('challenges').values(row).execute()
      return id
    },

    async take(challenge, schema) {
      const row = await find(challenge)
      if (row === undefined) return undefined
      const taken = await query.deleteFrom('challenges').where('id_hash', '=', row.id_hash).executeTakeFirst()
      return Number(taken.numDeletedRows) === 0 ? undefined : open(row, schema)
    },

    async look(challenge, schema) {
      const row = await find(challenge)
      return row && open(row, schema)
    },

    async once(purpose, thing, seconds) {
      const now = unixSeconds(parts.clock)
      const row = {
        id_hash: hashOf(`${purpose}\n${thing}`),
        purpose,
        user_id: 0,
        browser_hash: '',
        data_cipher: '',
        created_time: now,
        expires_time: now + seconds,
      }
      try {
        await query.insertInto('challenges').values(row).execute()
        return true
      } catch (error) {
        if (isUniqueViolation(error)) return false
        throw error
      }
    },

    async purge() {
      await query.deleteFrom('challenges').where('expires_time', '<=', unixSeconds(parts.clock)).execute()
    },
  }
}
