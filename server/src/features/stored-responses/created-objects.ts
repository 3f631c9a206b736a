import type { Database } from '../../db/database.ts'
import { upsert } from '../../db/dialect.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import { createSerialQueue } from '../../lib/serial-queue.ts'
import { isAt, type MadeObject, type MadeObjects, nameText, type ObjectName } from '../../relay/direct/ports.ts'
import type { Maker } from '../../relay/reader.ts'

export interface MadeObjectStoreParts {
  readonly database: Database
  readonly secrets: Secrets
  readonly clock: Clock
  /** Milliseconds until a failed write is tried again. */
  readonly flushMs?: number
  /** Objects that wait for the database. */
  readonly mostWaiting?: number
  readonly warn: (event: string, error: unknown) => void
}

export interface MadeObjectStore extends MadeObjects {
  /** Writes objects that are only in memory so far. */
  flush(): Promise<void>
  /** Deletes what nobody has named for a long time. */
  purge(): Promise<void>
  close(): Promise<void>
}

interface Row {
  readonly id_hash: string
  readonly name_hash: string
  readonly channel_id: number
  readonly key_hash: string
  readonly user_id: number
  readonly token_id: number
  readonly project_id: number
  readonly member_id: number
  readonly expires_time: number
}

const day = 86_400
/** Days since an object was last named. Files and assistants have no end of their own. */
const keptDays = 400
/** OpenAI keeps answers for thirty days. */
const answerDays = 30
const answerKinds: ReadonlySet<string> = new Set(['responses', 'items', 'completions'])
/** An object that is named keeps its row, which is written again once in so many days. */
const renewedDays = 30

const perStatement = 500
const usualWaiting = 50_000

const objectOf = (row: Row): MadeObject => {
  const maker: Maker = {
    userId: row.user_id,
    tokenId: row.token_id,
    projectId: row.project_id,
    memberId: row.member_id,
  }
  return { maker, channelId: row.channel_id, keyHash: row.key_hash }
}

const chunksOf = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / perStatement) }, (_, index) =>
    all.slice(index * perStatement, (index + 1) * perStatement),
  )

/** Notes objects in memory and begins to write them at once, so that every node finds them. A row that is lost hides its object. */
export const openMadeObjects = (parts: MadeObjectStoreParts): MadeObjectStore => {
  const { database, secrets, clock, flushMs = 1000, mostWaiting = usualWaiting, warn } = parts
  /** Rows that are not in the database yet, by the hash of their object, then by their own. */
  const waiting = new Map<string, Map<string, Row>>()
  let waitingRows = 0
  const writes = createSerialQueue()
  // Until the database has answered, it may hold anything.
  let any = true

  const hashOf = (...names: readonly (string | number)[]): string =>
    secrets.digest('stored_object', ['made', ...names].join('\n'))
  const nameHashOf = ({ kind, id }: ObjectName): string => hashOf('name', kind, id)

  const forget = (row: Row): void => {
    const rows = waiting.get(row.name_hash)
    if (rows?.get(row.id_hash) !== row) return
    rows.delete(row.id_hash)
    waitingRows -= 1
    if (rows.size === 0) waiting.delete(row.name_hash)
  }

  const write = async (): Promise<void> => {
    const batch = [...waiting.values()].flatMap((rows) => [...rows.values()])
    try {
      for (const rows of chunksOf(batch)) {
        await upsert(database.query, 'made_objects', rows, { key: ['id_hash'], set: ['expires_time'] })
        for (const row of rows) forget(row)
      }
    } catch (error) {
      warn('made_objects_not_written', error)
    }
  }

  const flush = (): Promise<void> => writes.run(write)

  const findAny = async (): Promise<void> => {
    try {
      const row = await database.query.selectFrom('made_objects').select('id_hash').limit(1).executeTakeFirst()
      any = row !== undefined || waitingRows > 0
    } catch (error) {
      warn('made_objects_not_read', error)
    }
  }

  const timer = setInterval(() => {
    if (waitingRows > 0) void flush()
  }, flushMs)
  timer.unref()
  // Other nodes write, too.
  const anyTimer = setInterval(() => {
    if (!any) void findAny()
  }, 60_000)
  anyTimer.unref()
  const first = findAny()

  const renew = async (rows: readonly Row[]): Promise<void> => {
    const soon = unixSeconds(clock) + (keptDays - renewedDays) * day
    const ids = rows.filter(({ expires_time }) => expires_time < soon).map(({ id_hash }) => id_hash)
    for (const some of chunksOf(ids)) {
      const expires_time = unixSeconds(clock) + keptDays * day
      await database.query.updateTable('made_objects').set({ expires_time }).where('id_hash', 'in', some).execute()
    }
  }

  const rowsOf = async (hashes: readonly string[]): Promise<Row[]> => {
    const found: Row[] = []
    for (const some of chunksOf(hashes)) {
      const rows = await database.query
        .selectFrom('made_objects')
        .selectAll()
        .where('name_hash', 'in', some)
        .where('expires_time', '>', unixSeconds(clock))
        .execute()
      found.push(...rows)
    }
    return found
  }

  return {
    get any() {
      return any
    },
    note(names, { userId, tokenId, projectId, memberId }, { channelId, key }) {
      any = true
      for (const name of names) {
        const days = answerKinds.has(name.kind) ? answerDays : keptDays
        const row: Row = {
          id_hash: hashOf('object', channelId, name.kind, name.id, userId, projectId, memberId),
          name_hash: nameHashOf(name),
          channel_id: channelId,
          key_hash: key === undefined ? '' : secrets.digest('channel_key', key),
          user_id: userId,
          token_id: tokenId,
          project_id: projectId,
          member_id: memberId,
          expires_time: unixSeconds(clock) + days * day,
        }
        const rows = waiting.get(row.name_hash) ?? new Map<string, Row>()
        if (!rows.has(row.id_hash)) waitingRows += 1
        rows.set(row.id_hash, row)
        waiting.set(row.name_hash, rows)
      }
      for (const rows of waiting.values()) {
        if (waitingRows <= mostWaiting) break
        for (const row of rows.values()) forget(row)
      }
      void flush()
    },
    async find(names) {
      const hashes = new Map(names.map((name) => [nameHashOf(name), name]))
      // Before the database is read: what is written meanwhile would be in neither.
      const fresh = [...hashes.keys()].flatMap((hash) => [...(waiting.get(hash)?.values() ?? [])])
      const written = await rowsOf([...hashes.keys()])
      const lasting = written.filter(({ name_hash }) => !answerKinds.has(hashes.get(name_hash)?.kind ?? ''))
      void writes.run(() => renew(lasting)).catch((error: unknown) => warn('made_objects_not_written', error))
      const all = new Map([...fresh, ...written].map((row) => [row.id_hash, row]))
      const found = new Map<string, MadeObject[]>()
      for (const row of all.values()) {
        const name = hashes.get(row.name_hash)
        if (name === undefined) continue
        const text = nameText(name)
        found.set(text, [...(found.get(text) ?? []), objectOf(row)])
      }
      return found
    },
    async remove(name, place) {
      const nameHash = nameHashOf(name)
      try {
        await flush()
        const gone = (await rowsOf([nameHash])).filter((row) => isAt(objectOf(row), place))
        for (const row of waiting.get(nameHash)?.values() ?? []) if (isAt(objectOf(row), place)) forget(row)
        if (gone.length === 0) return
        const ids = gone.map(({ id_hash }) => id_hash)
        await database.query.deleteFrom('made_objects').where('id_hash', 'in', ids).execute()
      } catch (error) {
        warn('made_objects_not_written', error)
      }
    },
    flush,
    async purge() {
      await database.query.deleteFrom('made_objects').where('expires_time', '<=', unixSeconds(clock)).execute()
    },
    async close() {
      clearInterval(timer)
      clearInterval(anyTimer)
      await first
      await flush()
    },
  }
}
