import { z } from 'zod'
import { type BilingualText, json, type Option } from './kinds.ts'

type Ratios = Readonly<Record<string, number>>

/** Far above any price, and small enough that a product of ratios and tokens can be counted. */
const largest = 1_000_000_000

/** A JSON object of numbers from 0 to a thousand million. Saving replaces the whole map. `least` names it must have. */
export const ratioMap = ({
  least = 0,
  ...options
}: Omit<Parameters<typeof json<Ratios>>[0], 'schema' | 'allowed'> & {
  allowed: BilingualText
  least?: number
}): Option<Ratios> =>
  json<Ratios>({
    ...options,
    allowed: {
      zh: `${options.allowed.zh}，数字不大于 ${largest}${least > 0 ? `，至少 ${least} 项` : ''}`,
      en: `${options.allowed.en}, each at most ${largest}${least > 0 ? `, with at least ${least} entry` : ''}`,
    },
    schema: z
      .record(z.string().min(1), z.number().min(0).max(largest))
      .refine((ratios) => Object.keys(ratios).length >= least),
  })
