import { type Limit, limitChange } from '@tollgate/contract'
import { openaiLimitHeaders } from '../src/dialects/openai-chat/limit-headers.ts'
import { openMemoryLimitStore } from '../src/limits/limit-store.ts'
import { openLimiter } from '../src/limits/limiter.ts'

const rounds = 7
const callsPerRound = 100_000

const key = { kind: 'key' } as const
const user = { kind: 'user' } as const
const model = { kind: 'model' } as const
const rule = (change: object) => ({ name: 'limit', amount: 1e12, window: 'minute', subjects: [key], ...change })

/** Ten limits and two budgets that all count one key. */
const rules = [
  ...['requests', 'tokens', 'input_tokens', 'output_tokens'].map((measure) => rule({ measure })),
  rule({ measure: 'running', window: 'now' }),
  rule({ measure: 'requests', window: 'day', time_zone: 'Asia/Shanghai' }),
  rule({ measure: 'tokens', window: 'rolling', hours: 5 }),
  rule({ measure: 'requests', subjects: [user] }),
  rule({ measure: 'tokens', window: 'hour', subjects: [key, model] }),
  rule({ measure: 'requests', subjects: [{ kind: 'address' }] }),
  rule({ measure: 'money', window: 'month', tell_at: [50, 80, 100] }),
  rule({ measure: 'money', window: 'forever', subjects: [user], action: 'tell', tell_at: [80] }),
].map((change, index): Limit => ({ ...limitChange.parse(change), id: index + 1, owner_id: 0, changed_time: 0 }))

/** One of the channel, and one of its key. */
const channelRules = [
  rule({ measure: 'requests', subjects: [{ kind: 'channel' }] }),
  rule({ measure: 'tokens', subjects: [{ kind: 'upstream_key' }] }),
].map((change, index): Limit => ({ ...limitChange.parse(change), id: index + 1, owner_id: 0, changed_time: 0 }))

const caller = { userId: 1, username: 'user', tokenId: 5, tokenName: 'key', group: 'default' }
const call = { caller, model: 'gpt-4o', ip: '192.0.2.1' }
const need = { input: 4000, output: 500, money: 900 }
const use = { promptTokens: 1000, completionTokens: 200, quota: 300 }

/** Microseconds that limits cost one call, from the first look to the correction, headers included. */
const measure = async (limits: readonly Limit[]): Promise<number> => {
  const limiter = openLimiter({
    store: openMemoryLimitStore(),
    isShared: false,
    node: 'bench',
    clock: Date.now,
    counts: { read: async () => [], write: async () => {} },
    amountText: String,
    warn: () => {},
  })
  limiter.setLimits(limits)
  const first = await limiter.enter(call, need)
  first?.settle(use)
  let headers = 0
  const began = process.hrtime.bigint()
  for (let count = 0; count < callsPerRound; count += 1) {
    const entered = limiter.enter(call, need)
    const entry = entered instanceof Promise ? await entered : entered
    if (entry === undefined) continue
    headers += openaiLimitHeaders(entry.gauges()).length
    entry.settle(use)
  }
  const took = Number(process.hrtime.bigint() - began) / 1000 / callsPerRound
  if (limits.length > 0 && headers === 0) throw new Error('no call was limited')
  return took
}

/** The same for limits that are asked when a channel is chosen: is it full, and the reservation of an attempt. */
const measureChannels = async (): Promise<number> => {
  const limiter = openLimiter({
    store: openMemoryLimitStore(),
    isShared: false,
    node: 'bench',
    clock: Date.now,
    counts: { read: async () => [], write: async () => {} },
    amountText: String,
    warn: () => {},
  })
  limiter.setLimits(channelRules)
  const attempt = { ...call, channel: { id: 7, name: 'channel', seed: 3 } }
  const limited = limiter.ofChannels
  if (limited === undefined) throw new Error('no channel is limited')
  const first = await limited.enter(attempt, need)
  first?.settle(use)
  const began = process.hrtime.bigint()
  for (let count = 0; count < callsPerRound; count += 1) {
    if (limited.isFull(attempt, need)) throw new Error('the channel is full')
    const entered = limited.enter(attempt, need)
    const entry = entered instanceof Promise ? await entered : entered
    entry?.settle(use)
  }
  return Number(process.hrtime.bigint() - began) / 1000 / callsPerRound
}

/**
 * Measures the cost of limits for a call in this process: with none, with one, and with ten and two budgets. Takes the least of the
 * rounds.
 */
export const benchLimits = async (): Promise<void> => {
  const cases = { none: [], one: rules.slice(0, 1), 'ten and two budgets': rules }
  const least: Record<string, number> = {}
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, limits] of Object.entries(cases)) {
      least[name] = Math.min(least[name] ?? Number.POSITIVE_INFINITY, await measure(limits))
    }
    const ofChannels = 'two of a channel and its key'
    least[ofChannels] = Math.min(least[ofChannels] ?? Number.POSITIVE_INFINITY, await measureChannels())
  }
  console.log('\nLimits, microseconds per call')
  for (const [name, took] of Object.entries(least)) console.log(`  ${name}: ${took.toFixed(2)}`)
}
