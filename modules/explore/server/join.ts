import type { JoinModule, ModuleKit } from '#server/app/modules/module-kit.ts'
import { namesOf } from '#server/db/names/stored-names.ts'
import { createSiteEvents } from '#server/features/audit/site-events.ts'
import { openNamedJobs } from '#server/jobs/named-jobs.ts'
import { alertPassed } from './alerts/alert-text.ts'
import { openAlerts } from './alerts/alerts.ts'
import { openAlertRounds } from './alerts/rounds.ts'
import { alertRoutes } from './alerts/routes.ts'
import { eventRoutes } from './event-routes.ts'

const askForAlertsEveryMs = 15_000

/** Own alerts, and on a master the rounds that look at them. Returns what ends the rounds. */
const joinAlerts = ({ config, database, options, audit, clock, log, on, notices }: ModuleKit) => {
  alertRoutes(on, openAlerts({ database, audit, clock }))
  if (config.isSlave) return async () => {}
  const texts = { serverAddress: () => options.get('ServerAddress'), amountText: notices.amountText }
  return openAlertRounds({
    database,
    jobs: openNamedJobs(database, clock),
    enabled: () => options.get('DataExportEnabled'),
    noticeOf: (userId, alert) => notices.userNotice(userId, alertPassed(alert, texts)),
    everyMs: askForAlertsEveryMs,
    failed: (error) => log.warn('alerts_not_evaluated', { error }),
    clock,
  }).stop
}

/** Joins the events beside figures and the alerts on them. */
export const join: JoinModule = (kit) => {
  const { database, on } = kit
  eventRoutes(on, createSiteEvents(database, namesOf(database).channelNames))
  return { close: joinAlerts(kit) }
}
