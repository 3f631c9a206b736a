import { z } from 'zod'
import json from './models-without-price.json' with { type: 'json' }

const reason = z.strictObject({ why: z.string().min(1), models: z.array(z.string().min(1)).min(1) })
const table = z.strictObject({ about: z.string().min(1), reasons: z.array(reason).min(1) })

/**
 * Models of the providers' default lists without a price in any list, by the reason. An operator who offers one sets its price. The
 * page of prices shows the reasons.
 */
export const unpricedReasons: readonly z.output<typeof reason>[] = table.parse(json).reasons

/** Model → why it has no price. */
export const modelsWithoutPrice: ReadonlyMap<string, string> = new Map(
  unpricedReasons.flatMap(({ why, models }) => models.map((model) => [model, why] as const)),
)
