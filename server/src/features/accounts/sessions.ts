import type { Selectable } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { SessionsTable } from '../../db/schema.ts'
import { sessionCookie } from '../../http/access.ts'
import type { Cookie } from '../../http/route.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { newSessionId } from '../../lib/ids.ts'
import type { Secrets } from '../../lib/secrets.ts'

/** 30 days after the last use (server reference §4.2). */
export const sessionSeconds = 2_592_000
/** A session in use is written at most this often. */
const renewEverySeconds = 3600
const longestUserAgent = 255

export interface LiveSession {
  readonly userId: number
  readonly idHash: string
  /** Present when the browser should keep the cookie for longer. */
  readonly renewal: Cookie | undefined
}

export interface Sessions {
  /** Starts a session and answers its cookie; the id itself is stored nowhere. */
  start(userId: number, client: { ip: string; userAgent: string }): Promise<Cookie>
  /** The living session behind a cookie's value. */
  find(sessionId: string): Promise<LiveSession | undefined>
  end(sessionId: string): Promise<void>
  endAll(userId: number): Promise<void>
  /** Removes sessions whose time is over; a job calls it now and then. */
  purge(): Promise<void>
}

/** The cookie that makes a browser forget its session. */
export const endedCookie: Cookie = { name: sessionCookie, value: undefined, maxAgeSeconds: 0 }

/** Signed-in browsers, kept on the server so that they can be ended (server reference §12.1.2). */
export const openSessions = (parts: { database: Database; secrets: Secrets; clock: Clock }): Sessions => {
  const { query } = parts.database
  const hashOf = (sessionId: string): string => parts.secrets.digest('session', sessionId)
  const cookieOf = (value: string): Cookie => ({ name: sessionCookie, value, maxAgeSeconds: sessionSeconds })

  const renew = async (sessionId: string, row: Selectable<SessionsTable>, now: number): Promise<Cookie | undefined> => {
    if (now - row.last_seen_time < renewEverySeconds) return undefined
    const change = { last_seen_time: now, expires_time: now + sessionSeconds }
    await query.updateTable('sessions').set(change).where('id_hash', '=', row.id_hash).execute()
    return cookieOf(sessionId)
  }

  return {
    async start(userId, { ip, userAgent }) {
      const sessionId = newSessionId()
      const now = unixSeconds(parts.clock)
      const row = {
        id_hash: hashOf(sessionId),
        user_id: userId,
        created_time: now,
        last_seen_time: now,
        expires_time: now + sessionSeconds,
        ip,
        user_agent: userAgent.slice(0, longestUserAgent),
      }
      await query.insertInto('sessions').values(row).execute()
      return cookieOf(sessionId)
    },
    async find(sessionId) {
      const idHash = hashOf(sessionId)
      const now = unixSeconds(parts.clock)
      const row = await query
        .selectFrom('sessions')
        .selectAll()
        .where('id_hash', '=', idHash)
        .where('expires_time', '>', now)
        .executeTakeFirst()
      return row && { userId: row.user_id, idHash, renewal: await renew(sessionId, row, now) }
    },
    async end(sessionId) {
      await query.deleteFrom('sessions').where('id_hash', '=', hashOf(sessionId)).execute()
    },
    async endAll(userId) {
      await query.deleteFrom('sessions').where('user_id', '=', userId).execute()
    },
    async purge() {
      await query.deleteFrom('sessions').where('expires_time', '<=', unixSeconds(parts.clock)).execute()
    },
  }
}
