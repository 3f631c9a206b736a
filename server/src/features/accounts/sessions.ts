import type { SessionView } from '@tollgate/contract'
import type { Selectable } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { SessionsTable } from '../../db/schema.ts'
import { sessionCookie } from '../../http/access.ts'
import type { Cookie } from '../../http/route.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import { newSessionId } from '../../lib/ids.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import { type EndedAtProvider, type ProviderSession, providerSession } from '../../verification/provider-session.ts'

/** 30 days after the last use. */
const sessionSeconds = 2_592_000
/** A session in use is written at most this often, so the list of sessions is true to the minute. */
const renewEverySeconds = 60
/** How long a proof of identity counts. */
const confirmedSeconds = 600
const longestUserAgent = 255

export interface LiveSession {
  readonly userId: number
  readonly idHash: string
  /** Present when the browser should keep the cookie for longer. */
  readonly renewal: Cookie | undefined
}

export interface BrowserSessions {
  /**
   * Starts a session for a user who has just been verified, and returns its cookie; the id itself is stored nowhere. `at` is the
   * session of the identity provider that vouched for the user.
   */
  start(userId: number, client: { ip: string; userAgent: string }, at?: ProviderSession): Promise<Cookie>
  /** The living session behind a cookie's value. */
  find(sessionId: string): Promise<LiveSession | undefined>
  end(sessionId: string): Promise<void>
  endAll(userId: number): Promise<void>
  /** The session of an identity provider that a session began with. */
  providerSessionOf(idHash: string): Promise<ProviderSession | undefined>
  /** Ends those that began with a session of a provider; answers whose they were. */
  endOfProvider(at: EndedAtProvider): Promise<number[]>
  /** Living sessions of a user, the latest first; `idHash` is the caller's own. */
  list(userId: number, idHash: string): Promise<SessionView[]>
  /** How lists name the session with this hash. */
  publicIdOf(idHash: string): string
  /** Ends the session of a user that the list shows as `publicId`; false when there is none. */
  endOne(userId: number, publicId: string): Promise<boolean>
  /** Ends all but one; answers how many. */
  endOthers(userId: number, idHash: string): Promise<number>
  /** The session has just proved who it is. */
  confirm(idHash: string): Promise<void>
  /** Unix seconds until which the last proof counts; 0 when it does no more. */
  confirmedUntil(idHash: string): Promise<number>
  /** Removes sessions whose time is over; a job calls it now and then. */
  purge(): Promise<void>
}

/** The cookie that makes a browser forget its session. */
export const endedCookie: Cookie = { name: sessionCookie, value: undefined, maxAgeSeconds: 0 }

/** Signed-in browsers, kept on the server so that they can be ended. */
export const openSessions = (parts: { database: Database; secrets: Secrets; clock: Clock }): BrowserSessions => {
  const { query } = parts.database
  const hashOf = (sessionId: string): string => parts.secrets.digest('session', sessionId)
  const cookieOf = (value: string): Cookie => ({ name: sessionCookie, value, maxAgeSeconds: sessionSeconds })

  const publicIdOf = (idHash: string): string => parts.secrets.digest('session', `public ${idHash}`).slice(0, 16)
  const livingOf = (userId: number) =>
    query
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', userId)
      .where('expires_time', '>', unixSeconds(parts.clock))
      .orderBy('last_seen_time', 'desc')
      .orderBy('created_time', 'desc')
      .execute()

  const renew = async (sessionId: string, row: Selectable<SessionsTable>, now: number): Promise<Cookie | undefined> => {
    if (now - row.last_seen_time < renewEverySeconds) return undefined
    const change = { last_seen_time: now, expires_time: now + sessionSeconds }
    await query.updateTable('sessions').set(change).where('id_hash', '=', row.id_hash).execute()
    return cookieOf(sessionId)
  }

  const subjectHash = ({ providerId, subject }: { providerId: number; subject: string }): string =>
    parts.secrets.digest('session', `subject ${providerId} ${subject}`)
  const indexHash = ({ providerId, index }: { providerId: number; index: string }): string =>
    parts.secrets.digest('session', `index ${providerId} ${index}`)

  const columnsOf = (at: ProviderSession) => ({
    provider_id: at.providerId,
    provider_subject: subjectHash(at),
    provider_session: at.index === '' ? null : indexHash(at),
    logout_cipher: parts.secrets.encrypt('provider_session', JSON.stringify(at)),
  })

  return {
    async start(userId, { ip, userAgent }, at) {
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
        confirmed_time: now,
        ...(at === undefined ? {} : columnsOf(at)),
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
    async providerSessionOf(idHash) {
      const row = await query
        .selectFrom('sessions')
        .select('logout_cipher')
        .where('id_hash', '=', idHash)
        .executeTakeFirst()
      if (!row?.logout_cipher) return undefined
      return providerSession.parse(JSON.parse(parts.secrets.decrypt('provider_session', row.logout_cipher)))
    },
    async endOfProvider({ providerId, subject, index }) {
      if (subject === undefined && index === undefined) return []
      const ofPerson = subject === undefined ? undefined : subjectHash({ providerId, subject })
      const ofSession = index === undefined ? undefined : indexHash({ providerId, index })
      const rows = await query
        .selectFrom('sessions')
        .select(['id_hash', 'user_id'])
        .where('provider_id', '=', providerId)
        .$if(ofPerson !== undefined, (rest) => rest.where('provider_subject', '=', ofPerson ?? ''))
        .$if(ofSession !== undefined, (rest) => rest.where('provider_session', '=', ofSession ?? ''))
        .execute()
      if (rows.length === 0) return []
      const hashes = rows.map(({ id_hash }) => id_hash)
      await query.deleteFrom('sessions').where('id_hash', 'in', hashes).execute()
      return [...new Set(rows.map(({ user_id }) => user_id))]
    },
    async list(userId, idHash) {
      const rows = await livingOf(userId)
      return rows.map(({ id_hash, user_agent, ip, created_time, last_seen_time, expires_time }) => ({
        id: publicIdOf(id_hash),
        user_agent,
        ip,
        created_time,
        last_seen_time,
        expires_time,
        current: id_hash === idHash,
      }))
    },
    publicIdOf,
    async endOne(userId, publicId) {
      const row = (await livingOf(userId)).find(({ id_hash }) => publicIdOf(id_hash) === publicId)
      if (row === undefined) return false
      await query.deleteFrom('sessions').where('id_hash', '=', row.id_hash).execute()
      return true
    },
    async endOthers(userId, idHash) {
      const done = await query
        .deleteFrom('sessions')
        .where('user_id', '=', userId)
        .where('id_hash', '!=', idHash)
        .executeTakeFirst()
      return Number(done.numDeletedRows)
    },
    async confirm(idHash) {
      const change = { confirmed_time: unixSeconds(parts.clock) }
      await query.updateTable('sessions').set(change).where('id_hash', '=', idHash).execute()
    },
    async confirmedUntil(idHash) {
      const row = await query
        .selectFrom('sessions')
        .select('confirmed_time')
        .where('id_hash', '=', idHash)
        .executeTakeFirst()
      const until = row === undefined || row.confirmed_time === 0 ? 0 : row.confirmed_time + confirmedSeconds
      return until > unixSeconds(parts.clock) ? until : 0
    },
    async purge() {
      await query.deleteFrom('sessions').where('expires_time', '<=', unixSeconds(parts.clock)).execute()
    },
  }
}
