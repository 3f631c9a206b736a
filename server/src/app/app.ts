import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import type { Endpoint } from '@tollgate/contract'
import { openShippedLists } from '../billing/book/prepared-lists.ts'
import { openTokenCounter } from '../billing/counting/token-counter.ts'
import type { Config } from '../config/config.ts'
import type { Database, DatabaseAddress } from '../db/database.ts'
import { openDatabase } from '../db/engines/open.ts'
import { openCheckedSecrets } from '../db/key-proof.ts'
import { awaitMigration, migrate, migrateLogs } from '../db/migrate.ts'
import { openAudit } from '../features/audit/audit.ts'
import { openLiveDeclarations } from '../features/declared-usage/live.ts'
import { openGroups } from '../features/groups/groups.ts'
import { openOptions } from '../features/options/options.ts'
import { relayOptions } from '../features/options/relay-options.ts'
import { taskOptions } from '../features/options/task-options.ts'
import { openPriceLists } from '../features/price-lists/price-lists.ts'
import { currentPriceOptions } from '../features/pricing/current-options.ts'
import { openMadeObjects } from '../features/stored-responses/created-objects.ts'
import { openStoredObjects } from '../features/stored-responses/stored-objects.ts'
import { openStoredResponses } from '../features/stored-responses/stored-responses.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { createConsoleListener } from '../http/listener.ts'
import { every } from '../jobs/every.ts'
import { adoptJournals, journalDirectory } from '../journal/adopt-journals.ts'
import { openJournal } from '../journal/journal.ts'
import { type Epoch, openEpoch } from '../ledger/epoch/stored-epoch.ts'
import { openRedisAccounts } from '../ledger/holds/holds-redis.ts'
import { openSharedAccounts } from '../ledger/holds/shared-accounts.ts'
import { type LedgerParts, openLedger } from '../ledger/ledger.ts'
import { openRefusedStore, refusedDirectory } from '../ledger/refused/store.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { openBus } from '../lib/redis/bus.ts'
import { openSharedRedis } from '../lib/redis/redis-client.ts'
import { openSharedClock } from '../lib/redis/shared-clock.ts'
import { createEgressGuard } from '../lib/security/egress.ts'
import { threadRestMs } from '../lib/workers/request-thread.ts'
import { openSourceVersion, readPerVersion } from '../relay/plan/source-version.ts'
import { openUndiciUpstream } from '../relay/upstream/upstream-undici.ts'
import type { Exposition } from '../telemetry/monitor-listener.ts'
import { type Checks, createChecks } from '../telemetry/probes/checks.ts'
import { joinConsole } from './console.ts'
import { folderIdentity } from './neighbours/folder-identity.ts'
import { redisIdentity } from './neighbours/redis-identity.ts'
import { openNeighbours } from './neighbours/signs-of-life.ts'
import type { SharedParts } from './parts.ts'
import { costsOf, pricesOf } from './pricing/current-prices.ts'
import { joinRelay } from './relay.ts'
import { secretSources } from './rotation/secret-sources.ts'
import { monitorOnMainPort, openMonitoring } from './telemetry/monitoring.ts'
import { version } from './version.ts'
import type { PrimaryLink } from './workers/primary-link.ts'

export interface App {
  readonly listener: (request: IncomingMessage, response: ServerResponse) => void
  /** What scrapers read; undefined where nobody may. */
  readonly metrics: Exposition | undefined
  /** Every call of the console's API, as it was joined. */
  endpoints(): readonly Endpoint[]
  /** True if a request that asks for a WebSocket gets one; the listener answers the others. */
  readonly takesUpgrade: (request: IncomingMessage) => boolean
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void
  /** Ends sessions: `soon` when nothing of a response is missing, or at once. */
  endSessions(how: 'soon' | 'now'): void
  /** Compares the plans of calls with what they were made from. */
  readonly checkPlan: Gateway['checkPlan']
  /** Resolves when no call of the relay is under way, not even one whose client has left. */
  callsOver(): Promise<void>
  /** Brings what is under way into the database and lets go of everything. */
  close(): Promise<void>
}

/** Milliseconds. When the process ends, calls wait no longer than this for their tokens to be counted. */
const countingMs = 5_000

/** Remembers the start of this node among the changes: it explains a gap in the figures. */
const traceStart = ({ config, audit }: Pick<SharedParts, 'config' | 'audit'>): Promise<void> =>
  audit.record({
    actor: { id: 0, username: 'system' },
    action: 'node.started',
    object: 'node',
    objectId: config.nodeName,
    after: { version },
    ip: '',
  })

/** Opens a database, or says which variable to look at. */
const openFor = async (address: DatabaseAddress, variable: string): Promise<Database> => {
  try {
    return await openDatabase({ ...address, readersLater: true })
  } catch (cause) {
    const places = address.engine === 'sqlite' ? `${variable}, DATA_DIR and SQLITE_PATH` : variable
    throw new Error(`${cause instanceof Error ? cause.message : cause}; check ${places}.`, { cause })
  }
}

const openDatabases = async (
  config: Config,
  { warn }: Pick<Log, 'warn'>,
): Promise<{ database: Database; logDatabase: Database }> => {
  const database = await openFor(config.database, 'SQL_DSN')
  const logDatabase = config.logDatabase === undefined ? database : await openFor(config.logDatabase, 'LOG_SQL_DSN')
  await (config.isSlave ? awaitMigration(database) : migrate(database, warn))
  if (!config.isSlave && logDatabase !== database) await migrateLogs(logDatabase)
  return { database, logDatabase }
}

type Warn = (message: string, fields?: Readonly<Record<string, unknown>>) => void

/** Balances and reservations that several nodes, or several workers, share; undefined where this process is alone. */
const sharedAccounts = (
  { redis: url, nodeName }: Config,
  primary: PrimaryLink | undefined,
  shared: { epoch: Epoch; warn: Warn },
): LedgerParts['openAccounts'] => {
  if (url !== undefined) return (parts) => openRedisAccounts({ ...parts, ...shared, url, nodeName })
  if (primary === undefined) return undefined
  return (parts) => openSharedAccounts({ ...parts, ...shared, nodeName, openStore: primary.openStore })
}

/** Builds the parts and joins them: the one place that knows all names. */
export const openApp = async (
  config: Config,
  log: Log,
  {
    clock = systemClock,
    checks = createChecks(),
    primary,
  }: { readonly clock?: Clock; readonly checks?: Checks; readonly primary?: PrimaryLink } = {},
): Promise<App> => {
  const { database, logDatabase } = await openDatabases(config, log)
  const secrets = await openCheckedSecrets(database, secretSources(config))
  const bus = openBus({ redis: config.redis, openLink: primary?.openBusLink, nodeName: config.nodeName, log })
  const epoch = await openEpoch(database)
  const redis =
    config.redis === undefined ? undefined : await openSharedRedis({ url: config.redis, epoch: () => epoch.name, log })
  const sharedClock = redis && (await openSharedClock(redis, clock))
  const audit = openAudit(database, clock)
  const options = await openOptions({
    database,
    secrets,
    bus,
    log,
    syncFrequencyMs: config.syncFrequencyMs,
    audit: audit.record,
  })
  const sources = openSourceVersion()
  options.subscribe(sources.bump)
  const warn: Warn = (message, fields) => log.warn(message, fields)
  if (config.worker === 1) await adoptJournals({ dataDir: config.dataDir, workers: config.workers, warn })
  const journal = await openJournal({
    directory: journalDirectory(config.dataDir, config.worker),
    sync: config.journalSync,
    warn,
  })
  const ledger = await openLedger({
    database,
    logDatabase,
    journal,
    options: {
      logConsume: () => options.get('LogConsumeEnabled'),
      logErrors: () => options.get('ErrorLogEnabled'),
      hourly: () => options.get('DataExportEnabled'),
    },
    warn,
    error: (event, fields) => log.error(event, fields),
    refused: openRefusedStore(join(config.dataDir, refusedDirectory)),
    openAccounts: sharedAccounts(config, primary, { epoch, warn }),
    mostWaiting: config.maxWaitingRecords,
  })
  const groups = openGroups({ ratios: () => options.get('GroupRatio'), usable: () => options.get('UserUsableGroups') })
  const operatorEgress = createEgressGuard({ allow: config.egressAllow, operator: true })
  const upstream = openUndiciUpstream({ egress: operatorEgress })
  const counter = openTokenCounter({ restMs: threadRestMs() })
  const storedResponses = openStoredResponses({
    database,
    secrets,
    clock,
    warn: (message, error) => warn(message, { error }),
  })
  const storedObjects = openStoredObjects({
    database,
    secrets,
    bus,
    clock,
    warn: (message, error) => warn(message, { error }),
  })
  const madeObjects = openMadeObjects({
    database,
    secrets,
    clock,
    warn: (message, error) => warn(message, { error }),
  })
  const priceLists = await openPriceLists({
    database,
    bus,
    log,
    clock,
    syncFrequencyMs: config.syncFrequencyMs,
    isSlave: config.isSlave,
    audit: audit.record,
    shipped: await openShippedLists(),
    changed: sources.bump,
  })
  const declarations = await openLiveDeclarations({
    database,
    bus,
    log,
    syncFrequencyMs: config.syncFrequencyMs,
    replaced: sources.bump,
  })
  const presentPriceOptions = currentPriceOptions({
    options: options.snapshot,
    list: priceLists.book,
    declared: declarations.present,
  })
  const priceOptions = readPerVersion(sources, presentPriceOptions)
  const presentOptions = relayOptions(options.snapshot)
  const folder = folderIdentity(config.dataDir)
  const neighbours = await openNeighbours({
    database,
    log,
    nodeName: config.nodeName,
    store: redis === undefined ? () => folder : redisIdentity(redis),
  })
  const shared: SharedParts = {
    config,
    log,
    clock,
    database,
    logDatabase,
    secrets,
    bus,
    redis,
    countingClock: sharedClock?.now ?? clock,
    primary,
    audit,
    options,
    groups,
    sources,
    ledger,
    prices: pricesOf(priceOptions),
    costs: costsOf(priceOptions),
    priceOptions,
    declarations,
    priceLists,
    relayOptions: readPerVersion(sources, presentOptions),
    present: { options: presentOptions, prices: pricesOf(presentPriceOptions) },
    upstream,
    counter,
    storedResponses,
    storedObjects,
    madeObjects,
    taskOptions: readPerVersion(sources, taskOptions(options.snapshot)),
    operatorEgress,
    neighbours,
  }
  const monitoring = await openMonitoring(shared, journal, checks)
  const consoleApp = await joinConsole(shared, monitoring)
  const gateway = joinRelay(shared, consoleApp, monitoring)
  const { channels, avoidedModels } = consoleApp
  monitoring.watch({ running: () => gateway.running, channels, avoidedModels })
  const monitor = monitorOnMainPort(config, checks, () => monitoring.exposition)
  const consoleListener = createConsoleListener({ ...consoleApp, served: consoleApp.modules.served })
  const stopSync = every(
    config.syncFrequencyMs,
    () => consoleApp.channels.refresh(),
    (error) => warn('channel_reload_failed', { error }),
  )

  await traceStart(shared).catch((error: unknown) => warn('audit_entry_lost', { error }))
  const stopResponseCleanup = every(
    86_400_000,
    () => Promise.all([storedResponses.purge(), storedObjects.purge(), madeObjects.purge()]).then(() => undefined),
    (error) => log.warn('stored_response_cleanup_failed', { error }),
  )

  for (const opened of [database, logDatabase]) opened.startReading?.()
  checks.started(monitoring.checks())
  return {
    listener(request, response) {
      if (gateway.handle(request, response) || monitor(request, response)) return
      consoleListener(request, response)
    },
    metrics: monitoring.exposition,
    endpoints: consoleApp.api.endpoints,
    takesUpgrade: gateway.takesUpgrade,
    upgrade: gateway.upgrade,
    endSessions(how) {
      counter.hurry(how === 'soon' ? countingMs : 0)
      gateway.endSessions(how)
    },
    checkPlan: gateway.checkPlan,
    callsOver: gateway.over,
    async close() {
      stopSync()
      await gateway.close()
      await monitoring.close()
      await ledger.flush()
      await ledger.close()
      await consoleApp.close()
      await journal.close()
      await counter.close()
      await storedResponses.close()
      await storedObjects.close()
      await madeObjects.close()
      stopResponseCleanup()
      await upstream.close()
      await neighbours.close()
      options.close()
      priceLists.close()
      declarations.close()
      await bus.close()
      sharedClock?.close()
      redis?.close()
      if (logDatabase !== database) await logDatabase.close()
      await database.close()
    },
  }
}
