import { endpoint } from '@tollgate/contract/endpoint'
import { refusalFields } from '@tollgate/contract/errors/refusal'
import { z } from 'zod'

/** Destinations of usage records. */
export const usageSinkNames = ['webhook', 'otlp', 'objects'] as const
export type UsageSinkName = (typeof usageSinkNames)[number]

export const usageSinkState = z.object({
  name: z.enum(usageSinkNames),
  /** Records that were taken. */
  sent: z.int(),
  /** Records that wait; at most 10,000 are counted. */
  waiting: z.int(),
  /** Unix seconds; 0 for never. */
  sent_time: z.int(),
  /** Failures since the last success. */
  failures: z.int(),
  /** Why the latest batch was not taken; empty where it was. */
  error: z.string(),
  ...refusalFields,
  /** When it is tried again; 0 where nothing failed. */
  retry_time: z.int(),
})
export type UsageSinkState = z.output<typeof usageSinkState>

export const listUsageSinks = endpoint({
  method: 'GET',
  path: '/api/usage_sinks',
  access: 'admin',
  summary: 'How far the sinks are that usage is sent to; only those that are set up',
  data: z.array(usageSinkState),
})
