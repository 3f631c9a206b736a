import { createHash } from 'node:crypto'
import { AppError } from '../../lib/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { SharedRedis } from '../../lib/redis/redis-client.ts'
import {
  type AttemptKeys,
  createLoginThrottle,
  forAccount,
  forAddress,
  forgottenAfterMs,
  forPair,
  type LoginThrottle,
  provenMs,
  type ThrottleMemory,
} from './throttle.ts'

/**
 * KEYS: failures of the account, of the pair of account and address, of the address, and the mark of a proven pair, which
 * waits for its own failures only.
 * ARGV: forgotten after, then free failures and longest wait in ms of account, address and pair. The account counts an address once, until it
 * has to wait for many of them.
 * Answers the milliseconds to wait, or 0 after counting the attempt. The time is that of Redis: clocks of nodes differ.
 */
const attemptScript = `
local time = redis.call('TIME')
local now, forgotten = time[1] * 1000 + math.floor(time[2] / 1000), tonumber(ARGV[1])
local proven = redis.call('EXISTS', KEYS[4]) == 1
local account = proven and KEYS[2] or KEYS[1]
local function blocked(key) return tonumber(redis.call('HGET', key, 'until') or '0') end
local wait = math.max(blocked(account), proven and 0 or math.max(blocked(KEYS[3]), blocked(KEYS[2]))) - now
if wait > 0 then return math.ceil(wait) end
local function count(key, free, longest)
  local over = redis.call('HINCRBY', key, 'count', 1) - free
  if over >= 0 then redis.call('HSET', key, 'until', string.format('%.0f', now + math.min(1000 * 2 ^ math.min(over, 30), longest))) end
  redis.call('PEXPIRE', key, forgotten)
end
local function failed(key) return tonumber(redis.call('HGET', key, 'count') or '0') end
local free = tonumber(ARGV[2])
if proven or failed(KEYS[2]) == 0 or failed(KEYS[1]) >= free then count(account, free, tonumber(ARGV[3])) end
if not proven then
  count(KEYS[3], tonumber(ARGV[4]), tonumber(ARGV[5]))
  count(KEYS[2], tonumber(ARGV[6]), tonumber(ARGV[7]))
end
return 0
`

/** KEYS as above; ARGV: how long the pair stays proven, free failures of an address. */
const successScript = `
redis.call('DEL', KEYS[2])
local proven = redis.call('EXISTS', KEYS[4]) == 1
redis.call('SET', KEYS[4], 1, 'PX', ARGV[1])
if proven then return 0 end
redis.call('DEL', KEYS[1])
if tonumber(redis.call('HGET', KEYS[3], 'count') or '0') > 0 then
  local left = redis.call('HINCRBY', KEYS[3], 'count', -1)
  if left < tonumber(ARGV[2]) then redis.call('HDEL', KEYS[3], 'until') end
end
return 0
`

/** KEYS and ARGV as above, without the failures of an address. */
const provedScript = `
if redis.call('EXISTS', KEYS[4]) == 0 then redis.call('DEL', KEYS[2]) end
redis.call('SET', KEYS[4], 1, 'PX', ARGV[1])
return 0
`

/** Names are typed by strangers, sometimes passwords by mistake: Redis gets none of them as they are. */
const hashed = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 22)

const keysOf = (guessed: string, { account, address }: AttemptKeys): readonly string[] => {
  const pair = `${account}@${address}`
  return [`account:${account}`, `account:${pair}`, `address:${address}`, `proven:${pair}`].map(
    (key) => `{tollgate:${guessed}}:${hashed(key)}`,
  )
}

/** The login throttle for all nodes together. While Redis is away each node counts for itself in `alone`. */
const createRedisLoginThrottle = (parts: {
  redis: Pick<SharedRedis, 'run'>
  alone: LoginThrottle
  guessed: string
}): LoginThrottle => ({
  async attempt(keys) {
    const patience = [forAccount, forAddress, forPair].flatMap(({ free, longestSeconds }) => [
      free,
      longestSeconds * 1000,
    ])
    const values = [forgottenAfterMs, ...patience]
    const waitMs = await parts.redis.run(attemptScript, keysOf(parts.guessed, keys), values).catch(async () => {
      await parts.alone.attempt(keys)
      return 0
    })
    if (Number(waitMs) > 0) {
      throw new AppError('login_throttled', { params: { seconds: Math.ceil(Number(waitMs) / 1000) } })
    }
  },

  async succeeded(keys) {
    await parts.redis
      .run(successScript, keysOf(parts.guessed, keys), [provenMs, forAddress.free])
      .catch(() => parts.alone.succeeded(keys))
  },

  async proved(keys) {
    await parts.redis.run(provedScript, keysOf(parts.guessed, keys), [provenMs]).catch(() => parts.alone.proved(keys))
  },
})

/** `memory` is what outlasts a restart of this node only if it is kept; Redis keeps its own. */
export type OpenedThrottle = LoginThrottle & { readonly memory?: ThrottleMemory }

/**
 * Counts in Redis where there are several nodes, else in `shared` where there are several workers, else in this process;
 * `guessed` keeps what is counted for logins apart.
 */
export const openLoginThrottle = ({
  redis,
  shared,
  clock,
  guessed = 'login',
}: {
  redis: Pick<SharedRedis, 'run'> | undefined
  shared?: ((guessed: string) => LoginThrottle & ThrottleMemory) | undefined
  clock: Clock
  guessed?: string
}): OpenedThrottle => {
  const alone = createLoginThrottle(clock)
  if (redis !== undefined) return createRedisLoginThrottle({ redis, alone, guessed })
  const throttle = shared?.(guessed) ?? alone
  return { ...throttle, memory: throttle }
}
