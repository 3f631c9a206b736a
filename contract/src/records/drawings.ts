import { z } from 'zod'

/** States of a drawing task. */
export const submitCode = { notSubmitted: 0, submitted: 1, waiting: 21, duplicate: 22 } as const

/** A row of `midjourneys`; times in milliseconds. */
export const drawing = z.object({
  id: z.int(),
  code: z.int(),
  user_id: z.int(),
  action: z.string(),
  mj_id: z.string(),
  prompt: z.string(),
  prompt_en: z.string(),
  description: z.string(),
  state: z.string(),
  submit_time: z.int(),
  start_time: z.int(),
  finish_time: z.int(),
  /** With the option MjForwardUrlEnabled an address of this server. */
  image_url: z.string(),
  status: z.string(),
  progress: z.string(),
  fail_reason: z.string(),
  channel_id: z.int(),
  quota: z.int(),
  /** JSON text, like `properties`. */
  buttons: z.string(),
  properties: z.string(),
})
export type Drawing = z.output<typeof drawing>
