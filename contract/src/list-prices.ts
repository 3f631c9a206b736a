import { z } from 'zod'

/** Every kind of piece that a price list may price; `duration` is milliseconds, `request` a fee beside the tokens. */
export const priceKinds = [
  'input',
  'cache_read',
  'cache_write',
  'cache_write_1h',
  'audio_input',
  'output',
  'audio_output',
  'reasoning',
  'explicit_cache_read',
  'audio_cache_read',
  'image_input',
  'image_cache_read',
  'video_input',
  'image_output',
  'video_output',
  'request',
  'duration',
  'characters',
  'pages',
  'queries',
  'picture',
] as const
export type PriceKind = (typeof priceKinds)[number]

/** A decimal number of at least 0 as text, so that nothing of it is lost. */
const decimalText = z.string().regex(/^\d{1,40}(\.\d{1,40})?$/)
const rates = z.partialRecord(z.enum(priceKinds), decimalText)
const contexts = z.array(z.object({ above: z.int().min(0), rates }))
const figures = z.record(z.string().max(255), z.number().min(0))
const timeOfDay = z.string().regex(/^\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/)

/** Price of a service tier, in dollars per million pieces. */
const tierPrice = z.object({ rates, contexts: contexts.optional() })
export type TierPrice = z.output<typeof tierPrice>

/** Dollars per million pieces, under one condition. */
export const datedPrice = z.object({
  /** The day from which it holds; from the beginning where absent. */
  from: z
    .string()
    .max(40)
    .refine((text) => !Number.isNaN(Date.parse(text)))
    .optional(),
  /** It holds at these hours only: of every day, or from Monday to Friday, but not on the days of `except` (all UTC). */
  hours: z
    .object({
      start: timeOfDay,
      end: timeOfDay,
      weekdays: z.literal(true).optional(),
      except: z.array(z.iso.date()).max(100).optional(),
    })
    .optional(),
  rates,
  /** Other prices for prompts of more than `above` tokens. */
  contexts: contexts.optional(),
  /** Dollars per million pictures, by size and quality. */
  pictures: z.record(z.string().max(255), decimalText).optional(),
  /** Dollars per million milliseconds of a generated video, by its size, resolution or quality. */
  videos: z.record(z.string().max(40), decimalText).optional(),
  /** Dollars per thousand calls of a tool that runs at the provider. */
  tools: figures.optional(),
  /** Factors of service tiers. */
  tiers: figures.optional(),
  /** Prices of service tiers that no one factor makes; a kind that is not stated costs the tier's factor of its usual price. */
  in_tiers: z.record(z.string().max(40), tierPrice).optional(),
})
export type DatedPrice = z.output<typeof datedPrice>

/** A model's prices in a list: the last whose condition is met counts, the first where none is. */
export const storedPrice = z.object({
  /** A provider of the catalogue; empty where a list names none. */
  provider: z.string().max(255),
  model: z.string().min(1).max(255),
  /** A page or list where the price can be read. */
  source: z.string().max(2000),
  /** The list that it comes from, where that is not the version which holds it. */
  version: z.string().max(255).optional(),
  prices: z.array(datedPrice).min(1).max(100),
})
export type StoredPrice = z.output<typeof storedPrice>
