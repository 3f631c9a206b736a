import { isObject, type JsonObject, parsedJson } from '../../dialects/conversation/json.ts'
import type { RecalledThoughts, TurnThoughts } from '../../dialects/thought-rules.ts'
import { createBoundedCache } from '../../lib/caches/bounded-cache.ts'
import type { SharedRedis } from '../../lib/redis/redis-client.ts'
import type { Secrets } from '../../lib/security/secrets.ts'

/** Remembers for a short time what models thought before they called tools, for clients that drop it. */
export interface ThoughtMemory {
  /** Thoughts of turns; synchronous where no other node must be asked. Never rejects. */
  recall(owner: string, turns: readonly string[]): RecalledThoughts | Promise<RecalledThoughts>
  remember(owner: string, thoughts: TurnThoughts): void
}

export interface ThoughtMemoryParts {
  readonly secrets: Pick<Secrets, 'encrypt' | 'decrypt' | 'digest'>
  /** undefined on a node of its own. */
  readonly redis: SharedRedis | undefined
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** UTF-16 units of everything in memory. */
  readonly most?: number
}

interface Entry {
  /** Empty for a turn that no node remembers. */
  readonly cipher: string
  expires: number
}

const usualMost = 16 * 1024 * 1024
/** A longer entry is not remembered. */
const longest = 1024 * 1024
/** From the last use: an agent sends all its turns with each call. */
const lifeMs = 3_600_000
/** Milliseconds for which nodes are not asked again about an unknown turn. */
const unknownMs = 600_000
/** UTF-16 units that an entry takes beside its text. */
const entrySize = 200

const readScript = `
local found = {}
for i, key in ipairs(KEYS) do
  local value = redis.call('GET', key)
  if value then redis.call('PEXPIRE', key, ARGV[1]) end
  found[i] = value or ''
end
return found`
const writeScript = `redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])`

export const openThoughtMemory = ({ secrets, redis, clock, most = usualMost }: ThoughtMemoryParts): ThoughtMemory => {
  const entries = createBoundedCache<string, Entry>({
    bytes: { most, bytesOf: ({ cipher }) => cipher.length + entrySize },
  })

  const put = (key: string, cipher: string): void =>
    entries.set(key, { cipher, expires: clock() + (cipher === '' ? unknownMs : lifeMs) })

  /** The entry, which lives on as it is used. */
  const used = (key: string): Entry | undefined => {
    const entry = entries.get(key)
    if (entry === undefined) return undefined
    if (entry.expires <= clock()) {
      entries.delete(key)
      return undefined
    }
    if (entry.cipher !== '') entry.expires = clock() + lifeMs
    return entry
  }

  const opened = (cipher: string): JsonObject | undefined => {
    if (cipher === '') return undefined
    try {
      const members = parsedJson(secrets.decrypt('thoughts', cipher))
      return isObject(members) ? members : undefined
    } catch {
      // Another installation's, behind the same Redis.
      return undefined
    }
  }

  const keyOf = (owner: string, turn: string): string =>
    `tollgate:thoughts:${secrets.digest('thoughts', `${owner}\n${turn}`)}`

  /** Takes over what other nodes remember. */
  const asked = async (store: SharedRedis, keys: readonly string[]): Promise<void> => {
    const answer = await store.run(readScript, keys, [lifeMs]).catch(() => undefined)
    if (!Array.isArray(answer)) return
    for (const [index, key] of keys.entries()) {
      const cipher: unknown = answer[index]
      put(key, typeof cipher === 'string' ? cipher : '')
    }
  }

  const found = (keys: ReadonlyMap<string, string>): RecalledThoughts => {
    const recalled = new Map<string, JsonObject>()
    for (const [turn, key] of keys) {
      const members = opened(used(key)?.cipher ?? '')
      if (members !== undefined) recalled.set(turn, members)
    }
    return recalled
  }

  return {
    recall(owner, turns) {
      if (redis === undefined && entries.size === 0) return new Map()
      const keys = new Map(turns.map((turn) => [turn, keyOf(owner, turn)]))
      const unknown = redis === undefined ? [] : [...keys.values()].filter((key) => used(key) === undefined)
      return redis === undefined || unknown.length === 0 ? found(keys) : asked(redis, unknown).then(() => found(keys))
    },

    remember(owner, { turn, members }) {
      const text = JSON.stringify(members)
      if (text.length > longest) return
      const key = keyOf(owner, turn)
      const cipher = secrets.encrypt('thoughts', text)
      put(key, cipher)
      // Without Redis this node remembers for itself.
      redis?.run(writeScript, [key], [cipher, lifeMs]).catch(() => {})
    },
  }
}
