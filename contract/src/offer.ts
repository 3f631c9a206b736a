import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** One call that clients can make here; `{model}` in a path stands for a model's name. */
export const offeredCall = z.object({
  method: z.string(),
  path: z.string(),
  /** Whose words the call speaks. */
  dialect: z.string(),
})
export type OfferedCall = z.output<typeof offeredCall>

/** For the home page of a fresh installation: only the calls that a channel can answer now. */
export const getOffer = endpoint({
  method: 'GET',
  path: '/api/offer',
  access: 'visitor',
  summary: 'What the site offers: the calls that it answers and how many models are served',
  data: z.object({
    calls: z.array(offeredCall),
    /** Models that some enabled channel serves. */
    models: z.int(),
  }),
})
