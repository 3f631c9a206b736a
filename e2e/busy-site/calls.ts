import { createHash } from 'node:crypto'
import { receiptOf } from '../../server/src/billing/cost.ts'
import type { Price } from '../../server/src/billing/price.ts'
import { noUsage } from '../../server/src/billing/usage.ts'
import { type JournalRecord, journalRecord } from '../../server/src/journal/journal-record.ts'
import type { RequestRecord } from '../../server/src/relay/ports.ts'
import { priceTextsOf } from '../../server/src/relay/records/price-texts.ts'
import type { BusyChannel } from './channels.ts'
import type { Caller } from './people.ts'
import { type BusyPlan, daySeconds, failingDays, type ModelName, models, silentHours, topSpender } from './plan.ts'
import { createRandom, type Random } from './random.ts'

/** Facts that calls are made of. */
export interface CallSources {
  readonly callers: readonly Caller[]
  readonly channels: readonly BusyChannel[]
  /** Throws where the model has no price in the group. */
  priceOf(model: ModelName, group: string): Price
}

const shares = models.flatMap(({ name, share }) => Array.from({ length: share }, () => name))

/** Few users make most calls, and the top spender every 40th of the last 30 days. */
const callerOf = (random: Random, { callers }: CallSources, isRecent: boolean): Caller => {
  const top = callers[0]
  if (isRecent && top !== undefined && random.below(40) === 0) return top
  const at = Math.floor(random.next() ** 3 * callers.length)
  return callers[at] ?? random.of(callers)
}

/** Seconds before the end: more calls by day than by night, and more of late than in the beginning. */
const ageOf = (random: Random, days: number): number => {
  const day = Math.floor(random.next() ** 1.3 * days)
  const hour = (random.below(24) + random.below(24)) / 2
  return Math.min(days * daySeconds - 1, day * daySeconds + Math.floor(hour * 3600) + random.below(3600))
}

/** Answers of providers that refuse: status, code of the error, and its message. */
const failures = [
  { status: 429, code: 'rate_limit_exceeded', text: 'Rate limit reached for requests' },
  { status: 500, code: 'server_error', text: 'The server had an error while processing your request' },
  { status: 401, code: 'invalid_api_key', text: 'Incorrect API key provided' },
  { status: 504, code: 'upstream_timeout', text: 'The provider did not answer in time' },
] as const

/** Seconds before the end after which one call has a prompt a hundred times longer than others, and its tokens. */
const dearAge = 3 * 3600
const dearTokens = { input: 600_000, output: 40_000 }

interface Drawn {
  readonly number: number
  readonly isDear: boolean
  readonly at: number
  readonly caller: Caller
  readonly channel: BusyChannel
  readonly model: ModelName
  readonly tookMs: number
}

const commonOf = (plan: BusyPlan, { number, at, caller, channel, model, tookMs }: Drawn) => ({
  id: createHash('sha256').update(`${plan.seed} call ${number}`).digest('hex').slice(0, 32),
  at,
  userId: caller.userId,
  username: caller.username,
  tokenId: caller.tokenId,
  tokenName: caller.tokenName,
  channelId: channel.id,
  model,
  group: caller.group,
  isStream: number % 2 === 0 && model !== 'text-embedding-3-small',
  ip: `198.51.100.${caller.userId % 250}`,
  useTime: Math.floor(tookMs / 1000),
})

const attemptOf = ({ channel, tookMs }: Drawn, status: number, error: string) => ({
  use_channel: [String(channel.id)],
  attempts: [
    { channel: channel.id, channel_name: channel.name, started_ms: 1, duration_ms: tookMs - 1, status, error },
  ],
})

const pathOf = (model: ModelName): string =>
  model === 'text-embedding-3-small' ? '/v1/embeddings' : '/v1/chat/completions'

const failedCall = (plan: BusyPlan, drawn: Drawn, random: Random): RequestRecord => {
  const { status, code, text } = random.of(failures)
  return {
    ...commonOf(plan, drawn),
    kind: 'error',
    quota: 0,
    promptTokens: 0,
    completionTokens: 0,
    content: text,
    other: {
      status,
      error_code: code,
      path: pathOf(drawn.model),
      duration_ms: drawn.tookMs,
      admin_info: attemptOf(drawn, status, text),
    },
    receipt: undefined,
  }
}

const answeredCall = (
  plan: BusyPlan,
  drawn: Drawn,
  { random, priceOf }: CallSources & { random: Random },
): RequestRecord => {
  const { model, caller, tookMs, isDear } = drawn
  const price = priceOf(model, caller.group)
  const isTop = caller.username === topSpender
  const input = isDear ? dearTokens.input : (50 + Math.floor(random.next() ** 2 * 6000)) * (isTop ? 6 : 1)
  const cacheRead = !isDear && random.below(3) === 0 ? Math.floor(input / 2) : 0
  const usual = model === 'text-embedding-3-small' ? 0 : 10 + Math.floor(random.next() ** 2 * 1500)
  const output = isDear ? dearTokens.output : usual
  const receipt = receiptOf({ ...noUsage, input: input - cacheRead, cacheRead, output }, price, { estimated: false })
  const { figures, ofText } = priceTextsOf(price)
  const common = commonOf(plan, drawn)
  const firstMs = common.isStream ? 200 + random.below(900) : undefined
  return {
    ...common,
    kind: 'charge',
    quota: receipt.quota,
    cost: Math.floor(receipt.quota * 0.7),
    promptTokens: input,
    completionTokens: output,
    content: ofText,
    measures: {
      totalMs: tookMs,
      firstMs,
      cached: cacheRead,
      cacheWrite: 0,
      reasoning: 0,
    },
    other: {
      model_ratio: figures.model_ratio,
      group_ratio: figures.group_ratio,
      completion_ratio: figures.completion_ratio,
      model_price: figures.model_price,
      cache_tokens: cacheRead,
      cache_ratio: figures.cache_ratio,
      frt: firstMs ?? -1000,
      end: 'done',
      duration_ms: tookMs,
      path: pathOf(model),
      admin_info: attemptOf(drawn, 200, ''),
    },
    receipt,
  }
}

/** Share of the calls of a channel that fail, so many seconds before the end. */
const failureShare = ({ fails }: BusyChannel, age: number): number => {
  if (!fails || age >= failingDays * daySeconds) return 0.015
  return age < silentHours * 3600 ? 1 : 0.6
}

/** The finished calls of the plan in the order of time, as a site writes them: the same for the same seed. */
export function* callsOf(plan: BusyPlan, sources: CallSources): Generator<JournalRecord> {
  const random = createRandom(plan.seed + 1)
  const ages = Array.from({ length: plan.rows }, () => ageOf(random, plan.days)).sort((one, other) => other - one)
  const dear = ages.findIndex((age) => age <= dearAge)
  for (const [number, age] of ages.entries()) {
    const isDear = number === dear
    const model = isDear ? 'gpt-4o' : random.of(shares)
    const serving = sources.channels.filter(({ models: served, fails }) => served.includes(model) && !(isDear && fails))
    const channel = random.of(serving)
    const drawn: Drawn = {
      number,
      isDear,
      at: plan.until - age * 1000,
      caller: callerOf(random, sources, age < 30 * daySeconds),
      channel,
      model,
      tookMs: 300 + Math.floor(random.next() ** 3 * 20_000),
    }
    const fails = random.next() < failureShare(channel, age) && !isDear
    yield journalRecord(fails ? failedCall(plan, drawn, random) : answeredCall(plan, drawn, { ...sources, random }))
  }
}
