import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type App, openApp } from './app/app.ts'
import { type Config, ConfigError } from './config/config.ts'
import { spreadEvenly } from './http/connections/even-share.ts'
import { answerHalfClosed } from './http/connections/half-closed.ts'
import { limitUnfinishedRequests } from './http/connections/unfinished-requests.ts'
import { createGracefulShutdown } from './http/graceful-shutdown.ts'
import { collectWhenIdle } from './jobs/idle-memory.ts'
import { systemClock } from './lib/clock.ts'
import type { Log } from './lib/log.ts'
import { reasonOf } from './lib/reason-of.ts'
import { type Exposition, type MonitorServer, openMonitorServer } from './telemetry/monitor-listener.ts'
import { monitorOnOwnPort } from './telemetry/monitoring.ts'
import { type Checks, createChecks } from './telemetry/probes/checks.ts'
import type { PrimaryLink } from './workers/primary-link.ts'

/** Calls under way get this long to end when the process is asked to stop. */
const closeTimeoutMs = 30_000
/** And those that had to be cut off then, to be written down. */
const recordMs = 5_000
/** The head of a request must have arrived by then. */
const headersTimeoutMs = 30_000
/** And all of it by then; before that a body that stalls is closed. */
const requestTimeoutMs = 3_600_000
const timeoutCheckMs = 5_000
/** How often workers compare how many connections they have. */
const compareConnectionsMs = 1_000

const listenFault = (error: NodeJS.ErrnoException): Error => {
  if (error.code === 'EADDRINUSE') return new ConfigError('PORT', 'the port is taken; choose another')
  if (error.code === 'EACCES') return new ConfigError('PORT', 'the port needs more rights; choose another')
  return new ConfigError('HOST', error.message)
}

/** The port of its own for probes and metrics, where one is set. */
const openMonitor = async (
  config: Config,
  checks: Checks,
  metrics: () => Exposition | undefined,
): Promise<MonitorServer | undefined> => {
  const { monitorPort: port, monitorHost: host } = config
  if (port === undefined) return undefined
  try {
    return await openMonitorServer(monitorOnOwnPort(config, checks, metrics), { port, host })
  } catch (error) {
    throw new ConfigError('MONITOR_PORT', reasonOf(error))
  }
}

/** The first request to stop is gentle; a second signal ends the process at once. */
const onStopRequest = (stop: () => Promise<void>, primary: PrimaryLink | undefined): void => {
  let stopping = false
  const stopOnce = (): void => {
    if (!stopping) void stop()
    stopping = true
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      // A terminal and systemd send signals to every process of the group; the primary decides about the second one.
      if (stopping && primary === undefined) process.exit(1)
      stopOnce()
    })
  }
  primary?.onStop(stopOnce)
}

/** Serves the relay and the console in this process, until it is asked to stop. `primary` in a worker. */
export const serve = async (config: Config, log: Log, primary?: PrimaryLink): Promise<void> => {
  const checks = createChecks()
  let app: App | undefined
  const monitor = await openMonitor(config, checks, () => app?.metrics)
  app = await openApp(config, log, { checks, ...(primary === undefined ? {} : { primary }) })
  const server = createServer(
    {
      keepAliveTimeout: 75_000,
      requestTimeout: requestTimeoutMs,
      headersTimeout: headersTimeoutMs,
      connectionsCheckingInterval: timeoutCheckMs,
      shouldUpgradeCallback: app.takesUpgrade,
    },
    app.listener,
  )
  answerHalfClosed(server)
  limitUnfinishedRequests({
    server,
    clock: systemClock,
    mostPerAddress: config.unfinishedRequestsPerAddress,
    trustedProxies: config.trustedProxies,
  })
  if (primary !== undefined) {
    spreadEvenly({ server, averageOf: primary.averageConnections, intervalMs: compareConnectionsMs })
  }
  server.on('upgrade', app.upgrade)
  const { callsOver, endSessions, close } = app
  const shutdown = createGracefulShutdown({
    server,
    callsOver,
    endSessions,
    patienceMs: closeTimeoutMs,
    recordMs,
  })

  const stopCollecting = collectWhenIdle()
  const stop = async (): Promise<void> => {
    log.info('stopping')
    stopCollecting()
    checks.stopping()
    shutdown.announce()
    if (config.shutdownDelayMs > 0) await sleep(config.shutdownDelayMs)
    await shutdown.close()
    await close()
    await monitor?.close()
    await log.close()
    primary?.close()
    process.exit(0)
  }
  onStopRequest(stop, primary)

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenFault(error)))
    server.listen({ port: config.port, ...(config.host === undefined ? {} : { host: config.host }) }, resolve)
  })
  primary?.serving()
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : config.port
  log.info(`Tollgate listens on http://localhost:${port}`, {
    data: config.dataDir,
    database: config.database.engine,
    ...(primary === undefined ? {} : { worker: config.worker }),
    ...(monitor === undefined ? {} : { monitor_port: monitor.port }),
  })
}
