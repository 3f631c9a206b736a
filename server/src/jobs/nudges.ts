import { type RawBuilder, sql } from 'kysely'

/** Seconds between looks at a provider that its calls ask for. */
export const nudgePace = 5

/**
 * When the look that a call asks for is due, in unix seconds; `nudgedTime` is that of the last one that a call asked for. Undefined where
 * that one is still to come: it serves for this call, too.
 */
export const askedLook = (nudgedTime: number, now: number): number | undefined =>
  nudgedTime > now ? undefined : Math.max(now, nudgedTime + nudgePace)

/** The time of a row's next look, unless `at` is earlier. */
export const noLaterThan = (column: 'next_time' | 'look_time', at: number): RawBuilder<number> =>
  sql`case when ${sql.ref(column)} < ${at} then ${sql.ref(column)} else ${at} end`

/** `at`, unless a call has asked for a look since the row was read with its `nudged_time`: then that one. */
export const unlessNudged = (nudgedTime: number, at: number): RawBuilder<number> =>
  sql`case when nudged_time = ${nudgedTime} then ${at} else nudged_time end`
