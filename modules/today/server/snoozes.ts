import type { SnoozeSpan } from '@tollgate/contract'
import type { Database } from '#server/db/database.ts'
import { upsert } from '#server/db/dialect.ts'
import { readerDays } from './days.ts'
import './tables.ts'

/** Snoozes of a user; further ones replace those that end first. */
export const mostSnoozes = 100

const seconds = { hour: 3_600, week: 604_800 } as const

/** Unix seconds at which a snooze that begins now ends; 0 for `none`. */
export const snoozeEnd = (span: SnoozeSpan, zone: string, now: number): number => {
  if (span === 'none') return 0
  return span === 'tomorrow' ? readerDays(zone, now).tomorrow : now + seconds[span]
}

/** Cards that users hid for some time. */
export interface Snoozes {
  /** Ends of a user's snoozes by card. */
  of(userId: number, now: number): Promise<ReadonlyMap<string, number>>
  /** Hides a card until a moment; 0 shows it again. */
  set(userId: number, card: string, times: { readonly until: number; readonly now: number }): Promise<void>
}

/** Opens the table of snoozes. */
export const openSnoozes = (database: Pick<Database, 'query' | 'transaction'>): Snoozes => ({
  async of(userId, now) {
    const rows = await database.query
      .selectFrom('today_snoozes')
      .select(['card', 'until_time'])
      .where('user_id', '=', userId)
      .where('until_time', '>', now)
      .execute()
    return new Map(rows.map(({ card, until_time: until }) => [card, until]))
  },

  set: (userId, card, { until, now }) =>
    database.transaction(async (trx) => {
      await trx
        .deleteFrom('today_snoozes')
        .where('user_id', '=', userId)
        .where((eb) => eb.or([eb('card', '=', card), eb('until_time', '<=', now)]))
        .execute()
      if (until === 0) return
      const others = await trx
        .selectFrom('today_snoozes')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('until_time', 'desc')
        .offset(mostSnoozes - 1)
        .limit(mostSnoozes)
        .execute()
      if (others.length > 0)
        await trx
          .deleteFrom('today_snoozes')
          .where(
            'id',
            'in',
            others.map(({ id }) => id),
          )
          .execute()
      const row = { user_id: userId, card, until_time: until }
      await upsert(trx, 'today_snoozes', [row], { key: ['user_id', 'card'], set: ['until_time'] })
    }),
})
