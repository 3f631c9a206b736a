import { z } from 'zod'

export type MatchLogic =
  | { and: MatchLogic[] }
  | { or: MatchLogic[] }
  | { contains: string }
  | { ends_with: string }
  | { equals: string }
  | { regex: string }
  | { starts_with: string }

const isExpression = (text: string): boolean => {
  try {
    return new RegExp(text) instanceof RegExp
  } catch {
    return false
  }
}

const text = z.string().max(500)
const match: z.ZodType<MatchLogic> = z.lazy(() =>
  z.union([
    z.strictObject({ and: z.array(match).max(1000) }),
    z.strictObject({ or: z.array(match).max(1000) }),
    z.strictObject({ contains: text }),
    z.strictObject({ ends_with: text }),
    z.strictObject({ equals: text }),
    z.strictObject({ regex: text.refine(isExpression) }),
    z.strictObject({ starts_with: text }),
  ]),
)

const figure = z.number().min(0)
const amount = z.union([
  figure,
  z.object({ base: figure, tiers: z.array(z.object({ start: z.int().min(0), price: figure })) }),
])
const modelPrice = z.record(z.string(), amount.optional())
const constraint = z.union([
  z.object({ start_date: z.iso.date() }),
  z.object({ start_time: z.string().max(50), end_time: z.string().max(50) }),
])
const prices = z.union([
  z.array(z.object({ constraint: constraint.optional(), prices: modelPrice })).min(1),
  modelPrice,
])
const model = z.object({ id: z.string().min(1).max(255), match, prices })
const provider = z.object({
  id: z.string().min(1).max(255),
  model_match: match.optional(),
  pricing_urls: z.array(z.string().max(2000)).optional(),
  models: z.array(model).max(20_000),
})

/** Providers with their models, as the catalogue publishes them; what has nothing to do with prices is left out. */
export const catalogueData = z.array(provider).max(1000)
export type CatalogueProviderData = z.output<typeof provider>
export type CatalogueModelData = z.output<typeof model>
export type CataloguePrice = z.output<typeof modelPrice>
