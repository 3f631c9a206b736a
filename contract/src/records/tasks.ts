import { z } from 'zod'

/** A row of `tasks`; times in seconds. */
export const task = z.object({
  id: z.int(),
  created_at: z.int(),
  updated_at: z.int(),
  task_id: z.string(),
  platform: z.string(),
  user_id: z.int(),
  /** 0 for everybody but administrators. */
  channel_id: z.int(),
  quota: z.int(),
  action: z.string(),
  status: z.string(),
  fail_reason: z.string(),
  submit_time: z.int(),
  start_time: z.int(),
  finish_time: z.int(),
  progress: z.string(),
  properties: z.unknown(),
  /** The platform's latest message. */
  data: z.unknown(),
})
export type Task = z.output<typeof task>
