import type { Database } from '../../db/database.ts'
import { type Clock, unixSeconds } from '../../lib/clock.ts'

const day = 86_400
/** Hours that one run deletes at most: nothing else waits long for it. */
const mostHours = 500

interface TrimParts {
  readonly database: Pick<Database, 'query'>
  /** Option SpeedRetentionDays. */
  days(): number
  readonly clock: Clock
}

/** Deletes the speed of users and keys that is older than the operator keeps it, an hour at a time; several nodes may do so at once. */
export const createSpeedTrim =
  ({ database: { query }, days, clock }: TrimParts) =>
  async (): Promise<void> => {
    const until = unixSeconds(clock) - days() * day
    for (let hours = 0; hours < mostHours; hours += 1) {
      const oldest = query.selectFrom('speed_hours').select('created_at').orderBy('created_at').limit(1)
      const at = (await oldest.executeTakeFirst())?.created_at
      if (at === undefined || at >= until) return
      await query.deleteFrom('speed_hours').where('created_at', '=', at).execute()
    }
  }
