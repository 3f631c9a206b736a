import type { z } from 'zod'
import type { Database } from '../db/database.ts'
import { type Clock, unixSeconds } from '../lib/clock.ts'
import { randomAlphanumerics } from '../lib/ids.ts'
import type { Secrets } from '../lib/secrets.ts'

export interface Challenge<Data> {
  /** 0 when nobody was known. */
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
  purge(): Promise<void>
}

const idLength = 43

/** What was begun in one browser and has to come back to it, shared by all nodes (server reference §12.3). */
export const openChallenges = (parts: { database: Database; secrets: Secrets; clock: Clock }): Challenges => {
  const { query } = parts.database
  const { secrets } = parts
  const hashOf = (text: string): string => secrets.digest('proof', text)

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

    async take({ id, purpose, browser }, schema) {
      const row = await query
        .selectFrom('challenges')
        .selectAll()
        .where('id_hash', '=', hashOf(id))
        .where('purpose', '=', purpose)
        .where('browser_hash', '=', hashOf(browser))
        .where('expires_time', '>', unixSeconds(parts.clock))
        .executeTakeFirst()
      if (row === undefined) return undefined
      const taken = await query.deleteFrom('challenges').where('id_hash', '=', row.id_hash).executeTakeFirst()
      if (Number(taken.numDeletedRows) === 0) return undefined
      return { userId: row.user_id, data: schema.parse(JSON.parse(secrets.decrypt('proof', row.data_cipher))) }
    },

    async purge() {
      await query.deleteFrom('challenges').where('expires_time', '<=', unixSeconds(parts.clock)).execute()
    },
  }
}
