import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const optionEntry = z.object({ key: z.string(), value: z.string() })

export const listOptions = endpoint({
  method: 'GET',
  path: '/api/option/',
  access: 'admin',
  summary: 'Options with their values as text; secrets are left out',
  data: z.array(optionEntry),
})

/** Booleans and numbers are accepted beside text and stored as text. */
export const putOption = endpoint({
  method: 'PUT',
  path: '/api/option/',
  access: 'admin',
  summary: 'Checks and saves one option; applied at once on all nodes',
  body: z.object({ key: z.string(), value: z.union([z.string(), z.boolean(), z.number()]) }),
})

export const resetModelRatio = endpoint({
  method: 'POST',
  path: '/api/option/rest_model_ratio',
  access: 'root',
  summary: 'Puts the model ratios back to the built-in table',
})
