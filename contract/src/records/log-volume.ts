import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { zoneQuery } from '../page.ts'
import { logFilter } from './logs.ts'

export const logVolume = z.object({
  /** Start of each piece, the oldest first; the last one ends at `to`. */
  starts: z.array(z.int()),
  to: z.int(),
  /** Minutes, five minutes, hours, days or weeks. A day may be longer or shorter where clocks change. */
  piece_seconds: z.int(),
  /** True where the range is so long that days are those of UTC. */
  utc_days: z.boolean(),
  /** Requests that were answered; other entries, where the type asks for them. */
  done: z.array(z.int()),
  failed: z.array(z.int()),
  /** `sums`: the books, which also know what was cleared from the log; `rows`: the entries themselves. */
  counted: z.enum(['sums', 'rows']),
  /** True where only the newest entries were counted: what lies before `starts` is unknown. */
  capped: z.boolean(),
  /** Milliseconds to the first token that 95 % of calls stayed within, in the hours that the range touches; null where unknown. */
  first_p95: z.number().nullable(),
  /** The part of the input that was read from a cache, 0 to 1, in the same hours; null where unknown. */
  cache_share: z.number().nullable(),
})
export type LogVolume = z.output<typeof logVolume>

/** IANA name; days begin at its midnight. */
const volumeQuery = z.object({ ...logFilter, zone: zoneQuery })

export const getLogVolume = endpoint({
  method: 'GET',
  path: '/api/log/volume',
  access: 'admin',
  summary: 'How many requests a range has over time, answered and failed',
  query: volumeQuery,
  data: logVolume,
})

export const getOwnLogVolume = endpoint({
  method: 'GET',
  path: '/api/log/self/volume',
  access: 'user',
  summary: 'The same for own requests',
  query: volumeQuery,
  data: logVolume,
})
