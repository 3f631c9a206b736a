import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { datedPrice, priceKinds, storedPrice } from './list-prices.ts'
import { wordList } from './page.ts'
import { pricePreview } from './pricing.ts'
import { longestModelName } from './sizes.ts'

/** Sources of list prices, beside a file. */
export const priceSources = ['shipped', 'catalogue', 'litellm', 'models_dev', 'openrouter', 'panel'] as const
export type PriceSourceName = (typeof priceSources)[number]

/** Why a change of a price is held back until an operator decides on it. */
export const priceDoubt = z.object({
  kind: z.enum(priceKinds),
  reason: z.enum([
    /** More than three times up or down. */
    'jump',
    /** A power of ten that mistaken units make: 1,000 or 1,000,000. */
    'unit',
    'to_zero',
    'from_zero',
    /** A price for prompts without one for answers. */
    'no_output',
    /** The model has no price any more. */
    'gone',
    /** No model costs so much or so little. */
    'implausible',
  ]),
  /** New price over old one, where both are above 0. */
  factor: z.number().optional(),
})
export type PriceDoubt = z.output<typeof priceDoubt>

const decision = z.enum(['apply', 'keep'])
export type PriceDecision = z.output<typeof decision>

export const listPriceChange = z.object({
  id: z.int(),
  provider: z.string(),
  model: z.string(),
  /** Absent where no list knew the model. */
  before: storedPrice.optional(),
  /** Absent where no list knows it any more. */
  after: storedPrice.optional(),
  doubts: z.array(priceDoubt),
  /** Absent while it is held back. */
  decision: decision.optional(),
  /** Served models whose list price it is, and whose price no option sets. */
  served: z.array(z.string()),
})
export type ListPriceChange = z.output<typeof listPriceChange>

/** Unix seconds. */
const time = z.int()

export const priceVersion = z.object({
  id: z.int(),
  /** The name of the version, as receipts show it. */
  name: z.string(),
  created_at: time,
  /** 0 before it is applied or discarded. */
  decided_at: time,
  effective_from: time,
  kind: z.enum(['shipped', 'sync', 'undo']),
  source: z.string(),
  status: z.enum(['proposed', 'scheduled', 'applied', 'undone', 'discarded']),
  /** The version that it takes back; 0 for none. */
  undoes: z.int(),
  actor_name: z.string(),
  changes: z.int(),
  /** Changes that wait for an operator's decision. */
  held: z.int(),
})
export type PriceVersion = z.output<typeof priceVersion>

const versionId = z.object({ id: z.coerce.number().int().positive() })

export const listPriceVersions = endpoint({
  method: 'GET',
  path: '/api/price_lists',
  access: 'root',
  summary: 'The price lists in force and the versions of their prices, the newest first, 200 at most',
  data: z.object({
    lists: z.object({
      name: z.string(),
      /** When this site first had them. */
      since: time,
    }),
    /** When prices were last compared with a source that is read from the network; 0 for never. */
    compared_at: time,
    versions: z.array(priceVersion),
  }),
})

export const getPriceVersion = endpoint({
  method: 'GET',
  path: '/api/price_lists/:id',
  access: 'root',
  summary: 'A version with every change of a price',
  params: versionId,
  data: z.object({ version: priceVersion, changes: z.array(listPriceChange) }),
})

const proposal = z.object({
  /** The proposal; 0 where nothing differs. */
  id: z.int(),
  /** Prices that were read. */
  read: z.int(),
  changes: z.int(),
  held: z.int(),
  /** Prices of models that no list in force knows and no channel serves, and prices by the hour that this source cannot state. */
  left_out: z.int(),
})
export type PriceProposal = z.output<typeof proposal>

/** Changes no price. */
export const syncPrices = endpoint({
  method: 'POST',
  path: '/api/price_lists/sync',
  access: 'root',
  summary: 'Reads list prices from a source and proposes what differs',
  body: z.object({
    source: z.enum(priceSources),
    /** Address that replaces the usual one of the source; `panel` has no usual address. */
    address: z.string().max(2000).optional(),
  }),
  data: proposal,
})

/** Changes no price. */
export const uploadPrices = endpoint({
  method: 'POST',
  path: '/api/price_lists/upload',
  access: 'root',
  summary: 'The same from a file of any of these shapes, or of the export',
  body: z.object({
    name: z.string().max(200),
    /** The file, deflated (raw) and in base64. */
    packed: z.base64().max(1_000_000),
  }),
  data: proposal,
})

export const previewPriceVersion = endpoint({
  method: 'POST',
  path: '/api/price_lists/:id/preview',
  access: 'root',
  summary: 'What a proposed version would do to the traffic of the last seven days',
  changes: false,
  params: versionId,
  body: z.object({ decisions: z.record(z.string(), decision).default({}) }),
  data: pricePreview,
})

export const applyPriceVersion = endpoint({
  method: 'POST',
  path: '/api/price_lists/:id/apply',
  access: 'root',
  summary: 'Applies a proposed version, now or at a moment of the future',
  params: versionId,
  body: z.object({
    /** Unix seconds; now when absent. */
    effective_from: time.optional(),
    /** By the id of a change. Every change that is held back needs one; the others are applied without. */
    decisions: z.record(z.string(), decision).default({}),
  }),
})

export const discardPriceVersion = endpoint({
  method: 'POST',
  path: '/api/price_lists/:id/discard',
  access: 'root',
  summary: 'Discards a proposed version, or one that is scheduled and has not begun',
  params: versionId,
})

export const undoPriceVersion = endpoint({
  method: 'POST',
  path: '/api/price_lists/:id/undo',
  access: 'root',
  summary: 'Restores the prices from before a version, in a new version',
  params: versionId,
})

export const exportPrices = endpoint({
  method: 'GET',
  path: '/api/price_lists/export',
  access: 'root',
  summary: 'All list prices in force, as a file that can be uploaded elsewhere',
  answers: 'file',
  fileTypes: ['application/json'],
})

const suggestion = z.object({
  /** The name under which the list knows it. */
  model: z.string(),
  provider: z.string(),
  version: z.string(),
  price: datedPrice,
  /** Figures for the options ModelRatio, CompletionRatio and CacheRatio; the last is absent where the list names none. */
  ratio: z.number(),
  completion_ratio: z.number(),
  cache_ratio: z.number().optional(),
})

export const listUnpricedModels = endpoint({
  method: 'GET',
  path: '/api/price_lists/unpriced',
  access: 'admin',
  summary: 'Models that neither an option nor a list prices, with the nearest names of the lists',
  /** Names to look at; without any, those that enabled channels serve. */
  query: z.object({ models: wordList }),
  data: z.array(z.object({ model: z.string(), suggestions: z.array(suggestion) })),
})

/** A price from one moment to the next. */
const pricePoint = z.object({
  /** Unix seconds; 0 is the beginning. */
  from: time,
  /** As receipts name it; `operator` where an option sets it. */
  version: z.string(),
  source: z.string(),
  /** Dollars of a call, where it is sold by calls. */
  per_call: z.string().optional(),
  /** Absent where it has no price. */
  price: datedPrice.optional(),
  /** Prices of some hours of the day, which take the place of `price` then. */
  hours: z.array(datedPrice).optional(),
})
export type PricePoint = z.output<typeof pricePoint>

export const getPriceHistory = endpoint({
  method: 'GET',
  path: '/api/pricing/history',
  access: 'visitor',
  summary: 'What a model cost, costs and will cost, before the ratio of a group',
  query: z.object({
    model: z.string().min(1).max(longestModelName),
    /** Only the price of this moment, in unix seconds. */
    at: z.coerce.number().int().min(0).optional(),
  }),
  data: z.array(pricePoint),
})
