import { endpoint } from '@tollgate/contract/endpoint'
import { limitState } from '@tollgate/contract/limits/limit-states'
import { zoneQuery } from '@tollgate/contract/page'
import { z } from 'zod'
import { todayCard } from './cards.ts'

const daySums = {
  /** Unix seconds; full hours, the end not included. */
  from: z.int(),
  to: z.int(),
  /** Quota units. */
  quota: z.int(),
  answered: z.int(),
  failures: z.int(),
}

/** Sums of a day for operators. */
export const todaySums = z.object({
  ...daySums,
  /** Quota units of cost of the calls whose cost is known, their number, and what was charged for them. */
  cost: z.int(),
  costed: z.int(),
  costed_quota: z.int(),
})
export type TodaySums = z.output<typeof todaySums>

const days = <Sums extends z.ZodType>(sums: Sums) => ({ yesterday: sums, before: sums, today: sums })

export const siteToday = z.object({
  /** Unix seconds of the answer. */
  at: z.int(),
  /** Yesterday, the day before, and today so far, by the clock of the reader's time zone. */
  ...days(todaySums),
  /** Worst first; `more` are left out. */
  cards: z.array(todayCard),
  more: z.int(),
})
export type SiteToday = z.output<typeof siteToday>

export const getToday = endpoint({
  method: 'GET',
  path: '/api/today',
  access: 'admin',
  summary:
    'The site yesterday and today, and what needs a decision; cards of areas that the caller may not read are absent',
  query: z.object({ zone: zoneQuery }),
  unusableBodyStatus: 400,
  data: siteToday,
})

/** Sums of a day for the user whose calls they are. */
export const ownSums = z.object(daySums)
export type OwnSums = z.output<typeof ownSums>

export const ownToday = z.object({
  at: z.int(),
  ...days(ownSums),
  /** Since Monday. */
  week: ownSums,
  /** Quota units. */
  balance: z.int(),
  /** Limits that count the user's calls with any of the keys that were used last, the fullest first. */
  limits: z.array(limitState),
  cards: z.array(todayCard),
  more: z.int(),
})
export type OwnToday = z.output<typeof ownToday>

export const getOwnToday = endpoint({
  method: 'GET',
  path: '/api/today/self',
  access: 'user',
  summary: 'Own calls yesterday, today and this week, and what needs a decision',
  query: z.object({ zone: zoneQuery }),
  unusableBodyStatus: 400,
  data: ownToday,
})

/** `none` ends a snooze. `tomorrow` is the next midnight of the reader's time zone. */
export const snoozeSpans = ['hour', 'tomorrow', 'week', 'none'] as const
export type SnoozeSpan = (typeof snoozeSpans)[number]

/** UTF-16 units of the address of a card. */
export const longestCardId = 190

export const snoozeTodayCard = endpoint({
  method: 'PUT',
  path: '/api/today/snooze',
  access: 'user',
  summary: 'Hides a card of the start page from the caller for some time',
  body: z.object({ card: z.string().trim().min(1).max(longestCardId), span: z.enum(snoozeSpans), zone: zoneQuery }),
  /** Unix seconds; 0 for none. */
  data: z.object({ until: z.int() }),
})
