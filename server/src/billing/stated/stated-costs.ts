import { ownMember } from '@tollgate/contract/own-member'
import { add, compare, exactDecimal, multiply, print, zero } from '../decimal.ts'
import type { Decimal } from '../price.ts'

/** Cost that an answer states. Plain texts, because usages are also written to the journal. */
export interface StatedCost {
  /** Dollars, as exact decimal text. */
  readonly amount: string
  /** The member of the usage, or the header, that stated it. */
  readonly by: string
}

type Json = Readonly<Record<string, unknown>>

interface StatedBy {
  /** Provider or gateway that states it. */
  readonly by: string
  /** Address of the documentation. */
  readonly source: string
  /** A member of the usage, one of an answer without usage, or a header of the answer. */
  readonly at: { readonly member: string } | { readonly answer: string } | { readonly header: string }
  /** The channel type of this provider; absent for providers that are called through other types with an address of their own. */
  readonly type?: number
}

/**
 * Providers whose answers state what a call cost. A channel is asked for it where its type is in this table, or where it has another
 * address than its type's own, behind which any of these may be.
 */
export const statedBy: readonly StatedBy[] = [
  {
    by: 'OpenRouter',
    type: 20,
    at: { member: 'cost' },
    source: 'openrouter.ai/docs/use-cases/usage-accounting: credits, of which one is a dollar',
  },
  {
    by: 'Perplexity',
    type: 27,
    at: { member: 'cost' },
    source: 'docs.perplexity.ai/api-reference/chat-completions-post: usage.cost.total_cost, dollars',
  },
  {
    by: 'xAI',
    type: 48,
    at: { member: 'cost_in_usd_ticks' },
    source: 'docs.x.ai/developers: 10,000,000,000 ticks are a dollar',
  },
  {
    by: 'Vercel AI Gateway',
    at: { member: 'cost' },
    source: 'vercel.com/docs/ai-gateway: usage.cost, dollars; market_cost is what it would be at list prices',
  },
  { by: 'Requesty', at: { member: 'cost' }, source: 'docs.requesty.ai: usage.cost, dollars' },
  { by: 'Avian', at: { member: 'cost' }, source: 'avian.io/docs: usage.cost, dollars' },
  {
    by: 'LiteLLM, in streams with include_cost_in_streaming_usage',
    at: { member: 'cost' },
    source: 'docs.litellm.ai/docs/proxy/config_settings: usage.cost, dollars',
  },
  {
    by: 'LLM Gateway',
    at: { member: 'cost_usd_total' },
    source: 'docs.llmgateway.io/features/cost-breakdown: dollars',
  },
  { by: 'DeepInfra', at: { member: 'estimated_cost' }, source: 'deepinfra.com/docs/openai_api: dollars' },
  {
    by: 'DeepInfra, inference of its own kind, which is called directly',
    at: { answer: 'inference_status.cost' },
    source: 'deepinfra.com/docs/inference: dollars, in the metadata that each JSON answer has',
  },
  {
    by: 'xAI, pictures and films, which are called directly',
    type: 48,
    at: { member: 'cost_in_usd_ticks' },
    source: 'docs.x.ai/developers/cost-tracking: in the usage of every answer',
  },
  {
    by: 'Comfy Router, and services behind pass-through addresses of LiteLLM',
    at: { header: 'x-litellm-response-cost' },
    source:
      'docs.comfy.org/development/comfy-router/litellm, docs.litellm.ai/docs/proxy/pass_through_cost_tracking: dollars',
  },
  {
    by: 'LiteLLM',
    at: { header: 'x-litellm-response-cost' },
    source: 'docs.litellm.ai/docs/proxy/response_headers: dollars; absent, `None` or 0 where it is not known yet',
  },
  { by: 'Tollgate', at: { header: 'x-tollgate-cost' }, source: 'docs/prices.md: dollars' },
]

const tick: Decimal = { digits: 1n, scale: 10 }
const longestText = 64
/** More decimal places are less than any unit, and would be long texts. */
const mostPlaces = 40

/** A number or its text as an exact decimal; undefined for anything else and for less than nothing. */
const amountOf = (value: unknown): Decimal | undefined => {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined
  if (typeof value === 'string' && value.length > longestText) return undefined
  try {
    const amount = exactDecimal(value)
    return amount.digits < 0n || amount.scale > mostPlaces ? undefined : amount
  } catch {
    return undefined
  }
}

const positive = (amount: Decimal | undefined): Decimal | undefined =>
  amount === undefined || amount.digits === 0n ? undefined : amount

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * `cost` is what the gateway takes. With a key of one's own at the provider behind it (BYOK) that is its fee, and the provider takes
 * `upstream_inference_cost` beside it. Other calls state that figure, too, as a part of `cost`. Answers of 2025 do not say which of
 * the two it is: then it stands beside a fee that is smaller.
 */
const gatewayCost = (usage: Json): Decimal | undefined => {
  const taken = amountOf(usage.cost)
  if (taken === undefined) return undefined
  const details = usage.cost_details
  const behind = isObject(details) ? amountOf(details.upstream_inference_cost) : undefined
  if (usage.is_byok === true) return behind && add(taken, behind)
  const isFee = usage.is_byok === undefined && behind !== undefined && compare(behind, taken) > 0
  return isFee ? add(taken, behind) : taken
}

const costMember = (usage: Json): Decimal | undefined =>
  isObject(usage.cost) ? positive(amountOf(usage.cost.total_cost)) : gatewayCost(usage)

const ticksOf = (usage: Json): Decimal | undefined => {
  const ticks = positive(amountOf(usage.cost_in_usd_ticks))
  return ticks && multiply(ticks, tick)
}

const readers: readonly (readonly [member: string, read: (usage: Json) => Decimal | undefined])[] = [
  ['cost', costMember],
  ['cost_in_usd_ticks', ticksOf],
  ['estimated_cost', (usage) => positive(amountOf(usage.estimated_cost))],
  ['cost_usd_total', (usage) => positive(amountOf(usage.cost_usd_total))],
]

/** The cost that a usage object states; undefined for almost all, which costs the look at four members. */
export const statedInUsage = (usage: Json): StatedCost | undefined => {
  for (const [member, read] of readers) {
    if (ownMember(usage, member) === undefined) continue
    const amount = read(usage)
    if (amount !== undefined) return { amount: print(amount), by: member }
  }
  return undefined
}

/** The cost that the metadata of an answer without usage states. */
export const statedInStatus = (status: unknown): StatedCost | undefined => {
  const amount = isObject(status) ? positive(amountOf(ownMember(status, 'cost'))) : undefined
  return amount && { amount: print(amount), by: 'inference_status.cost' }
}

/** Cost members of the turns of a session, added up; undefined where one of them states none. */
export const sumOfStated = (one: StatedCost, other: StatedCost): StatedCost => ({
  amount: print(add(exactDecimal(one.amount), exactDecimal(other.amount))),
  by: one.by,
})

/** Headers in which a cost may be stated. */
export const costHeaders: readonly string[] = [
  ...new Set(statedBy.flatMap(({ at }) => ('header' in at ? [at.header] : []))),
]

/** Cost in the headers of an answer. A stream's headers precede its cost: 0 then means nothing. */
export const statedInHead = (headers: Readonly<Record<string, string | readonly string[] | undefined>>) => {
  for (const name of costHeaders) {
    const value = ownMember(headers, name)
    if (value === undefined) continue
    const amount = positive(amountOf(typeof value === 'string' ? value.trim() : value[0]?.trim()))
    if (amount !== undefined) return { amount: print(amount), by: name } satisfies StatedCost
  }
  return undefined
}

/** The larger of two statements on one answer: those of streams grow. */
export const laterStated = (before: StatedCost | undefined, now: StatedCost | undefined): StatedCost | undefined => {
  if (before === undefined || now === undefined) return now ?? before
  return compare(exactDecimal(now.amount), exactDecimal(before.amount)) >= 0 ? now : before
}

interface AskedChannel {
  readonly baseUrl: string
  readonly provider: { readonly type: number; readonly name: string; readonly baseUrl: string }
}

/** How a channel's statements are taken; undefined where it has none. */
export interface StatedSource {
  /** The provider, or the host of the channel's address. */
  readonly name: string
  /** True where a cost of 0 is that of a free model, and not one that is unknown. */
  readonly believesZero: boolean
  /** Dollars by which a statement may differ from the sum of exact prices, because its parts are rounded. */
  readonly rounding: Decimal
}

/** The first name of a type counts. */
const types = new Map(
  statedBy.toReversed().flatMap(({ type, by }): [number, string][] => (type === undefined ? [] : [[type, by]])),
)
const freeHosts = /(?:^|\.)(?:openrouter\.ai|vercel\.sh)$/
const none: StatedSource | null = null
const sources = new WeakMap<AskedChannel, StatedSource | null>()

const hostOf = (address: string): string => URL.parse(address)?.hostname ?? ''

const sourceOf = ({ baseUrl, provider }: AskedChannel): StatedSource | null => {
  const named = types.get(provider.type)
  const host = hostOf(baseUrl)
  if (named === undefined && (host === '' || host === hostOf(provider.baseUrl))) return none
  return {
    name: named === undefined ? host : named.toLowerCase(),
    believesZero: named === 'OpenRouter' || freeHosts.test(host),
    // Perplexity rounds each part of its sum to a hundred-thousandth of a dollar.
    rounding: named === 'Perplexity' ? { digits: 2n, scale: 5 } : zero,
  }
}

/** Source of stated costs of a channel, found once per channel; undefined for providers that state none. */
export const statedSource = (channel: AskedChannel): StatedSource | undefined => {
  const known = sources.get(channel)
  if (known !== undefined) return known ?? undefined
  const source = sourceOf(channel)
  sources.set(channel, source)
  return source ?? undefined
}
