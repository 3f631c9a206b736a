import { z } from 'zod'

/**
 * One of several words in a query; `fallback` where it is absent or empty. Another word is refused: an answer to another question than the one
 * that was asked looks right. An endpoint that takes one sets `unusableBodyStatus: 400`.
 */
export const queryChoice = <
  const Choices extends readonly [string, ...string[]],
  const Fallback extends Choices[number] | undefined,
>(
  choices: Choices,
  fallback: Fallback,
) =>
  z
    .union([z.enum(choices), z.literal('')])
    .default('')
    .transform(
      (chosen): Choices[number] | Fallback => (chosen === '' ? fallback : chosen) as Choices[number] | Fallback,
    )
