import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { todayRoutes } from './routes.ts'
import { openSnoozes } from './snoozes.ts'
import { openToday } from './today.ts'

/** Joins the start page. */
export const join: JoinModule = (kit) => {
  const { database, clock, log, on } = kit
  const snoozes = openSnoozes(database)
  const today = openToday({
    ...kit,
    snoozes,
    failed: (rule, error) => log.warn('today_rule_failed', { rule, error }),
  })
  todayRoutes(on, { today, snoozes, clock })
  return {}
}
