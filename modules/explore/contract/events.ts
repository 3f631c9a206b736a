import { endpoint } from '@tollgate/contract/endpoint'
import { siteEvent } from '@tollgate/contract/records/site-events'
import { z } from 'zod'

export const exploreEvents = endpoint({
  method: 'GET',
  path: '/api/explore/events',
  access: 'admin',
  summary: 'What was changed in a time and may explain a change of figures, oldest first; the newest 40 at most',
  query: z.object({
    start_timestamp: z.coerce.number().int().nonnegative(),
    end_timestamp: z.coerce.number().int().nonnegative(),
  }),
  data: z.array(siteEvent),
})
