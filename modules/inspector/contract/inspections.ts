import { endpoint } from '@tollgate/contract/endpoint'
import { idParams } from '@tollgate/contract/page'
import { z } from 'zod'

/** Subjects whose calls are captured: an API key, a user, or a channel. */
export const inspectedKinds = ['token', 'user', 'channel'] as const
export type InspectedKind = (typeof inspectedKinds)[number]

/** Minutes that an inspection may last. */
export const longestInspection = 1_440

export const inspection = z.object({
  id: z.int(),
  kind: z.enum(inspectedKinds),
  target_id: z.int(),
  target_name: z.string(),
  reason: z.string(),
  started_name: z.string(),
  /** Unix seconds. */
  started_time: z.int(),
  ends_time: z.int(),
  /** True while calls are captured. */
  running: z.boolean(),
  captures: z.int(),
})
export type Inspection = z.output<typeof inspection>

export const listInspections = endpoint({
  method: 'GET',
  path: '/api/inspector/',
  access: 'admin',
  summary: 'The inspections that run, and the latest ones before',
  data: z.array(inspection),
})

export const startInspection = endpoint({
  method: 'POST',
  path: '/api/inspector/',
  access: 'admin',
  confirm: true,
  summary: 'Captures the calls of a key, of a user or at a channel for a time',
  body: z.object({
    kind: z.enum(inspectedKinds),
    /** The id of a key, a user or a channel. */
    target_id: z.int().positive(),
    minutes: z.int().min(1).max(longestInspection),
    reason: z.string().trim().max(200).default(''),
  }),
  data: inspection,
})

export const stopInspection = endpoint({
  method: 'POST',
  path: '/api/inspector/:id/stop',
  access: 'admin',
  summary: 'Ends an inspection; what it captured stays until its time is over',
  params: idParams,
})

export const getOwnInspection = endpoint({
  method: 'GET',
  path: '/api/inspector/self',
  access: 'user',
  summary: 'Whether calls of the own account or of one of its keys are captured now, and until when',
  data: z.object({
    /** Unix seconds; 0 where nothing is captured. */
    until: z.int(),
    /** Names of the inspected keys; empty where it is the whole account. */
    keys: z.array(z.string()),
  }),
})
