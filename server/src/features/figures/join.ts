import type { FeatureKit } from '../../app/parts.ts'
import { namesOf } from '../../db/names/stored-names.ts'
import { every } from '../../jobs/every.ts'
import { createFigureReport } from './report.ts'
import { type FigureRouteParts, figureRoutes } from './routes.ts'
import { createSpeedTrim } from './trim.ts'

const trimEveryMs = 3_600_000

/** Joins figures over time; answers what ends the deletion of old ones. */
export const joinFigures = (
  { database, options, clock, log, on }: FeatureKit,
  { organisationScope }: Pick<FigureRouteParts, 'organisationScope'>,
): (() => void) => {
  const report = createFigureReport({
    database,
    enabled: () => options.get('DataExportEnabled'),
    refreshMinutes: () => options.get('DataExportInterval'),
    ...namesOf(database),
    clock,
  })
  figureRoutes(on, { report, organisationScope })
  const trim = createSpeedTrim({ database, days: () => options.get('SpeedRetentionDays'), clock })
  return every(trimEveryMs, trim, (error) => log.warn('speed_cleanup_failed', { error }))
}
