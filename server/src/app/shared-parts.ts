import { openTokenCounter } from '../billing/counting/token-counter.ts'
import type { Config } from '../config/config.ts'
import { openCheckedSecrets } from '../db/key-proof.ts'
import { openDatabases } from '../db/open-databases.ts'
import { openAudit } from '../features/audit/audit.ts'
import { openGroups } from '../features/groups/groups.ts'
import { joinKeptFiles } from '../features/kept-files/join.ts'
import { openOptions } from '../features/options/options.ts'
import { joinStoredResponses } from '../features/stored-responses/join.ts'
import { openJobParts } from '../jobs/job-ends.ts'
import { openEpoch } from '../ledger/epoch/stored-epoch.ts'
import { type JournaledLedger, openJournaledLedger } from '../ledger/journaled-ledger.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { openBus } from '../lib/redis/bus.ts'
import { openSharedRedis } from '../lib/redis/redis-client.ts'
import { openSharedClock } from '../lib/redis/shared-clock.ts'
import { createEgressGuard } from '../lib/security/egress.ts'
import { threadRestMs } from '../lib/workers/request-thread.ts'
import { openNeighbours } from '../neighbours/signs-of-life.ts'
import { storeIdentity } from '../neighbours/store-identity.ts'
import { openSourceVersion } from '../relay/plan/source-version.ts'
import { openUndiciUpstream } from '../relay/upstream/upstream-undici.ts'
import { secretSources } from '../rotation/with-secrets.ts'
import type { PrimaryLink } from '../workers/primary-link.ts'
import type { SharedParts } from './parts.ts'
import { openPrices } from './shared-prices.ts'

export interface OpenedParts {
  readonly shared: SharedParts
  readonly journal: JournaledLedger['journal']
  /** Counts tokens of waiting calls no longer than so many milliseconds. */
  hurryCounting(ms: number): void
  /** Lets go of everything but the ledger, which is closed before. */
  close(): Promise<void>
}

/** Opens the parts that the relay and the console stand on, in the order in which they need each other. */
export const openSharedParts = async (
  config: Config,
  log: Log,
  { clock, primary }: { readonly clock: Clock; readonly primary: PrimaryLink | undefined },
): Promise<OpenedParts> => {
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
    basePath: config.basePath,
    audit: audit.record,
  })
  const sources = openSourceVersion()
  options.subscribe(sources.bump)
  const base = { config, log, clock, database, logDatabase, secrets, bus, primary, audit, options, sources }
  const { journal, ledger } = await openJournaledLedger({
    ...base,
    epoch,
    options: {
      logConsume: () => options.get('LogConsumeEnabled'),
      logErrors: () => options.get('ErrorLogEnabled'),
      hourly: () => options.get('DataExportEnabled'),
    },
  })
  const groups = openGroups({ ratios: () => options.get('GroupRatio'), usable: () => options.get('UserUsableGroups') })
  const operatorEgress = createEgressGuard({ allow: config.egressAllow, operator: true })
  const upstream = openUndiciUpstream({ egress: operatorEgress })
  const counter = openTokenCounter({ restMs: threadRestMs() })
  const { close: closeStored, ...stored } = joinStoredResponses(base)
  const { close: closeFiles, keptFiles } = joinKeptFiles(base)
  const prices = await openPrices(base)
  const neighbours = await openNeighbours({
    database,
    log,
    nodeName: config.nodeName,
    store: storeIdentity(redis, config.dataDir),
  })
  return {
    shared: {
      ...base,
      ...stored,
      keptFiles,
      ...openJobParts({ secrets, serverAddress: () => options.get('ServerAddress') }),
      ...prices,
      redis,
      countingClock: sharedClock?.now ?? clock,
      groups,
      ledger,
      upstream,
      counter,
      operatorEgress,
      neighbours,
    },
    journal,
    hurryCounting: counter.hurry,
    async close() {
      await journal.close()
      await counter.close()
      await closeStored()
      await closeFiles()
      await upstream.close()
      await neighbours.close()
      options.close()
      prices.priceLists.close()
      prices.declarations.close()
      await bus.close()
      sharedClock?.close()
      redis?.close()
      if (logDatabase !== database) await logDatabase.close()
      await database.close()
    },
  }
}
