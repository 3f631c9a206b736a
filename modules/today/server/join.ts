import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { openNamedJobs } from '#server/jobs/named-jobs.ts'
import { openTodayRounds } from './notices/rounds.ts'
import { todayRoutes } from './routes.ts'
import { openSnoozes } from './snoozes.ts'
import { openToday } from './today.ts'

const lookEveryMs = 60_000

/** Joins the start page, and on a master the notices of its cards. */
export const join: JoinModule = (kit) => {
  const { config, database, options, notices, clock, log, on } = kit
  const snoozes = openSnoozes(database)
  const today = openToday({
    ...kit,
    snoozes,
    failed: (rule, error) => log.warn('today_rule_failed', { rule, error }),
  })
  todayRoutes(on, { today, snoozes, clock })
  if (config.isSlave) return {}
  const rounds = openTodayRounds({
    database,
    jobs: openNamedJobs(database, clock),
    mode: () => options.get('TodayNotices'),
    cards: today.cards,
    yesterday: today.yesterday,
    rootNotice: (text) => notices.userNotice(undefined, text),
    serverAddress: () => options.get('ServerAddress'),
    amountText: notices.amountText,
    failed: (error) => log.warn('today_notices_late', { error }),
    everyMs: lookEveryMs,
    clock,
  })
  return { close: rounds.stop }
}
