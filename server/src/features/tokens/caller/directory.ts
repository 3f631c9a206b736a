import { createBoundedCache } from '../../../lib/caches/bounded-cache.ts'
import { type Clock, unixSeconds } from '../../../lib/clock.ts'
import type { Bus } from '../../../lib/redis/bus.ts'
import { importedKeyHash } from '../../../lib/security/imported-credentials.ts'
import type { KeyById, CallerDirectory as RelayCallers, TokenRecord } from '../../../relay/callers.ts'
import { type CallerRow, toTokenRecord } from './token-record.ts'

/** Rows that the directory reads and writes; the token store in production. */
export interface CallerRows {
  byHash(keyHash: string): Promise<CallerRow | undefined>
  byId(id: number): Promise<CallerRow | undefined>
  mostRecentlyUsed(limit: number): Promise<CallerRow[]>
  /** Marks tokens whose time or quota is over; the row decides, not the caller. */
  markSpent(tokenId: number, now: number): Promise<boolean>
  /** Stores a key like every other, of which only a hash was known until it was used. */
  adopt(tokenId: number, key: string): Promise<void>
}

export interface CallerDirectoryParts {
  readonly rows: CallerRows
  /** Keyed hash under which a token's row is found. */
  digest(key: string): string
  readonly bus: Pick<Bus, 'publish' | 'subscribe'>
  /** For the operator's log. */
  warn(event: string, fields: Readonly<Record<string, unknown>>): void
  readonly clock: Clock
  /** Keys held at most. */
  readonly capacity?: number
}

/** Something about a token or its owner changed. */
export type CallerChange = { readonly token: number } | { readonly user: number }

export interface TokenDirectory extends RelayCallers {
  readonly byId: KeyById
  /** After a change: forgets what it concerns before it returns, and tells the other nodes. */
  changed(change: CallerChange): void
}

/** Messages are `token:<id>` or `user:<id>`. */
const topic = 'callers'

interface Entry {
  readonly token: TokenRecord
  readonly userId: number
  /** The person who uses a project's key; 0 for none. */
  readonly memberId: number
  /** The person who was shown the secret of a project's key; 0 for none that is known. */
  readonly secretFor: number
  readonly readAt: number
}

/** A lost message of another node is repaired after this time. */
const freshMs = 60_000
/** Keys that do not exist are asked for again after this time; a key that is made is found at once. */
const unknownMs = 60_000
const markEveryMs = 10_000
const capacity = 20_000
/** Tokens have 48 letters and digits; older databases and other gateways have other lengths and signs. */
const keyShape = /^[!-~]{1,128}$/

/** API keys and their owners in memory, so that a request needs no query. Holds the most recently used tokens at once. */
export const openCallerDirectory = async (parts: CallerDirectoryParts): Promise<TokenDirectory> => {
  const limit = parts.capacity ?? capacity
  const digests = createBoundedCache<string, string>({ entries: limit })
  const entries = createBoundedCache<string, Entry>({ entries: limit })
  const unknown = createBoundedCache<string, number>({ entries: limit })
  /** Digests under which keys are kept that were looked for by their ids. */
  const digestsOfIds = createBoundedCache<number, string>({ entries: limit })
  const loading = new Map<string, Promise<TokenRecord | undefined>>()
  /** When a token was last looked at for marking, in milliseconds: its row may disagree, so not on every call. */
  const marking = createBoundedCache<number, number>({ entries: limit })
  /** Counts what was forgotten, so that a read which began before a change is not kept. */
  let epoch = 0

  const keep = (row: CallerRow): TokenRecord => {
    const token = toTokenRecord(row)
    const people = { userId: row.user_id, memberId: row.member_id ?? 0, secretFor: row.secret_for ?? 0 }
    entries.set(row.key_hash, { token, ...people, readAt: parts.clock() })
    return token
  }

  /** The row of a key; of one that was imported by its hash, this is the first use. Both are looked up by one query. */
  const rowOf = async (digest: string, key: string): Promise<CallerRow | undefined> => {
    const [row, imported] = await Promise.all([parts.rows.byHash(digest), parts.rows.byHash(importedKeyHash(key))])
    if (row !== undefined || imported === undefined) return row
    inBackground(parts.rows.adopt(imported.id, key), 'imported_key_not_stored')
    return { ...imported, key_hash: digest }
  }

  const read = async (digest: string, key: string): Promise<TokenRecord | undefined> => {
    const began = epoch
    const row = await rowOf(digest, key)
    if (epoch !== began) return row && toTokenRecord(row)
    if (row) return keep(row)
    entries.delete(digest)
    unknown.set(digest, parts.clock() + unknownMs)
    return undefined
  }

  /** One query per key, however many calls wait for it. */
  const load = (digest: string, key: string): Promise<TokenRecord | undefined> => {
    const running = loading.get(digest)
    if (running) return running
    const promise = read(digest, key).finally(() => {
      if (loading.get(digest) === promise) loading.delete(digest)
    })
    loading.set(digest, promise)
    return promise
  }

  const inBackground = (work: Promise<unknown>, failedEvent: string): void => {
    work.catch((cause: unknown) => parts.warn(failedEvent, { cause }))
  }

  const markWhenSpent = (token: TokenRecord): void => {
    const now = parts.clock()
    if (!isSpent(token, now) || now - (marking.get(token.tokenId) ?? 0) < markEveryMs) return
    marking.set(token.tokenId, now)
    const marked = parts.rows.markSpent(token.tokenId, unixSeconds(parts.clock)).then((done) => {
      if (done) changed({ token: token.tokenId })
    })
    inBackground(marked, 'spent_token_not_marked')
  }

  const digestOf = (key: string): string => {
    const seen = digests.get(key)
    if (seen !== undefined) return seen
    const digest = parts.digest(key)
    digests.set(key, digest)
    return digest
  }

  const forget = (concerned: (entry: Entry) => boolean): void => {
    epoch += 1
    loading.clear()
    for (const [digest, entry] of entries.entries()) if (concerned(entry)) entries.delete(digest)
  }

  const changed = (change: CallerChange): void => {
    parts.bus.publish(topic, 'token' in change ? `token:${change.token}` : `user:${change.user}`)
  }

  parts.bus.subscribe(topic, (notice) => {
    if (notice.kind === 'resync') return forget(() => true)
    const [kind, id] = notice.message.split(':')
    if (kind === 'token') unknown.clear()
    const changed = Number(id)
    forget(({ token, userId, memberId, secretFor }) =>
      kind === 'token' ? token.tokenId === changed : [userId, memberId, secretFor].includes(changed),
    )
  })

  for (const row of (await parts.rows.mostRecentlyUsed(Math.floor(limit / 2))).reverse()) keep(row)

  return {
    byKey: (key, mayLookUp = true) => {
      if (!keyShape.test(key)) return undefined
      const digest = digestOf(key)
      const entry = entries.get(digest)
      if (!entry) return !mayLookUp || (unknown.get(digest) ?? 0) > parts.clock() ? undefined : load(digest, key)
      if (parts.clock() - entry.readAt > freshMs) inBackground(load(digest, key), 'token_reload_failed')
      const { token } = entry
      if (!token.unlimited || token.expiredTime !== -1) markWhenSpent(token)
      return token
    },
    byId: async (tokenId) => {
      const known = entries.get(digestsOfIds.get(tokenId) ?? '')
      if (known !== undefined && parts.clock() - known.readAt <= freshMs) return known.token
      const began = epoch
      const row = await parts.rows.byId(tokenId)
      if (row === undefined || epoch !== began) return row && toTokenRecord(row)
      digestsOfIds.set(tokenId, row.key_hash)
      return keep(row)
    },
    changed,
  }
}

const isSpent = (token: TokenRecord, now: number): boolean => {
  if (token.status !== 1) return false
  if (token.expiredTime !== -1 && token.expiredTime * 1000 < now) return true
  return !token.unlimited && token.remainQuota <= 0
}
