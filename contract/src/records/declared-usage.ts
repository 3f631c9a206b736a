import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { idParams, pageOf, pageQuery } from '../page.ts'

/** Pieces of a price that an unknown count of tokens may be declared as. */
export const declaredPieces = [
  'input',
  'cache_read',
  'cache_write',
  'cache_write_1h',
  'audio_input',
  'image_input',
  'output',
  'reasoning',
  'audio_output',
  'image_output',
] as const

/** UTF-16 units of the name of a model. */
const longestModel = 255

/** The largest factor and the largest price of a call, in currency units, that can be declared. */
const mostFactor = 1000
const mostPerCall = 10_000

/**
 * Price of a part of an answer that no table has: nothing, the price of a piece, a factor of the tokens' price, currency units per
 * call, or the price of another model.
 */
export const declaration = z.discriminatedUnion('as', [
  z.object({ as: z.literal('informative') }),
  z.object({ as: z.literal('piece'), piece: z.enum(declaredPieces) }),
  z.object({ as: z.literal('factor'), factor: z.number().min(0).max(mostFactor) }),
  z.object({ as: z.literal('call'), price: z.number().min(0).max(mostPerCall) }),
  z.object({ as: z.literal('model'), model: z.string().trim().min(1).max(longestModel) }),
  /** Of a model that had no price: it has one now. Nobody declares that; it follows from the prices. */
  z.object({ as: z.literal('priced') }),
])
export type Declaration = z.output<typeof declaration>

/** Which declarations make sense for a kind. */
export const declarationsOf = (kind: string): readonly Declaration['as'][] => {
  if (kind === 'cost') return ['informative']
  if (kind === 'price') return []
  if (kind === 'tier' || kind === 'geo' || kind === 'version') return ['factor', 'informative']
  if (kind === 'model') return ['model', 'informative']
  return kind === 'tool' ? ['call', 'informative'] : ['piece', 'informative']
}

export const declaredUsage = z.object({
  id: z.int(),
  /** `usage`, `cache`, `geo`, `tool`, `tier`, `model`, `version` (what a task chooses); `price` for a model without one, `cost` where a provider states another cost than prices give. */
  kind: z.string(),
  /** The dialect of a member, the maker of a tier or tool, where answers name a model, or the provider that states a cost. */
  place: z.string(),
  name: z.string(),
  /** Unix seconds. */
  first_time: z.int(),
  last_time: z.int(),
  calls: z.int(),
  /** Quota units that were charged for it, or by which costs differ. */
  quota: z.int(),
  /** Of the first call. */
  model_name: z.string(),
  channel_id: z.int(),
  request_id: z.string(),
  /** Absent until it is declared. */
  declaration: declaration.optional(),
  declared_time: z.int(),
  declared_by: z.string(),
  /** How many of the calls were charged anew. */
  settled_calls: z.int(),
})
export type DeclaredUsage = z.output<typeof declaredUsage>

export const listDeclaredUsage = endpoint({
  method: 'GET',
  path: '/api/declared_usage/',
  access: 'admin',
  summary: 'Parts of answers that no table of prices declares, and how they were declared; those that wait first',
  query: z.object(pageQuery),
  data: pageOf(declaredUsage),
})

export const declareUsage = endpoint({
  method: 'POST',
  path: '/api/declared_usage/:id',
  access: 'root',
  summary: 'Declares a part of answers; its provisional charges are corrected in the background, never upwards',
  params: idParams,
  body: declaration,
  data: declaredUsage,
  unusableBodyStatus: 400,
})
