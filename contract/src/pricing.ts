import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { priceKeys } from './prices/price-keys.ts'
import { longestModelName } from './sizes.ts'

export * from './prices/price-keys.ts'

/** How a model is billed. */
export const quotaType = { usage: 0, call: 1 } as const

/** Units of models that are not sold by tokens alone. */
export const pricedMeasures = ['minute', 'million_characters', 'page', 'query', 'picture'] as const
export type PricedMeasure = (typeof pricedMeasures)[number]

/**
 * Price of one model before the group's ratio. Billed by call, `model_price` is currency per call and every ratio 0; billed by usage,
 * `model_price` is 0 and ratio 1 is one quota unit per prompt token.
 */
export const pricingItem = z.object({
  model_name: z.string(),
  quota_type: z.int(),
  model_ratio: z.number(),
  model_price: z.number(),
  /** Always empty, kept for existing API clients; `owner` names the vendor. */
  owner_by: z.string(),
  /** Relative to `model_ratio`, like the ratios below. */
  completion_ratio: z.number(),
  /** Groups that serve the model and that the caller may use, sorted. */
  enable_groups: z.array(z.string()),
  cache_ratio: z.number(),
  cache_creation_ratio: z.number(),
  /** Of a write for the longer lifetime; absent where it costs what the other one does. */
  cache_creation_1h_ratio: z.number().optional(),
  /** Service tier → price of an answer in it, relative to the usual one; tiers that cost the same are absent. */
  tiers: z.record(z.string(), z.number()).optional(),
  /** Only for models that hear or speak. An audio prompt token relative to a text one. */
  audio_ratio: z.number().optional(),
  /** An audio completion token relative to an audio prompt token; absent for models that only hear. */
  audio_completion_ratio: z.number().optional(),
  /** Currency for a minute of sound, a million characters, a page, a query or a plain picture; absent for models sold by tokens alone. */
  measures: z.partialRecord(z.enum(pricedMeasures), z.number()).optional(),
  /** Maker of the model, as people write it (`OpenAI`); `custom` if neither its name nor the price lists state it. */
  owner: z.string(),
  /** False when the operator set neither price nor ratio: most callers are then refused. */
  priced: z.boolean(),
})
export type PricingItem = z.output<typeof pricingItem>

export const listPricing = endpoint({
  method: 'GET',
  path: '/api/pricing',
  access: 'visitor',
  summary: 'What every model costs that enabled channels serve',
  data: z.array(pricingItem),
  beside: z.object({
    /** Ratios of the groups that the caller may use. */
    group_ratio: z.record(z.string(), z.number()),
    /** The same groups with their descriptions. */
    usable_group: z.record(z.string(), z.string()),
    /** Option ToolPrices: currency units per thousand calls, before the group's ratio. */
    tool_prices: z.record(z.string(), z.number()),
    /** Option ServiceTierRatios: factors of the token prices. */
    tier_ratios: z.record(z.string(), z.number()),
  }),
})

const mostTokens = 1_000_000_000
const mostCalls = 1_000_000_000
const mostPictures = 1000
const tokens = z.coerce.number().int().min(0).max(mostTokens)

const groupCost = z.object({
  group: z.string(),
  group_ratio: z.number(),
  /** Quota units of one call, rounded as a charge is. */
  quota: z.int(),
  /** Quota units of all calls of a day. */
  quota_per_day: z.int(),
})
export type GroupCost = z.output<typeof groupCost>

/**
 * Computed by the code that charges. The charge may differ when the upstream reports other usage than estimated here.
 */
export const estimateCost = endpoint({
  method: 'GET',
  path: '/api/pricing/estimate',
  access: 'visitor',
  summary: 'What calls of a given size cost in each group that the caller may use',
  query: z
    .object({
      model: z.string().min(1).max(longestModelName),
      /** Tokens of one call; those read from the cache are part of the prompt. */
      prompt: tokens.default(0),
      completion: tokens.default(0),
      cached: tokens.default(0),
      calls: z.coerce.number().int().min(0).max(mostCalls).default(1),
      /** Pictures that one call draws; the size and the quality may change the price of one. */
      pictures: z.coerce.number().int().min(0).max(mostPictures).default(0),
      size: z.string().max(40).optional(),
      quality: z.string().max(40).optional(),
    })
    .refine(({ prompt, cached }) => cached <= prompt),
  data: z.array(groupCost),
})

/** Figures of a model's price as the operator edits them; `price` is undefined for billing by tokens. */
const modelFigures = z.object({
  price: z.number().optional(),
  ratio: z.number(),
  completion_ratio: z.number(),
  cache_ratio: z.number(),
  /** Only for models whose sound has a ratio of its own. */
  audio_ratio: z.number().optional(),
  audio_completion_ratio: z.number().optional(),
})
export type ModelFigures = z.output<typeof modelFigures>

const modelChange = z.object({
  model: z.string(),
  /** True if an enabled channel serves it. */
  enabled: z.boolean(),
  /** Absent where the model has no price. */
  before: modelFigures.optional(),
  after: modelFigures.optional(),
})
export type PriceChange = z.output<typeof modelChange>

const groupChange = z.object({
  group: z.string(),
  /** Absent where the group is not listed. */
  before: z.number().optional(),
  after: z.number().optional(),
})

/** Of a tool or a tier, by its key in the option: with the models that it is for, where it is not for all. */
const keyChange = z.object({
  key: z.string(),
  /** Absent where the key is not listed. */
  before: z.number().optional(),
  after: z.number().optional(),
})
export type KeyChange = z.output<typeof keyChange>

/** Quota units: what was charged, what the present prices make of the same calls, and what the proposed ones do. */
const trafficSums = {
  calls: z.int(),
  charged: z.int(),
  current: z.int(),
  proposed: z.int(),
}
const modelTraffic = z.object({ model: z.string(), ...trafficSums })
export type ModelTraffic = z.output<typeof modelTraffic>

const traffic = z.object({
  /**
   * `receipts`: every call was computed anew from its receipt. `sample`: there were too many; the sums per model and group
   * are exact, and an even sample of receipts says by how much they change. `none`: no call is logged.
   */
  basis: z.enum(['receipts', 'sample', 'none']),
  /** Unix seconds, both included. */
  from: z.int(),
  to: z.int(),
  /** Receipts that were computed anew. */
  receipts: z.int(),
  /** Calls without a receipt: they count as they were charged. */
  without_receipt: z.int(),
  ...trafficSums,
  /** Models whose cost changes, the largest change first; the rest of a long list is left out. */
  models: z.array(modelTraffic),
})
export type PriceTraffic = z.output<typeof traffic>

export const pricePreview = z.object({
  models: z.array(modelChange),
  groups: z.array(groupChange),
  /** Currency per thousand calls of tools that run at the provider. */
  tools: z.array(keyChange),
  /** Ratios of service tiers. */
  tiers: z.array(keyChange),
  /** Quota units that make one unit of currency. */
  quota_per_unit: z.object({ before: z.number(), after: z.number() }),
  traffic,
})
export type PricePreview = z.output<typeof pricePreview>

/** Changes nothing. */
export const previewPrices = endpoint({
  method: 'POST',
  path: '/api/option/price_preview',
  access: 'root',
  summary: 'What changed price options would do: model by model, and to the traffic of the last seven days',
  changes: false,
  body: z.object({
    /** True if model ratios are reset (`/api/option/rest_model_ratio`) besides, whatever `changes` say of them. */
    reset: z.boolean().default(false),
    changes: z
      .array(z.object({ key: z.enum(priceKeys), value: z.string() }))
      .min(1)
      .max(priceKeys.length)
      .refine((changes) => new Set(changes.map(({ key }) => key)).size === changes.length),
  }),
  data: pricePreview,
  unusableBodyStatus: 400,
})

const mostNames = 10_000

const completionRule = z.object({
  model: z.string(),
  /** Ratio that applies while the CompletionRatio option has none. */
  value: z.number(),
})
export type CompletionRule = z.output<typeof completionRule>

export const listCompletionRules = endpoint({
  method: 'POST',
  path: '/api/option/completion_rules',
  access: 'admin',
  summary: 'Built-in completion ratios of the named models',
  changes: false,
  body: z.object({ models: z.array(z.string().max(longestModelName)).max(mostNames) }),
  data: z.array(completionRule),
  unusableBodyStatus: 400,
})
