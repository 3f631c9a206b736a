import { tokenStatus, userStatus } from '@tollgate/contract'
import { openClusterJobs } from '../db/cluster-jobs.ts'
import { createCallSessions } from '../features/call-sessions/call-sessions.ts'
import { callSessionRoutes } from '../features/call-sessions/routes.ts'
import { createQuotaData } from '../features/dashboard/data.ts'
import { createUsageReport } from '../features/dashboard/report.ts'
import { dashboardRoutes } from '../features/dashboard/routes.ts'
import { openDashboardStore } from '../features/dashboard/store.ts'
import { createDrawings, type Drawings } from '../features/drawings/drawings.ts'
import { createPictureFetcher } from '../features/drawings/images.ts'
import { drawingRoutes } from '../features/drawings/routes.ts'
import { openDrawingStore } from '../features/drawings/store.ts'
import { openAlerts } from '../features/explore/alerts/alerts.ts'
import { createAlertRounds, type RoundParts } from '../features/explore/alerts/rounds.ts'
import { alertRoutes } from '../features/explore/alerts/routes.ts'
import { createExploreEvents } from '../features/explore/events.ts'
import { createExplore } from '../features/explore/report.ts'
import { exploreRoutes } from '../features/explore/routes.ts'
import { createSpeedTrim } from '../features/explore/trim.ts'
import { createLogDays } from '../features/logs/days.ts'
import { createLogExports } from '../features/logs/export.ts'
import { createLogFacets } from '../features/logs/facets.ts'
import type { OlderLogs } from '../features/logs/older/older-logs.ts'
import { openLogPlaces } from '../features/logs/places/log-places.ts'
import { openPurgeStore } from '../features/logs/purge-store.ts'
import { createLogPurges, type LogRetention } from '../features/logs/purges.ts'
import { type LogRouteParts, logRoutes } from '../features/logs/routes.ts'
import { createLogService, type LogService } from '../features/logs/service.ts'
import { createLogStat } from '../features/logs/stat.ts'
import { type LogStore, openLogStore } from '../features/logs/store.ts'
import { createLogVolume } from '../features/logs/volume.ts'
import { taskRoutes } from '../features/tasks/routes.ts'
import { createTasks } from '../features/tasks/tasks.ts'
import { isAllowedFrom } from '../gateway/auth/allowed-addresses.ts'
import type { CallerDirectory } from '../gateway/ports.ts'
import type { On } from '../http/route.ts'
import { every } from '../jobs/every.ts'
import { AppError } from '../lib/app-error.ts'
import { createEgressGuard } from '../lib/security/egress.ts'
import { openCountFile } from '../relay/sessions/count-file.ts'
import { openSessionCounts, type SessionCounts } from '../relay/sessions/session-counts.ts'
import { namesOf } from './names.ts'
import { type OrganisationReaders, openOrganisationReaders } from './organisations/organisation-readers.ts'
import type { SharedParts } from './parts.ts'

const purgeEveryMs = 15_000
const oldRowsEveryMs = 3_600_000
const trimEveryMs = 3_600_000
const askForAlertsEveryMs = 15_000

/** The log table with the sums that say where its rows are. */
export const openLogs = ({ database, logDatabase }: SharedParts): LogStore =>
  openLogStore(logDatabase, createLogDays(database))

/** The key behind a query for its log. A key that is spent or expired may still ask what became of it; a disabled one not. */
const tokenReader =
  (callers: CallerDirectory): LogRouteParts['tokenOf'] =>
  async ({ authorization = '', key, ip }) => {
    const sent = (authorization.replace(/^bearer\s+/i, '').trim() || key.trim()).replace(/^sk-/, '')
    const [bare = ''] = sent.split('-')
    if (bare === '') throw new AppError('token_missing')
    const token = await callers.byKey(bare)
    if (token?.user === undefined) throw new AppError('token_invalid')
    if (token.user.status !== userStatus.enabled) throw new AppError('user_banned')
    if (token.status === tokenStatus.disabled) throw new AppError('token_disabled')
    if (!isAllowedFrom(token, ip)) throw new AppError('ip_not_allowed', { details: { ip } })
    return { id: token.tokenId, userId: token.user.id }
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
  const purges = createLogPurges({
    store: openPurgeStore(database, logDatabase),
    audit,
    retention: retentionOf(shared),
    clock,
  })
  const failed = (error: unknown): void => log.warn('log_cleanup_failed', { error })
  const stops = [every(purgeEveryMs, purges.work, failed), every(oldRowsEveryMs, purges.askForOldRows, failed)]
  const close = async (): Promise<void> => {
    for (const stop of stops) stop()
    await purges.stop()
  }
  const clear: typeof purges.clear = async (actor, before) => {
    const total = await purges.clear(actor, before)
    void purges.work().catch(failed)
    return total
  }
  return { purges: { state: purges.state, clear }, close }
}

const joinDrawings = (
  { config, database, options }: SharedParts,
  { readsInOrganisation }: Pick<OrganisationReaders, 'readsInOrganisation'>,
): Drawings =>
  createDrawings({
    readsInOrganisation,
    store: openDrawingStore(database),
    names: namesOf(database),
    fetchPicture: createPictureFetcher(createEgressGuard({ allow: config.egressAllow })),
    forwarded: () => options.get('MjForwardUrlEnabled'),
    serverAddress: () => options.get('ServerAddress'),
  })

/** Own alerts, and on a master the rounds that look at them. Returns what ends the rounds. */
const joinAlerts = (shared: SharedParts, noticeOf: RoundParts['noticeOf'], on: On): (() => Promise<void>) => {
  const { config, database, options, audit, clock, log } = shared
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

const openCounts = ({ config, clock, bus, log }: SharedParts): SessionCounts =>
  openSessionCounts({
    clock,
    bus,
    file: openCountFile({ directory: config.dataDir, worker: config.worker, workers: config.workers, warn: log.warn }),
  })

interface LogNeeds {
  readonly store: LogStore
  readonly olderLogs: readonly OlderLogs[]
  readonly apiKeys: CallerDirectory
  readonly alertNotice: RoundParts['noticeOf']
}

/** Joins the usage log, the dashboard, and the lists of drawings and async tasks. */
export const joinLogs = (
  shared: SharedParts,
  { store, olderLogs, apiKeys, alertNotice }: LogNeeds,
  on: On,
): { drawings: Drawings; logs: LogService; sessionCounts: SessionCounts; close(): Promise<void> } => {
  const { database, options, clock } = shared
  const names = namesOf(database)
  const readers = openOrganisationReaders(database)
  const { organisationScope, organisationTasks } = readers
  const { purges, close } = joinPurges(shared)
  const joined = olderLogs.reduce((live, older) => older.joined(live), store)
  const logs = createLogService({
    store: joined,
    stat: createLogStat({ store: joined, database, clock }),
    volume: createLogVolume({ store, database, clock }),
    facet: createLogFacets({ store, database, clock, ...names }),
    retention: retentionOf(shared),
    isMoved: (days) => olderLogs.some(({ hasAllAfter }) => hasAllAfter(days)),
    clock,
    places: openLogPlaces(database),
    ...names,
  })
  logRoutes(on, {
    logs,
    exports: createLogExports(() => options.get('QuotaPerUnit')),
    purges,
    tokenOf: tokenReader(apiKeys),
  })
  const sessionCounts = openCounts(shared)
  const limitsByGroup = () => shared.relayOptions().sessionLimits
  callSessionRoutes(on, createCallSessions({ ...shared, ...names, limitsByGroup, counts: sessionCounts }))
  const figures = {
    database,
    enabled: () => options.get('DataExportEnabled'),
    refreshMinutes: () => options.get('DataExportInterval'),
    ...names,
    clock,
  }
  exploreRoutes(on, {
    report: createExplore(figures),
    events: createExploreEvents(database, names.channelNames),
    organisationScope,
  })
  dashboardRoutes(on, {
    report: createUsageReport({ store: openDashboardStore(database), ...figures }),
    data: createQuotaData(database, names.userIdOf),
    organisationScope,
  })
  const endAlerts = joinAlerts(shared, alertNotice, on)
  const trim = createSpeedTrim({ database, days: () => options.get('SpeedRetentionDays'), clock })
  const stopTrimming = every(trimEveryMs, trim, (error) => shared.log.warn('speed_cleanup_failed', { error }))
  const drawings = joinDrawings(shared, readers)
  drawingRoutes(on, drawings, organisationTasks)
  taskRoutes(on, createTasks(database, names), organisationTasks)
  return {
    drawings,
    logs,
    sessionCounts,
    close: async () => {
      stopTrimming()
      await endAlerts()
      await close()
    },
  }
}
