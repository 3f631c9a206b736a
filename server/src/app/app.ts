import type { Endpoint } from '@tollgate/contract'
import type { Config } from '../config/config.ts'
import { version } from '../config/version.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { atBasePath, type RequestListeners } from '../http/connections/at-base-path.ts'
import { createConsoleListener } from '../http/listener.ts'
import { every } from '../jobs/every.ts'
import { type Clock, systemClock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Exposition } from '../telemetry/monitor-listener.ts'
import { monitorOnMainPort, openMonitoring } from '../telemetry/monitoring.ts'
import { type Checks, createChecks } from '../telemetry/probes/checks.ts'
import type { PrimaryLink } from '../workers/primary-link.ts'
import { joinConsole } from './console.ts'
import type { SharedParts } from './parts.ts'
import { joinRelay } from './relay.ts'
import { openSharedParts } from './shared-parts.ts'

export interface App extends RequestListeners {
  /** Metrics for scrapers; undefined if none may read them. */
  readonly metrics: Exposition | undefined
  /** Every call of the console's API, as it was joined. */
  endpoints(): readonly Endpoint[]
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

/** Builds the parts and joins them. */
export const openApp = async (
  config: Config,
  log: Log,
  {
    clock = systemClock,
    checks = createChecks(),
    primary,
  }: { readonly clock?: Clock; readonly checks?: Checks; readonly primary?: PrimaryLink } = {},
): Promise<App> => {
  const { shared, journal, hurryCounting, close } = await openSharedParts(config, log, { clock, primary })
  const { database, logDatabase, ledger } = shared
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
    (error) => log.warn('channel_reload_failed', { error }),
  )

  await traceStart(shared).catch((error: unknown) => log.warn('audit_entry_lost', { error }))
  for (const opened of [database, logDatabase]) opened.startReading?.()
  checks.started(monitoring.checks())
  const atRoot: RequestListeners = {
    listener(request, response) {
      if (gateway.handle(request, response) || monitor(request, response)) return
      consoleListener(request, response)
    },
    takesUpgrade: gateway.takesUpgrade,
    upgrade: gateway.upgrade,
  }
  return {
    ...(config.basePath === '' ? atRoot : atBasePath(config.basePath, atRoot)),
    metrics: monitoring.exposition,
    endpoints: consoleApp.api.endpoints,
    endSessions(how) {
      hurryCounting(how === 'soon' ? countingMs : 0)
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
      await close()
    },
  }
}
