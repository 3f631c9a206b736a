import { availableParallelism, hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { moduleVariables } from '@tollgate/contract/modules/modules'
import type { DatabaseAddress } from '../db/database.ts'
import type { JournalSync } from '../journal/sync-pace.ts'
import type { OtelSettings } from '../telemetry/otel/otel.ts'
import { ConfigError, type Environment, type EnvironmentReader, readerOf } from './environment.ts'
import { otelSettings } from './otel-settings.ts'
import { basePath, hostsAndNetworks, nameServers, networks, placeOfFiles, ports, secret } from './values.ts'

export { ConfigError } from './environment.ts'

/** How many requests one address may send in a window. */
export interface AddressLimit {
  readonly enabled: boolean
  readonly count: number
  readonly seconds: number
}

/** Everything the environment decides, parsed once. Times are milliseconds unless the name says otherwise. */
export interface Config {
  readonly port: number
  /** undefined listens on every address. */
  readonly host: string | undefined
  /** Path below which the site is reached, e.g. `/gw`; empty for the root of its host. */
  readonly basePath: string
  readonly dataDir: string
  /** undefined logs to the standard output only. */
  readonly logDir: string | undefined
  readonly database: DatabaseAddress
  /** Address of the log database, if logs are not in the main one. */
  readonly logDatabase: DatabaseAddress | undefined
  /** When a finished call counts as written: `off` when the kernel has it, otherwise when the disk has it. */
  readonly journalSync: JournalSync
  readonly redis: string | undefined
  readonly cryptoSecret: string | undefined
  /** Decrypt what is stored, and encrypt nothing. */
  readonly previousSecrets: readonly string[]
  readonly initialRootPassword: string | undefined
  readonly allowDefaultPassword: boolean
  /** Addresses (CIDR) whose forwarding headers are trusted. */
  readonly trustedProxies: readonly string[]
  /** Hosts and CIDRs that the egress guard lets through although they are private. */
  readonly egressAllow: readonly string[]
  /** Servers that are asked for the DNS of domains; those of the system where there are none. */
  readonly dnsServers: readonly string[]
  /** Ports that webhooks may name besides 80 and 443. */
  readonly webhookPorts: readonly number[]
  /** Address at which tokens of the human check are verified. */
  readonly turnstileVerifyUrl: string
  readonly nodeName: string
  /** Processes that serve; one of them where it is 1. */
  readonly workers: number
  /** Which of them this is, from 1. What a node does once is done by the first. */
  readonly worker: number
  /** True if NODE_TYPE leaves the first start and the console's pages to another node. */
  readonly nodeIsSlave: boolean
  /** True if another process does the work that a site does once: NODE_TYPE says so, or this is not the first worker. */
  readonly isSlave: boolean
  /** The address to which a slave node sends browsers. */
  readonly frontendBaseUrl: string | undefined
  readonly syncFrequencyMs: number
  readonly timeouts: {
    readonly connect: number
    /** Until the head of the answer; long, because reasoning models think before they speak. */
    readonly firstByte: number
    /** Between chunks of a stream. */
    readonly streamIdle: number
    readonly keepAliveComment: number
  }
  readonly forceStreamOption: boolean
  readonly maxRequestBytes: number
  /** Requests that one address may leave unfinished for longer than five seconds; 0 for any number. */
  readonly unfinishedRequestsPerAddress: number
  /** Finished calls that may wait for the database before new ones are refused. */
  readonly maxWaitingRecords: number
  readonly maxResponseBytes: number
  readonly maxFileDownloadBytes: number
  readonly azureApiVersion: string
  /** Minutes between tests of all channels and updates of all balances; undefined for none. */
  readonly channelTestMinutes: number | undefined
  readonly channelUpdateMinutes: number | undefined
  /** Between channels while all are tested or asked. */
  readonly pollingIntervalMs: number
  /** True if upstreams are asked after drawing and music tasks. */
  readonly updateTasks: boolean
  readonly generateDefaultToken: boolean
  readonly rateLimits: { readonly api: AddressLimit; readonly web: AddressLimit }
  /** At most `count` notices of the same kind to the super admin in `seconds`. */
  readonly noticeLimit: { readonly count: number; readonly seconds: number }
  /** Access to `/metrics` on the port of the relay; closed if neither is set. */
  readonly metrics: {
    readonly token: string | undefined
    readonly allow: readonly string[]
    /** Models, and channels, that have series of their own. */
    readonly mostNames: number
  }
  /** Texts of the variables that modules read, by name. */
  readonly ofModules: Readonly<Record<string, string | undefined>>
  /** Folder or `s3://bucket/prefix` with the bytes of new files; undefined for the database. */
  readonly filesTo: string | undefined
  readonly backups: {
    /** A folder, or `s3://bucket/prefix`; undefined for no backups by themselves. */
    readonly to: string | undefined
    readonly everyHours: number
    /** How many are kept; undefined for all. */
    readonly keep: number | undefined
    /** Public keys of age; none where they are not encrypted for keys. */
    readonly recipients: readonly string[]
    readonly passphraseFile: string | undefined
  }
  /** A port of its own for probes and metrics; undefined for none. */
  readonly monitorPort: number | undefined
  /** undefined listens on every address. */
  readonly monitorHost: string | undefined
  /** Destination of traces, metrics and logs; undefined for none. */
  readonly otel: OtelSettings | undefined
  /** Between the signal to stop, from which on `/readyz` fails, and the end of listening. */
  readonly shutdownDelayMs: number
  readonly debug: boolean
}

const journalSyncs: readonly JournalSync[] = ['off', 'group', 'always']

const journalSync = (name: string, text: string = 'group'): JournalSync => {
  const found = journalSyncs.find((value) => value === text)
  if (found === undefined) throw new ConfigError(name, `"${text}" is none of ${journalSyncs.join(', ')}`)
  return found
}

const isSlave = (name: string, written: string | undefined): boolean => {
  if (written !== undefined && written !== 'master' && written !== 'slave') {
    throw new ConfigError(name, `"${written}" is neither master nor slave`)
  }
  return written === 'slave'
}

const mostWorkers = 64

const workerCount = (env: EnvironmentReader): number =>
  env.text('WORKERS') === 'auto'
    ? Math.min(availableParallelism(), mostWorkers)
    : env.number('WORKERS', 1, 1, mostWorkers)

const seconds = 1000
const megabyte = 1024 * 1024
const day = 24 * 60 * 60

/** The name of a worker among the nodes; the first one has that of its node. */
export const nodeNameOf = (nodeName: string, worker: number): string =>
  worker === 1 ? nodeName : `${nodeName}/${worker}`

/**
 * Reads the environment (plus our own names).
 * @param worker Which of the processes that serve this one is, from 1.
 * @throws ConfigError with a sentence that names the variable.
 */
export const readConfig = (environment: Environment, worker = 1): Config => {
  const env = readerOf(environment)
  const dataDir = resolve(env.text('DATA_DIR') ?? 'data')
  const sqlitePath = (env.text('SQLITE_PATH') ?? join(dataDir, 'tollgate.db')).replace(/\?.*$/, '')
  const sync = journalSync('JOURNAL_SYNC', env.text('JOURNAL_SYNC'))
  const workers = workerCount(env)
  const isFirst = worker === 1
  const nodeName = env.text('NODE_NAME') ?? hostname()
  const nodeIsSlave = isSlave('NODE_TYPE', env.text('NODE_TYPE'))
  const frontendBaseUrl = env.url('FRONTEND_BASE_URL', ['http', 'https'])
  const connections = env.number('SQL_MAX_OPEN_CONNS', 20, 1, 1000)
  // A segment of the journal goes when the database has its records, so the database must not have them in memory only.
  const needs = { pool: Math.max(Math.ceil(connections / workers), Math.min(connections, 2)), durable: sync !== 'off' }
  const logDsn = env.text('LOG_SQL_DSN')
  const logDir = environment.LOG_DIR
  const minutes = (name: string): number | undefined =>
    env.text(name) === undefined ? undefined : env.number(name, 0, 1, 43_200)
  const limit = (name: string, count: number): AddressLimit => ({
    enabled: env.flag(`${name}_ENABLE`, true),
    count: env.number(name, count, 1, 1_000_000),
    seconds: env.number(`${name}_DURATION`, 180, 1, day),
  })
  return {
    port: env.number('PORT', 3000, 0, 65_535),
    host: env.text('HOST'),
    basePath: basePath('BASE_PATH', env.text('BASE_PATH')),
    dataDir,
    logDir: logDir?.trim() ? resolve(logDir.trim()) : undefined,
    database: env.database('SQL_DSN', env.text('SQL_DSN'), sqlitePath, needs),
    logDatabase:
      logDsn === undefined ? undefined : env.database('LOG_SQL_DSN', logDsn, join(dataDir, 'tollgate-log.db'), needs),
    journalSync: sync,
    redis: env.url('REDIS_CONN_STRING', ['redis', 'rediss']),
    cryptoSecret:
      secret('CRYPTO_SECRET', env.text('CRYPTO_SECRET')) ?? secret('SESSION_SECRET', env.text('SESSION_SECRET')),
    previousSecrets: env.lines('CRYPTO_SECRET_PREVIOUS'),
    initialRootPassword: env.text('INITIAL_ROOT_PASSWORD'),
    allowDefaultPassword: env.flag('ALLOW_DEFAULT_PASSWORD', false),
    trustedProxies: networks('TRUSTED_PROXIES', env.list('TRUSTED_PROXIES')),
    dnsServers: nameServers('DNS_SERVERS', env.list('DNS_SERVERS')),
    webhookPorts: ports('WEBHOOK_PORTS', env.list('WEBHOOK_PORTS')),
    egressAllow: hostsAndNetworks('EGRESS_ALLOW', env.list('EGRESS_ALLOW')),
    turnstileVerifyUrl:
      env.url('TURNSTILE_VERIFY_URL', ['http', 'https']) ?? 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    nodeName: nodeNameOf(nodeName, worker),
    workers,
    worker,
    nodeIsSlave,
    isSlave: nodeIsSlave || !isFirst,
    frontendBaseUrl: nodeIsSlave ? frontendBaseUrl : undefined,
    syncFrequencyMs: env.number('SYNC_FREQUENCY', 60, 1, day) * seconds,
    timeouts: {
      connect: env.number('CONNECT_TIMEOUT', 10, 1, 600) * seconds,
      firstByte: env.number('RELAY_TIMEOUT', 600, 0, day) * seconds,
      streamIdle: env.number('STREAMING_TIMEOUT', 60, 1, day) * seconds,
      keepAliveComment: env.number('KEEP_ALIVE_COMMENT', 15, 0, 600) * seconds,
    },
    forceStreamOption: env.flag('FORCE_STREAM_OPTION', true),
    maxRequestBytes: env.number('MAX_REQUEST_MB', 64, 1, 2000) * megabyte,
    unfinishedRequestsPerAddress: env.number('UNFINISHED_REQUESTS_PER_ADDRESS', 64, 0, 1_000_000),
    maxWaitingRecords: env.number('MAX_WAITING_RECORDS', 100_000, 1, 10_000_000),
    maxResponseBytes: env.number('MAX_RESPONSE_MB', 256, 1, 2000) * megabyte,
    maxFileDownloadBytes: env.number('MAX_FILE_DOWNLOAD_MB', 20, 1, 2000) * megabyte,
    channelTestMinutes: minutes('CHANNEL_TEST_FREQUENCY'),
    channelUpdateMinutes: minutes('CHANNEL_UPDATE_FREQUENCY'),
    pollingIntervalMs: env.number('POLLING_INTERVAL', 0, 0, 3600) * seconds,
    updateTasks: env.flag('UPDATE_TASK', true),
    azureApiVersion: env.text('AZURE_DEFAULT_API_VERSION') ?? '2024-12-01-preview',
    generateDefaultToken: env.flag('GENERATE_DEFAULT_TOKEN', false),
    rateLimits: { api: limit('GLOBAL_API_RATE_LIMIT', 180), web: limit('GLOBAL_WEB_RATE_LIMIT', 60) },
    noticeLimit: {
      count: env.number('NOTIFY_LIMIT_COUNT', 2, 1, 1_000_000),
      seconds: env.number('NOTIFICATION_LIMIT_DURATION_MINUTE', 10, 1, 1_000_000) * 60,
    },
    metrics: {
      token: secret('METRICS_TOKEN', env.text('METRICS_TOKEN')),
      allow: networks('METRICS_ALLOW', env.list('METRICS_ALLOW')),
      mostNames: env.number('METRICS_NAMES', 50, 1, 1000),
    },
    ofModules: Object.fromEntries(moduleVariables.map((name) => [name, env.text(name)])),
    filesTo: placeOfFiles('FILES_TO', env.text('FILES_TO')),
    backups: {
      to: env.text('BACKUP_TO'),
      everyHours: env.number('BACKUP_EVERY_HOURS', 24, 1, 8760),
      keep: env.text('BACKUP_KEEP') === undefined ? undefined : env.number('BACKUP_KEEP', 0, 1, 10_000),
      recipients: env.list('BACKUP_RECIPIENTS'),
      passphraseFile: env.text('BACKUP_PASSPHRASE_FILE'),
    },
    monitorPort: env.text('MONITOR_PORT') === undefined ? undefined : env.number('MONITOR_PORT', 0, 0, 65_535),
    monitorHost: env.text('MONITOR_HOST'),
    otel: otelSettings(env),
    shutdownDelayMs: env.number('SHUTDOWN_DELAY', 0, 0, 600) * seconds,
    debug: env.flag('DEBUG', false),
  }
}
