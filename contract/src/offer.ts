import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const text = z.object({ zh: z.string(), en: z.string() })

/** A call's name, and what it is for. */
const caption = z.object({ name: text, text })
export type Caption = z.output<typeof caption>

/** One call that clients can make here; `{model}` in a path stands for a model's name. */
export const offeredCall = z.object({
  method: z.string(),
  path: z.string(),
  /** Name of the API that the call belongs to, e.g. `OpenAI`. */
  dialect: z.string(),
  caption: caption.optional(),
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
