import type { Database } from '../../db/database.ts'
import { createBoundedCache } from '../../lib/caches/bounded-cache.ts'
import { hourOf } from '../apply/call-groups.ts'

const hourSeconds = 3600
const mostRemembered = 1000

/** Writes down in which hours charges were left out of the logs on purpose, so that verification misses no rows there. */
export interface LogGaps {
  /** `records` are charges that get no rows; times in milliseconds. Repeating it changes nothing. */
  note(records: readonly { readonly at: number }[]): Promise<void>
}

export const openLogGaps = (database: Database): LogGaps => {
  const noted = createBoundedCache<number, true>({ entries: mostRemembered })
  return {
    async note(records) {
      const hours = new Set(records.map(({ at }) => hourOf(Math.floor(at / 1000))))
      const fresh = [...hours].filter((hour) => noted.get(hour) !== true)
      if (fresh.length === 0) return
      const rows = fresh.map((hour) => ({ from_time: hour, until_time: hour + hourSeconds }))
      await database.insertMany('log_gaps', rows, { skipExisting: true })
      for (const hour of fresh) noted.set(hour, true)
    },
  }
}

/** Answers whether charges of a moment (unix seconds) may lack rows. */
export const readLogGaps = async ({ query }: Database): Promise<(at: number) => boolean> => {
  const gaps = await query.selectFrom('log_gaps').select(['from_time', 'until_time']).orderBy('from_time').execute()
  const hours = new Set(gaps.filter(isHour).map(({ from_time }) => from_time))
  const others = gaps.filter((gap) => !isHour(gap))
  return (at) => hours.has(hourOf(at)) || others.some(({ from_time, until_time }) => at >= from_time && at < until_time)
}

const isHour = ({ from_time, until_time }: { readonly from_time: number; readonly until_time: number }): boolean =>
  until_time - from_time === hourSeconds && from_time % hourSeconds === 0
