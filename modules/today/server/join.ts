import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { openClusterJobs } from '#server/db/cluster-jobs.ts'
import { every } from '#server/jobs/every.ts'
import { createTodayRounds } from './notices/rounds.ts'
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
  const failed = (error: unknown): void => log.warn('today_notices_late', { error })
  const look = createTodayRounds({
    database,
    jobs: openClusterJobs(database, clock),
    mode: () => options.get('TodayNotices'),
    cards: today.cards,
    yesterday: today.yesterday,
    rootNotice: (text) => notices.userNotice(undefined, text),
    serverAddress: () => options.get('ServerAddress'),
    amountText: notices.amountText,
    clock,
  })
  let turn = Promise.resolve()
  const stop = every(lookEveryMs, () => (turn = look().catch(failed)), failed)
  return {
    close: async () => {
      stop()
      await turn
    },
  }
}
