import { z } from 'zod'
import { randomAlphanumerics } from '../lib/ids.ts'
import type { SharedRedis } from '../lib/redis/redis-client.ts'
import { type CounterExchange, type Lease, type LimitStore, lapseMs } from './limit-store.ts'

/** Milliseconds within which every process has reported its use. */
const youngMs = 1500

/**
 * Redis' own time decides how old a generation is and who is still there: clocks of nodes differ. `generationFor` names one that begins, where
 * ARGV has what tells it from others, and 1 where Redis was emptied: the first process of all meets an empty Redis, and that is no loss.
 */
const common = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function generationFor(name, wasEmptied)
  return name .. ':' .. (wasEmptied == '1' and string.format('%.0f', now) or '0')
end
`

/**
 * One counter: a hash with, for each process, `u:<node>` what it has used (`piece=amount` separated by blanks), `g:<node>` what it
 * was granted beyond that, and `t:<node>` when it was here last. Does what `openMemoryLimitStore` does.
 *
 * ARGV: the node, the most, the beginning of the window by the clock of the node, reserved, spare, ms to keep, ms after which a silent
 * process has ended, two for the generation to begin where there is none, used pieces, and pieces that the database knows (`node` and
 * its pieces in turn, or none).
 *
 * The second key names the generation: a Redis that was emptied begins another one. While that is young, processes only say what
 * they have used and what is under way, and nothing is given away.
 */
const exchangeScript = `${common}
local key, node, most, since = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local reserved, spare, lapse = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[7])
local generation = redis.call('GET', KEYS[2])
if not generation then
  generation = generationFor(ARGV[8], ARGV[9])
  redis.call('SET', KEYS[2], generation)
end
local begun = tonumber(string.match(generation, '(%d+)$'))
local isNew = redis.call('EXISTS', key) == 0
local function pieces(text)
  local sum, kept = 0, {}
  for at, amount in string.gmatch(text, '(%d+)=(%d+)') do
    if tonumber(at) >= since then
      sum = sum + tonumber(amount)
      kept[#kept + 1] = at .. '=' .. amount
    end
  end
  return sum, table.concat(kept, ' ')
end
for i = 11, #ARGV - 1, 2 do redis.call('HSETNX', key, 'u:' .. ARGV[i], ARGV[i + 1]) end
redis.call('HSET', key, 'u:' .. node, ARGV[10], 't:' .. node, now, 'g:' .. node, now - begun < ${youngMs} and reserved or 0)
local fields = redis.call('HGETALL', key)
local used, granted, seen = {}, {}, {}
for i = 1, #fields, 2 do
  local kind, name = string.sub(fields[i], 1, 1), string.sub(fields[i], 3)
  if kind == 'u' then used[name] = fields[i + 1]
  elseif kind == 'g' then granted[name] = tonumber(fields[i + 1])
  else seen[name] = tonumber(fields[i + 1]) end
end
local mine, others, leased, nodes = 0, 0, 0, 0
for name, text in pairs(used) do
  local isAlive = seen[name] ~= nil and seen[name] + lapse > now
  local sum, kept = pieces(text)
  if isAlive then nodes = nodes + 1 end
  if name == node then mine = sum
  else
    others = others + sum
    if isAlive then leased = leased + (granted[name] or 0)
    elseif kept == '' then redis.call('HDEL', key, 'u:' .. name, 'g:' .. name, 't:' .. name)
    elseif kept ~= text then redis.call('HSET', key, 'u:' .. name, kept) end
  end
end
local ttl = math.max(tonumber(ARGV[6]), lapse)
redis.call('PEXPIRE', key, string.format('%.0f', ttl))
if now - begun < ${youngMs} then return { generation } end
local left = math.max(0, most - others - leased - mine)
local held = math.min(left, reserved)
local more = nodes == 1 and math.min(left - held, spare) or math.min(spare, math.floor((left - held) / (2 * nodes)))
redis.call('HSET', key, 'g:' .. node, string.format('%.0f', held + more))
return { generation, string.format('%.0f', held + more), string.format('%.0f', left - held - more), string.format('%.0f', others), nodes, isNew and 1 or 0 }
`

/** KEYS: the generation, and the nodes by when they were here last. ARGV: the node, ms of silence after which it has ended, two for a generation. */
const lookScript = `${common}
redis.call('ZADD', KEYS[2], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - tonumber(ARGV[2]))
redis.call('SET', KEYS[1], generationFor(ARGV[3], ARGV[4]), 'NX')
return { redis.call('GET', KEYS[1]), redis.call('ZCARD', KEYS[2]) }
`

const whole = z.coerce.number().int()
const answer = z.union([
  z.tuple([z.string()]),
  z.tuple([z.string(), whole, whole, whole, z.int(), z.union([z.literal(0), z.literal(1)])]),
])

const generationKey = '{tollgate:limits}:generation'
const nodesKey = '{tollgate:limits}:nodes'
const state = z.tuple([z.string(), z.int()])

const piecesText = (pieces: Iterable<readonly [at: number, used: number]>): string =>
  [...pieces].map(([at, used]) => `${at}=${used}`).join(' ')

/** Node and pieces in turn. */
const storedValues = ({ stored = [] }: CounterExchange): string[] => {
  const byNode = new Map<string, [number, number][]>()
  for (const [node, at, used] of stored) {
    const pieces = byNode.get(node) ?? []
    pieces.push([at, used])
    byNode.set(node, pieces)
  }
  return [...byNode].flatMap(([node, pieces]) => [node, piecesText(pieces)])
}

/** Counters that nodes share. Rejects while Redis is out of reach, or was emptied less than two seconds ago. */
export const openRedisLimitStore = ({ redis }: { readonly redis: Pick<SharedRedis, 'run'> }): LimitStore => {
  /** The generation that this process has met last. */
  let met: string | undefined

  /** A new generation, see `common`. */
  const newGeneration = (): readonly [string, number] => [randomAlphanumerics(12), met === undefined ? 0 : 1]

  const one = async (node: string, exchange: CounterExchange): Promise<Lease> => {
    const { counter, most, since, used, reserved, spare, keepMs } = exchange
    const values = [node, most, since, reserved, spare, keepMs, lapseMs, ...newGeneration(), piecesText(used)]
    const keys = [`{tollgate:limits}:${counter}`, generationKey]
    const said = answer.parse(await redis.run(exchangeScript, keys, [...values, ...storedValues(exchange)]))
    met ??= said[0]
    if (said.length === 1) throw new Error('Redis was emptied')
    const [, granted, left, others, nodes, isNew] = said
    return { granted, left, others, nodes, isNew: isNew === 1 && exchange.stored === undefined }
  }

  return {
    exchange: (node, _now, exchanges) => Promise.all(exchanges.map((exchange) => one(node, exchange))),

    async look(node) {
      const values = [node, lapseMs, ...newGeneration()]
      const [found, nodes] = state.parse(await redis.run(lookScript, [generationKey, nodesKey], values))
      const wasEmptied = met !== undefined && met !== found
      met = found
      return { wasEmptied, nodes }
    },
  }
}
