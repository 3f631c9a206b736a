import type { FeatureKit, SharedParts } from '../../app/parts.ts'
import { namesOf } from '../../db/names/stored-names.ts'
import { every } from '../../jobs/every.ts'
import { createLogDays } from './days.ts'
import { eventRecorder, type RecordEvent } from './events.ts'
import { createLogExports } from './export.ts'
import { createLogFacets } from './facets.ts'
import { openLogPlaces } from './places/log-places.ts'
import { openPurgeStore } from './purge-store.ts'
import { createLogPurges, type LogRetention } from './purges.ts'
import { type LogRouteParts, logRoutes } from './routes.ts'
import { createLogService, type LogService } from './service.ts'
import { createLogStat } from './stat.ts'
import { type LogStore, type OlderLogs, openLogStore } from './store.ts'
import { createLogVolume } from './volume.ts'

const purgeEveryMs = 15_000
const oldRowsEveryMs = 3_600_000

/** The log table with the sums that say where its rows are; `unit` is quota of one unit of currency, 0 where amounts are quota. */
export const openLogs = (
  { database, logDatabase, clock }: SharedParts,
  unit: () => number,
): { readonly store: LogStore; readonly recordEvent: RecordEvent } => {
  const store = openLogStore(logDatabase, createLogDays(database))
  return { store, recordEvent: eventRecorder(store, unit, clock) }
}

const retentionOf =
  ({ options }: SharedParts) =>
  (): LogRetention => ({
    charged: options.get('ChargedLogRetentionDays'),
    failed: options.get('ErrorLogRetentionDays'),
    other: options.get('OtherLogRetentionDays'),
  })

const joinPurges = (shared: SharedParts) => {
  const { database, logDatabase, audit, clock, log } = shared
  const failed = (error: unknown): void => log.warn('log_cleanup_failed', { error })
  const purges = createLogPurges({
    store: openPurgeStore({ database, logDatabase, clock }),
    audit,
    retention: retentionOf(shared),
    everyMs: purgeEveryMs,
    failed,
    clock,
  })
  const stopAsking = every(oldRowsEveryMs, purges.askForOldRows, failed)
  const close = async (): Promise<void> => {
    stopAsking()
    await purges.stop()
  }
  const clear: typeof purges.clear = async (actor, before) => {
    const total = await purges.clear(actor, before)
    purges.wake()
    return total
  }
  return { purges: { state: purges.state, clear }, close }
}

export interface LogNeeds extends Pick<LogRouteParts, 'tokenOf'> {
  readonly store: LogStore
  /** Rows that left the table, as modules keep them. */
  readonly olderLogs: readonly OlderLogs[]
}

/** Joins the usage log. */
export const joinLogs = (
  kit: FeatureKit,
  { store, olderLogs, tokenOf }: LogNeeds,
): { readonly logs: LogService; close(): Promise<void> } => {
  const { database, options, clock, on } = kit
  const names = namesOf(database)
  const { purges, close } = joinPurges(kit)
  const joined = olderLogs.reduce((live, older) => older.joined(live), store)
  const logs = createLogService({
    store: joined,
    stat: createLogStat({ store: joined, database, clock }),
    volume: createLogVolume({ store, database, clock }),
    facet: createLogFacets({ store, database, clock, ...names }),
    retention: retentionOf(kit),
    isMoved: (days) => olderLogs.some(({ hasAllAfter }) => hasAllAfter(days)),
    clock,
    places: openLogPlaces(database),
    ...names,
  })
  logRoutes(on, { logs, exports: createLogExports(() => options.get('QuotaPerUnit')), purges, tokenOf })
  return { logs, close }
}
