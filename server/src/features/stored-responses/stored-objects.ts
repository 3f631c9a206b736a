import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import { upsert } from '../../db/dialect.ts'
import { keysReadBy } from '../../db/made-by.ts'
import { isObject, type JsonObject, parsedJson } from '../../dialects/conversation/json.ts'
import { createBoundedCache } from '../../lib/caches/bounded-cache.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { Bus } from '../../lib/redis/bus.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import type {
  NewStoredObject,
  StoredKind,
  StoredObject,
  StoredObjects,
  StoredOwner,
  StoredPage,
} from '../../relay/stored/ports.ts'

/** An object in memory; beside its text it takes about as much. */
interface RecentObject {
  readonly object: StoredObject
  /** The encrypted text. */
  readonly text: string
  /** Unix seconds. */
  readonly expires: number
}

export interface StoredObjectStoreParts {
  readonly database: Database
  readonly secrets: Secrets
  /** Tells other nodes what is removed. */
  readonly bus: Pick<Bus, 'publish' | 'subscribe'>
  readonly clock: Clock
  /** Milliseconds between writes. */
  readonly flushMs?: number
  /** UTF-16 units of all texts in memory. */
  readonly mostInMemory?: number
  readonly warn: (event: string, error: unknown) => void
}

export interface StoredObjectStore extends StoredObjects {
  /** Writes objects that are only in memory so far. */
  flush(): Promise<void>
  /** Deletes objects whose time is over. */
  purge(): Promise<void>
  close(): Promise<void>
}

const removedTopic = 'stored_object_removed'
const changedTopic = 'stored_object_changed'

/** UTF-16 units. A longer object is not stored: databases bound their statements. */
const longestText = 4 * 1024 * 1024
const usualMemory = 32 * 1024 * 1024
/** Objects of one thread that are read; a conversation of so many turns fits no model. */
const mostInThread = 10_000
/** Keys of a project or member whose objects a key sees, the newest first: each is a hash in a statement. */
const mostKeys = 1_000

interface Row {
  readonly id_hash: string
  readonly kind: string
  readonly token_id: number
  readonly thread_hash: string
  readonly order_number: number
  readonly expires_time: number
  readonly content_cipher: string
}

/** Encrypted contents: names are in no column. */
interface Content {
  readonly id: string
  readonly thread: string
  readonly content: JsonObject
}

export const openStoredObjects = (parts: StoredObjectStoreParts): StoredObjectStore => {
  const { database, secrets, bus, clock, flushMs = 1000, mostInMemory = usualMemory, warn } = parts
  /** The objects that were put or used last. */
  const recent = createBoundedCache<string, RecentObject>({
    bytes: { most: mostInMemory, bytesOf: ({ text }) => text.length },
  })
  let fresh = new Map<string, RecentObject>()
  let lastOrder = 0
  let writing: Promise<void> = Promise.resolve()

  const hashOf = (...names: readonly (string | number)[]): string => secrets.digest('stored_object', names.join('\n'))
  const idHashOf = ({ tokenId }: StoredOwner, kind: StoredKind, id: string): string => hashOf(tokenId, kind, id)
  const threadHashOf = ({ tokenId }: StoredOwner, thread: string): string => hashOf(tokenId, 'thread', thread)

  const inMemory = (idHash: string): RecentObject | undefined => fresh.get(idHash) ?? recent.get(idHash)

  const nextOrder = (): number => {
    lastOrder = Math.max(lastOrder + 1, clock() * 1000)
    return lastOrder
  }

  const rowOf = (idHash: string, { object, text, expires }: RecentObject): Row => ({
    id_hash: idHash,
    kind: object.kind,
    token_id: object.owner.tokenId,
    thread_hash: threadHashOf(object.owner, object.thread),
    order_number: object.order,
    expires_time: expires,
    content_cipher: secrets.encrypt('stored_object', text),
  })

  /** The keys whose objects a key sees: its own first. */
  const ownersSeenBy = async (owner: StoredOwner): Promise<readonly StoredOwner[]> => {
    const { userId, tokenId, project } = owner
    if (project === undefined) return [owner]
    const keys = sql<{ id: number }>`${keysReadBy(owner, project)} order by k.id desc limit ${sql.lit(mostKeys)}`
    const { rows } = await keys.execute(database.query)
    const others = rows.map(({ id }) => Number(id)).filter((id) => id !== tokenId)
    return [owner, ...others.map((id) => ({ userId, tokenId: id, project }))]
  }

  const objectOf = (row: Row, owners: readonly StoredOwner[]): StoredObject | undefined => {
    const owner = owners.find(({ tokenId }) => tokenId === row.token_id)
    if (owner === undefined) return undefined
    const stored = parsedJson(secrets.decrypt('stored_object', row.content_cipher))
    if (!isObject(stored) || !isObject(stored.content)) return undefined
    const { id, thread, content } = stored as unknown as Content
    return { kind: row.kind as StoredKind, id, owner, thread, order: row.order_number, content }
  }

  const threadHashesOf = async (owner: StoredOwner, thread: string): Promise<string[]> =>
    (await ownersSeenBy(owner)).map((one) => threadHashOf(one, thread))

  /** A thread goes on as a whole: what came first in it must not be gone before what came last. */
  const extendThread = async ({ object, expires }: RecentObject): Promise<void> => {
    await database.query
      .updateTable('stored_objects')
      .set({ expires_time: expires })
      .where('thread_hash', 'in', await threadHashesOf(object.owner, object.thread))
      .where('expires_time', '<', expires)
      .execute()
  }

  const replaced = ['kind', 'token_id', 'thread_hash', 'order_number', 'expires_time', 'content_cipher'] as const

  const write = async (): Promise<void> => {
    const batch = fresh
    fresh = new Map()
    const last = new Map([...batch.values()].map((entry) => [entry.object.thread, entry]))
    for (const [idHash, entry] of batch) {
      try {
        // One statement each, as one object may be as large as a statement may be.
        const rows = [rowOf(idHash, entry)]
        await upsert(database.query, 'stored_objects', rows, { key: ['id_hash'], set: [...replaced] })
        const { id, thread } = entry.object
        if (id !== thread && last.get(thread) === entry) await extendThread(entry)
      } catch (error) {
        warn('stored_object_not_written', error)
      }
    }
  }

  const flush = (): Promise<void> => {
    writing = writing.then(write)
    return writing
  }

  const forget = bus.subscribe(removedTopic, (notice) => {
    if (notice.kind === 'message') recent.delete(notice.message)
  })

  const forgetOlder = bus.subscribe(changedTopic, (notice) => {
    if (notice.kind === 'message' && !notice.own) recent.delete(notice.message)
  })

  /**
   * Cached contents hold their paid hours: a node with an older copy in memory would charge them again. Batches are made right after
   * their inputs are uploaded.
   */
  const tellOthers = async (idHash: string): Promise<void> => {
    await flush()
    bus.publish(changedTopic, idHash)
  }

  const timer = setInterval(() => {
    if (fresh.size > 0) void flush()
  }, flushMs)
  timer.unref()

  const rowsWhere = () =>
    database.query.selectFrom('stored_objects').selectAll().where('expires_time', '>', unixSeconds(clock))

  const objectsOf = (rows: readonly Row[], owners: readonly StoredOwner[]): StoredObject[] =>
    rows.flatMap((row) => {
      const object = objectOf(row, owners)
      return object === undefined ? [] : [object]
    })

  const pageRows = (
    owners: readonly StoredOwner[],
    kind: StoredKind,
    { after, order, limit }: StoredPage,
  ): Promise<Row[]> => {
    const ids = owners.map(({ tokenId }) => tokenId)
    let rows = rowsWhere().where('token_id', 'in', ids).where('kind', '=', kind)
    if (after !== undefined) rows = rows.where('order_number', order === 'asc' ? '>' : '<', after)
    return rows.orderBy('order_number', order).limit(limit).execute()
  }

  /** Puts an object into memory, from which the next flush writes it; answers its name there, undefined for one that is too large. */
  const remember = (object: NewStoredObject, days: number): string | undefined => {
    const { id, thread, content, owner, kind } = object
    const text = JSON.stringify({ id, thread, content } satisfies Content)
    if (text.length > longestText) {
      warn('stored_object_too_large', undefined)
      return undefined
    }
    const expires = unixSeconds(clock) + Math.round(days * 86_400)
    const idHash = idHashOf(owner, kind, id)
    const earlier = recent.get(idHash)
    const entry = { object: { ...object, order: earlier?.object.order ?? nextOrder() }, text, expires }
    recent.set(idHash, entry)
    fresh.set(idHash, entry)
    return idHash
  }

  return {
    put(object: NewStoredObject, days: number) {
      const idHash = remember(object, days)
      const { kind } = object
      if (idHash !== undefined && (kind === 'cached_content' || kind === 'batch_input')) void tellOthers(idHash)
    },

    async putNow(object, days) {
      const idHash = remember(object, days)
      if (idHash !== undefined) await tellOthers(idHash)
      return idHash !== undefined
    },

    async find(owner, kind, id) {
      const own = inMemory(idHashOf(owner, kind, id))
      if (own !== undefined) return own.expires > unixSeconds(clock) ? own.object : undefined
      const owners = await ownersSeenBy(owner)
      const hashes = owners.map((one) => idHashOf(one, kind, id))
      const known = hashes.map(inMemory).find((entry) => entry !== undefined)
      if (known !== undefined) return known.expires > unixSeconds(clock) ? known.object : undefined
      const row = await rowsWhere().where('id_hash', 'in', hashes).executeTakeFirst()
      return row && objectOf(row, owners)
    },

    async thread(owner, thread) {
      await flush()
      const owners = await ownersSeenBy(owner)
      const hashes = owners.map((one) => threadHashOf(one, thread))
      const rows = await rowsWhere()
        .where('thread_hash', 'in', hashes)
        .orderBy('order_number', 'asc')
        .limit(mostInThread)
        .execute()
      return objectsOf(rows, owners)
    },

    async list(owner, kind, page) {
      await flush()
      const owners = await ownersSeenBy(owner)
      return objectsOf(await pageRows(owners, kind, page), owners)
    },

    async remove({ owner, kind, id }) {
      const idHash = idHashOf(owner, kind, id)
      await flush()
      bus.publish(removedTopic, idHash)
      await database.query.deleteFrom('stored_objects').where('id_hash', '=', idHash).execute()
    },

    async removeThread(owner, thread) {
      await flush()
      const hashes = await threadHashesOf(owner, thread)
      const rows = await rowsWhere().where('thread_hash', 'in', hashes).execute()
      for (const { id_hash } of rows) bus.publish(removedTopic, id_hash)
      await database.query.deleteFrom('stored_objects').where('thread_hash', 'in', hashes).execute()
    },

    flush,

    async purge() {
      await database.query.deleteFrom('stored_objects').where('expires_time', '<=', unixSeconds(clock)).execute()
    },

    async close() {
      clearInterval(timer)
      forget()
      forgetOlder()
      await flush()
    },
  }
}
