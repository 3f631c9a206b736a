import { endpoint } from '@tollgate/contract/endpoint'
import { z } from 'zod'

const releaseCheck = z.object({
  /** False while no release list is set. */
  configured: z.boolean(),
  current: z.string(),
  /** True if `newest` is a later version than `current`. */
  newer: z.boolean(),
  newest: z
    .object({
      tag: z.string(),
      name: z.string(),
      /** Markdown. */
      notes: z.string(),
      /** The release's page; empty when it has none. */
      url: z.string(),
      /** Unix seconds; 0 when unknown. */
      published_at: z.int(),
    })
    .nullable(),
})
export type ReleaseCheck = z.output<typeof releaseCheck>

export const checkReleases = endpoint({
  method: 'GET',
  path: '/api/system/releases',
  access: 'admin',
  summary: 'The newest release of the list that option ReleaseListAddress names; kept for ten minutes',
  data: releaseCheck,
})
