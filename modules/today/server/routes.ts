import { getOwnToday, getToday, snoozeTodayCard } from '@tollgate/contract'
import type { On } from '#server/http/route.ts'
import { type Clock, unixSeconds } from '#server/lib/clock.ts'
import { type Snoozes, snoozeEnd } from './snoozes.ts'
import type { Today } from './today.ts'

export interface TodayRouteParts {
  readonly today: Today
  readonly snoozes: Snoozes
  readonly clock: Clock
}

/** The start page of operators and of users, and their snoozes. */
export const todayRoutes = (on: On, { today, snoozes, clock }: TodayRouteParts): void => {
  on(getToday, async ({ caller, language, query }) => ({ data: await today.site({ ...caller, language }, query.zone) }))
  on(getOwnToday, async ({ caller, language, query }) => ({
    data: await today.own({ ...caller, language }, query.zone),
  }))
  on(snoozeTodayCard, async ({ caller, body: { card, span, zone } }) => {
    const now = unixSeconds(clock)
    const until = snoozeEnd(span, zone, now)
    await snoozes.set(caller.id, card, { until, now })
    return { data: { until } }
  })
}
