import { z } from 'zod'
import json from './audio-prices.json' with { type: 'json' }

const price = z.number().positive()

const table = z.strictObject({
  about: z.string().min(1),
  sources: z.array(z.string().regex(/^https:\/\/.+ \(20\d\d-\d\d\)$/)),
  /** Dollars per million tokens, as price pages state them. */
  rows: z.array(
    z.strictObject({
      models: z.array(z.string().min(1)).min(1),
      text: price,
      /** Absent for models that do not listen. */
      audioIn: price.exactOptional(),
      /** Absent for models that do not speak. */
      audioOut: price.exactOptional(),
    }),
  ),
})

const prices = table.parse(json).rows.flatMap(({ models, ...sound }) => models.map((model) => [model, sound] as const))

/** Rounded to fifteen digits, so that 16 is not 15.999999999999998. */
const over = (price: number, base: number): number => Number((price / base).toPrecision(15))

/** Model name → ratio of an audio prompt token to a text prompt token; 1 when missing. */
export const audioRatios: Readonly<Record<string, number>> = Object.fromEntries(
  prices.flatMap(([model, { text, audioIn }]) => (audioIn === undefined ? [] : [[model, over(audioIn, text)]])),
)

/**
 * Model name → ratio of an audio completion token to an audio prompt token, or to a text prompt token where the model does not
 * listen. When missing, sound in answers costs what sound in prompts or text in answers costs, whichever is dearer.
 */
export const audioCompletionRatios: Readonly<Record<string, number>> = Object.fromEntries(
  prices.flatMap(([model, { text, audioIn = text, audioOut }]) =>
    audioOut === undefined ? [] : [[model, over(audioOut, audioIn)]],
  ),
)
