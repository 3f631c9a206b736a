import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const optionEntry = z.object({
  key: z.string(),
  value: z.string(),
  /** Why the stored text is not in use; `value` is then what applies instead. */
  problem: z.string().optional(),
})
export type OptionEntry = z.output<typeof optionEntry>

/** Admins read what does not concern access to other systems; root reads everything but secrets. */
export const listOptions = endpoint({
  method: 'GET',
  path: '/api/option/',
  access: 'admin',
  summary: 'Options with their values as text; secrets are left out',
  data: z.array(optionEntry),
  /** Keys of the secrets that are stored, so that an empty field can say so. */
  beside: z.object({ stored_secrets: z.array(z.string()) }),
})

/** Booleans and numbers are accepted beside text and stored as text. The registry says who may write which option. */
export const putOption = endpoint({
  method: 'PUT',
  path: '/api/option/',
  access: 'admin',
  summary: 'Checks and saves one option; applied at once on all nodes',
  body: z.object({ key: z.string(), value: z.union([z.string(), z.boolean(), z.number()]) }),
  unusableBodyStatus: 400,
})

export const resetModelRatio = endpoint({
  method: 'POST',
  path: '/api/option/rest_model_ratio',
  access: 'root',
  summary: 'Puts the model ratios back to the built-in table',
})
