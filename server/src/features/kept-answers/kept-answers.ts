import type { Database } from '../../db/database.ts'
import { upsert } from '../../db/dialect.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import type { KeptAnswers, KeptPlace } from '../../relay/routing/kept-answers.ts'

export interface KeptAnswersParts {
  readonly database: Database
  readonly secrets: Secrets
  readonly clock: Clock
  /** How many are remembered without asking the database. */
  readonly most?: number
  readonly flushMs?: number
  readonly warn: (message: string, error: unknown) => void
}

export interface KeptAnswersStore extends KeptAnswers {
  /** Writes what is only remembered so far. */
  flush(): Promise<void>
  /** Forgets what providers have forgotten too. */
  purge(): Promise<void>
  close(): Promise<void>
}

interface Noted {
  readonly userId: number
  readonly place: KeptPlace
}

const mostRemembered = 10_000
/** OpenAI keeps responses for thirty days. */
const keptSeconds = 30 * 86_400

/** Where answers lie that a provider keeps: written behind the answer, remembered here, found on every node. */
export const openKeptAnswers = (parts: KeptAnswersParts): KeptAnswersStore => {
  const { database, secrets, clock, most = mostRemembered, flushMs = 1000, warn } = parts
  const cache = new Map<string, Noted>()
  let fresh = new Map<string, Noted>()
  let writing: Promise<void> = Promise.resolve()

  const hashOf = (id: string): string => secrets.digest('proof', `kept answer\n${id}`)
  const keyHashOf = (key: string): string => secrets.digest('channel_key', key)

  const remember = (idHash: string, noted: Noted): void => {
    cache.delete(idHash)
    cache.set(idHash, noted)
    const [oldest] = cache.keys()
    if (cache.size > most && oldest !== undefined) cache.delete(oldest)
  }

  const write = async (): Promise<void> => {
    if (fresh.size === 0) return
    const batch = fresh
    fresh = new Map()
    const created_time = unixSeconds(clock)
    const rows = [...batch].map(([id_hash, { userId, place }]) => ({
      id_hash,
      user_id: userId,
      channel_id: place.channelId,
      key_hash: place.keyHash,
      created_time,
    }))
    try {
      await upsert(database.query, 'kept_answers', rows, { key: ['id_hash'], set: ['channel_id', 'key_hash'] })
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

  const stored = async (idHash: string): Promise<Noted | undefined> => {
    const row = await database.query
      .selectFrom('kept_answers')
      .selectAll()
      .where('id_hash', '=', idHash)
      .executeTakeFirst()
    return row && { userId: row.user_id, place: { channelId: row.channel_id, keyHash: row.key_hash } }
  }

  return {
    keyHashOf,
    note(id, userId, { channelId, key }) {
      const idHash = hashOf(id)
      const noted = { userId, place: { channelId, keyHash: keyHashOf(key) } }
      remember(idHash, noted)
      fresh.set(idHash, noted)
    },
    async find(id, userId) {
      const idHash = hashOf(id)
      const noted = cache.get(idHash) ?? (await stored(idHash))
      if (noted === undefined || noted.userId !== userId) return undefined
      remember(idHash, noted)
      return noted.place
    },
    flush,
    async purge() {
      const before = unixSeconds(clock) - keptSeconds
      await database.query.deleteFrom('kept_answers').where('created_time', '<', before).execute()
    },
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
