import cluster from 'node:cluster'
import { type Config, ConfigError, readConfig } from './config/config.ts'
import { systemClock } from './lib/clock.ts'
import { loadEnvironmentFile } from './lib/environment-file.ts'
import { type Log, openLog } from './lib/log.ts'
import { reasonOf } from './lib/reason-of.ts'
import { SecretsError } from './lib/security/secrets.ts'
import { guardStandardStreams } from './lib/standard-output.ts'
import { workerVariable } from './lib/workers/worker-variable.ts'

const openLogOf = ({ debug, logDir }: Config): Log => {
  const format = process.stdout.isTTY ? 'readable' : 'json'
  try {
    return openLog({ clock: systemClock, format, debug, directory: logDir })
  } catch (error) {
    throw new ConfigError('LOG_DIR', reasonOf(error))
  }
}

const workerNumber = (): number => (cluster.isWorker ? Number(process.env[workerVariable]) : 1)

/** One process does everything, or one supervises and `WORKERS` others serve. Each loads only what it needs. */
const start = async (): Promise<void> => {
  loadEnvironmentFile()
  const config = readConfig(process.env, workerNumber())
  const log = openLogOf(config)
  if (cluster.isWorker) {
    const [{ serve }, { openPrimaryLink }] = await Promise.all([
      import('./serve.ts'),
      import('./workers/primary-link.ts'),
    ])
    await serve(config, log, openPrimaryLink())
  } else if (config.workers > 1) {
    const { superviseWorkers } = await import('./workers/supervise-workers.ts')
    await superviseWorkers(config, log, import.meta.filename)
  } else {
    const { serve } = await import('./serve.ts')
    await serve(config, log)
  }
}

/** Text of a failed start: a message that the operator can act on; the stack only for unexpected faults. */
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
