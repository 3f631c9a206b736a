import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type App, openApp } from './app/app.ts'
import { scheduleBackups } from './app/backups/scheduled-backups.ts'
import { monitorOnOwnPort } from './app/telemetry/monitoring.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { answerHalfClosed } from './http/connections/half-closed.ts'
import { limitUnfinishedRequests } from './http/connections/unfinished-requests.ts'
import { createGracefulShutdown } from './http/graceful-shutdown.ts'
import { collectWhenIdle } from './jobs/idle-memory.ts'
import { systemClock } from './lib/clock.ts'
import { loadEnvironmentFile } from './lib/environment-file.ts'
import { type Log, openLog } from './lib/log.ts'
import { reasonOf } from './lib/reason-of.ts'
import { SecretsError } from './lib/security/secrets.ts'
import { guardStandardStreams } from './lib/standard-output.ts'
import { type Exposition, type MonitorServer, openMonitorServer } from './telemetry/monitor-listener.ts'
import { type Checks, createChecks } from './telemetry/probes/checks.ts'

/** Calls under way get this long to end when the process is asked to stop. */
const closeTimeoutMs = 30_000
/** And those that had to be cut off then, to be written down. */
const recordMs = 5_000
/** The head of a request must have arrived by then. */
const headersTimeoutMs = 30_000
/** And all of it by then; before that a body that stalls is closed. */
const requestTimeoutMs = 3_600_000
const timeoutCheckMs = 5_000

const openLogOf = ({ debug, logDir }: Config): Log => {
  const format = process.stdout.isTTY ? 'readable' : 'json'
  try {
    return openLog({ clock: systemClock, format, debug, directory: logDir })
  } catch (error) {
    throw new ConfigError('LOG_DIR', reasonOf(error))
  }
}

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

const start = async (): Promise<void> => {
  loadEnvironmentFile()
  const config = readConfig(process.env)
  const log = openLogOf(config)
  const checks = createChecks()
  let app: App | undefined
  const monitor = await openMonitor(config, checks, () => app?.metrics)
  app = await openApp(config, log, systemClock, checks)
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
  server.on('upgrade', app.upgrade)
  const { callsOver, endSessions, close } = app
  const gracefulShutdown = createGracefulShutdown({
    server,
    callsOver,
    endSessions,
    patienceMs: closeTimeoutMs,
    recordMs,
  })

  const stopCollecting = collectWhenIdle()
  const stopBackups = scheduleBackups(config, log)
  const stop = async (): Promise<void> => {
    log.info('stopping')
    stopCollecting()
    stopBackups?.()
    checks.stopping()
    if (config.shutdownDelayMs > 0) await sleep(config.shutdownDelayMs)
    await gracefulShutdown()
    await close()
    await monitor?.close()
    await log.close()
    process.exit(0)
  }
  let stopping = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1)
      stopping = true
      void stop()
    })
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenFault(error)))
    server.listen({ port: config.port, ...(config.host === undefined ? {} : { host: config.host }) }, resolve)
  })
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : config.port
  log.info(`Tollgate listens on http://localhost:${port}`, {
    data: config.dataDir,
    database: config.database.engine,
    ...(monitor === undefined ? {} : { monitor_port: monitor.port }),
  })
}

/** What the operator can act on comes first; the stack only for unexpected faults. */
const explain = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof ConfigError || error instanceof SecretsError) return error.message
  const isSentence = /^(Cannot open |[A-Z_]+ cannot be used: |No root user can be created: )/.test(error.message)
  return isSentence ? error.message : (error.stack ?? error.message)
}

guardStandardStreams()
try {
  await start()
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exit(1)
}
