import type { FeatureKit } from '../../app/parts.ts'
import { openClusterJobs } from '../../db/cluster-jobs.ts'
import { namesOf } from '../../db/names/stored-names.ts'
import { every } from '../../jobs/every.ts'
import { openAlerts } from './alerts/alerts.ts'
import { createAlertRounds, type RoundParts } from './alerts/rounds.ts'
import { alertRoutes } from './alerts/routes.ts'
import { createExploreEvents } from './events.ts'
import { createExplore } from './report.ts'
import { exploreRoutes } from './routes.ts'
import { createSpeedTrim } from './trim.ts'

const trimEveryMs = 3_600_000
const askForAlertsEveryMs = 15_000

export interface ExploreNeeds extends Pick<Parameters<typeof exploreRoutes>[1], 'organisationScope'> {
  readonly alertNotice: RoundParts['noticeOf']
}

/** Own alerts, and on a master the rounds that look at them. Returns what ends the rounds. */
const joinAlerts = (
  { config, database, options, audit, clock, log, on }: FeatureKit,
  noticeOf: RoundParts['noticeOf'],
): (() => Promise<void>) => {
  alertRoutes(on, openAlerts({ database, audit, clock }))
  if (config.isSlave) return async () => {}
  const failed = (error: unknown): void => log.warn('alerts_not_evaluated', { error })
  const round = createAlertRounds({
    database,
    jobs: openClusterJobs(database, clock),
    enabled: () => options.get('DataExportEnabled'),
    noticeOf,
    failed,
    clock,
  })
  let turn = Promise.resolve()
  const stop = every(askForAlertsEveryMs, () => (turn = round().catch(failed)), failed)
  return async () => {
    stop()
    await turn
  }
}

/** Joins figures over time and the alerts on them; answers what ends its rounds. */
export const joinExplore = (
  kit: FeatureKit,
  { organisationScope, alertNotice }: ExploreNeeds,
): (() => Promise<void>) => {
  const { database, options, clock, log, on } = kit
  const names = namesOf(database)
  exploreRoutes(on, {
    report: createExplore({
      database,
      enabled: () => options.get('DataExportEnabled'),
      refreshMinutes: () => options.get('DataExportInterval'),
      ...names,
      clock,
    }),
    events: createExploreEvents(database, names.channelNames),
    organisationScope,
  })
  const endAlerts = joinAlerts(kit, alertNotice)
  const trim = createSpeedTrim({ database, days: () => options.get('SpeedRetentionDays'), clock })
  const stopTrimming = every(trimEveryMs, trim, (error) => log.warn('speed_cleanup_failed', { error }))
  return async () => {
    stopTrimming()
    await endAlerts()
  }
}
