import type { Database } from '../../db/database.ts'
import { upsert } from '../../db/dialect.ts'
import { createBoundedCache } from '../../lib/caches/bounded-cache.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import { type Maker, makerOf, mayRead } from '../../relay/reader.ts'
import type { StoredResponsePlace, StoredResponses } from '../../relay/routing/stored-responses.ts'

export interface StoredResponseStoreParts {
  readonly database: Database
  readonly secrets: Secrets
  readonly clock: Clock
  /** The number of responses in memory. Default 10,000. */
  readonly most?: number
  readonly flushMs?: number
  readonly warn: (message: string, error: unknown) => void
}

export interface StoredResponseStore extends StoredResponses {
  /** Writes responses that are only in memory so far. */
  flush(): Promise<void>
  /** Deletes responses that are older than providers store them. */
  purge(): Promise<void>
  close(): Promise<void>
}

interface NotedResponse {
  readonly maker: Maker
  readonly tokenId: number
  readonly place: StoredResponsePlace
  /** Unix seconds: its thirty days begin then. */
  readonly from: number
}

const mostCached = 10_000
/** OpenAI stores responses for thirty days. */
const storedSeconds = 30 * 86_400

/** Notes responses in memory and writes them to the database every `flushMs`, so that every node finds them. */
export const openStoredResponses = (parts: StoredResponseStoreParts): StoredResponseStore => {
  const { database, secrets, clock, most = mostCached, flushMs = 1000, warn } = parts
  const cache = createBoundedCache<string, NotedResponse>({ entries: most })
  let fresh = new Map<string, NotedResponse>()
  let writing: Promise<void> = Promise.resolve()

  // Rows in the database hold digests with this label, so it keeps the table's name.
  const hashOf = (id: string): string => secrets.digest('proof', `kept answer\n${id}`)
  const keyHashOf = (key: string): string => secrets.digest('channel_key', key)

  const cacheResponse = (idHash: string, noted: NotedResponse): void => {
    cache.set(idHash, noted)
  }

  const write = async (): Promise<void> => {
    if (fresh.size === 0) return
    const batch = fresh
    fresh = new Map()
    const rows = [...batch].map(([id_hash, { maker, tokenId, place, from }]) => ({
      id_hash,
      user_id: maker.userId,
      token_id: tokenId,
      channel_id: place.channelId,
      key_hash: place.keyHash,
      created_time: from,
    }))
    try {
      await upsert(database.query, 'kept_answers', rows, {
        key: ['id_hash'],
        set: ['channel_id', 'key_hash', 'created_time'],
      })
    } catch (error) {
      warn('stored_responses_not_written', error)
      for (const [id, noted] of batch) if (!fresh.has(id)) fresh.set(id, noted)
    }
  }

  const flush = (): Promise<void> => {
    writing = writing.then(write)
    return writing
  }

  const timer = setInterval(() => void flush(), flushMs)
  timer.unref()

  const readStored = async (idHash: string): Promise<NotedResponse | undefined> => {
    const row = await database.query
      .selectFrom('kept_answers')
      .leftJoin('tokens', 'tokens.id', 'kept_answers.token_id')
      .selectAll('kept_answers')
      .select(['tokens.project_id', 'tokens.member_id'])
      .where('id_hash', '=', idHash)
      .executeTakeFirst()
    if (row === undefined) return undefined
    const { user_id: userId, token_id: tokenId, channel_id: channelId, key_hash, created_time: from } = row
    const maker = { userId, tokenId, projectId: row.project_id ?? 0, memberId: row.member_id ?? 0 }
    return { maker, tokenId, place: { channelId, keyHash: key_hash }, from }
  }

  return {
    keyHashOf,
    note(id, by, { channelId, key }, until = 0) {
      const idHash = hashOf(id)
      // An answer that its provider stores for longer is known for as long.
      const from = Math.max(unixSeconds(clock), Math.ceil(until / 1000) - storedSeconds)
      const noted = { maker: makerOf(by), tokenId: by.tokenId, place: { channelId, keyHash: keyHashOf(key) }, from }
      cacheResponse(idHash, noted)
      fresh.set(idHash, noted)
    },
    isNoted(id, reader) {
      const noted = cache.get(hashOf(id))
      return noted !== undefined && mayRead(reader, noted.maker)
    },
    async find(id, reader) {
      const idHash = hashOf(id)
      const noted = cache.get(idHash) ?? (await readStored(idHash))
      if (noted === undefined) return undefined
      if (!mayRead(reader, noted.maker)) return 'hidden'
      cacheResponse(idHash, noted)
      return noted.place
    },
    flush,
    async purge() {
      const before = unixSeconds(clock) - storedSeconds
      await database.query.deleteFrom('kept_answers').where('created_time', '<', before).execute()
    },
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
