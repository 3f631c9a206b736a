import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { errorParams } from './errors/refusal.ts'

const optionEntry = z.object({
  key: z.string(),
  value: z.string(),
  /** Why the stored text is not in use; `value` is then the value that applies instead. */
  problem: z.string().optional(),
})
export type OptionEntry = z.output<typeof optionEntry>

/** Admins read options that do not concern access to other systems; root reads everything but secrets. */
export const listOptions = endpoint({
  method: 'GET',
  path: '/api/option/',
  access: 'admin',
  summary: 'Options with their values as text; secrets are left out',
  data: z.array(optionEntry),
  /** Keys of the secrets that are stored, so that an empty field can say so. */
  beside: z.object({ stored_secrets: z.array(z.string()) }),
})

const written = z.union([z.string(), z.boolean(), z.number()])

/** Booleans and numbers are accepted beside text and stored as text. The registry says who may write which option. */
export const putOption = endpoint({
  method: 'PUT',
  path: '/api/option/',
  access: 'admin',
  summary: 'Checks and saves one option; applied at once on all nodes',
  body: z.object({ key: z.string(), value: written }),
  unusableBodyStatus: 400,
})

const optionChange = z.object({
  key: z.string(),
  value: written,
  /**
   * The value that the writer saw. If another value is in force by now, the change is refused, so that no other change
   * is overwritten.
   */
  was: z.string().optional(),
})
export type OptionChangeAsked = z.input<typeof optionChange>

const optionRefusal = z.object({
  key: z.string(),
  code: z.string(),
  params: errorParams.optional(),
  message: z.string(),
})
export type OptionRefusal = z.output<typeof optionRefusal>

const mostChanges = 200
const keysDiffer = (changes: readonly { key: string }[]): boolean =>
  new Set(changes.map(({ key }) => key)).size === changes.length

/**
 * Saves all or nothing. Switches that need another option may come together with it. When something is refused the
 * answer is a failure whose `data` says why, key by key.
 */
export const putOptions = endpoint({
  method: 'PUT',
  path: '/api/option/batch',
  access: 'admin',
  summary: 'Checks several options and saves them in one step',
  body: z.object({ changes: z.array(optionChange).min(1).max(mostChanges).refine(keysDiffer) }),
  data: z.object({ refused: z.array(optionRefusal) }),
  unusableBodyStatus: 400,
})

/** Secrets as they are kept elsewhere; what is stored is not shown. */
export const compareOptionSecrets = endpoint({
  method: 'POST',
  path: '/api/option/compare',
  access: 'root',
  summary: 'Keys of the secret options that hold something else than this',
  changes: false,
  answersGuesses: true,
  body: z.object({
    secrets: z
      .array(z.object({ key: z.string().max(100), value: z.string().max(10_000) }))
      .min(1)
      .max(mostChanges),
  }),
  data: z.array(z.string()),
})

export const resetModelRatio = endpoint({
  method: 'POST',
  path: '/api/option/rest_model_ratio',
  access: 'root',
  summary: 'Puts the model ratios back to the built-in table',
})
