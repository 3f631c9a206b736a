import { isIP } from 'node:net'
import { availableParallelism, hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { ownMember } from '@tollgate/contract/own-member'
import type { DatabaseAddress } from './db/database.ts'
import { parseDatabaseAddress } from './db/engines/address.ts'
import type { JournalSync } from './journal/sync-pace.ts'
import { isAddressOrNetwork } from './lib/security/address-list.ts'
import type { OtelSettings } from './telemetry/otel/otel.ts'

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
  readonly dataDir: string
  /** undefined logs to the standard output only. */
  readonly logDir: string | undefined
  readonly database: DatabaseAddress
  /** Where logs live when not in the main database. */
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
  /** Where tokens of the human check are verified. */
  readonly turnstileVerifyUrl: string
  readonly nodeName: string
  /** Processes that serve; one of them where it is 1. */
  readonly workers: number
  /** Which of them this is, from 1. What a node does once is done by the first. */
  readonly worker: number
  /** Whether NODE_TYPE leaves the first start and the console's pages to another node. */
  readonly nodeIsSlave: boolean
  /** Whether another process does what is done once: NODE_TYPE says so, or this is not the first worker. */
  readonly isSlave: boolean
  /** Where a slave sends browsers. */
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
  /** Whether upstreams are asked after drawing and music tasks. */
  readonly updateTasks: boolean
  readonly generateDefaultToken: boolean
  readonly rateLimits: { readonly api: AddressLimit; readonly web: AddressLimit }
  /** At most `count` notices of the same kind to the super admin in `seconds`. */
  readonly noticeLimit: { readonly count: number; readonly seconds: number }
  /** Who may read `/metrics` on the port of the relay; nobody with neither. */
  readonly metrics: {
    readonly token: string | undefined
    readonly allow: readonly string[]
    /** Models, and channels, that have series of their own. */
    readonly mostNames: number
  }
  /** Where months of the log are archived: a folder, or `s3://bucket/prefix`. */
  readonly logArchiveTo: string
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
  /** Where traces, metrics and logs are sent; undefined for nowhere. */
  readonly otel: OtelSettings | undefined
  /** Between the signal to stop, from which on `/readyz` fails, and the end of listening. */
  readonly shutdownDelayMs: number
  readonly debug: boolean
}

/** Says in one sentence which variable cannot be used and why; the start stops with it. */
export class ConfigError extends Error {
  constructor(name: string, reason: string) {
    super(`${name} cannot be used: ${reason}.`)
    this.name = 'ConfigError'
  }
}

/** What servers (`pool`) and SQLite files (`durable`) are opened with. */
interface DatabaseNeeds {
  readonly pool: number
  readonly durable: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

const flagWords: Readonly<Record<string, boolean>> = {
  '1': true,
  t: true,
  true: true,
  '0': false,
  f: false,
  false: false,
}

const readerOf = (environment: Environment) => {
  const text = (name: string): string | undefined => ownMember(environment, name)?.trim() || undefined

  const number = (name: string, fallback: number, min: number, max: number): number => {
    const written = text(name)
    if (written === undefined) return fallback
    const value = Number(written)
    if (!Number.isInteger(value)) throw new ConfigError(name, `"${written}" is not a whole number`)
    if (value < min || value > max) throw new ConfigError(name, `${written} is not between ${min} and ${max}`)
    return value
  }

  const flag = (name: string, fallback: boolean): boolean => {
    const written = text(name)
    if (written === undefined) return fallback
    const value = ownMember(flagWords, written.toLowerCase())
    if (value === undefined) throw new ConfigError(name, `"${written}" is neither true nor false`)
    return value
  }

  const list = (name: string): string[] =>
    (text(name) ?? '')
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')

  const lines = (name: string): string[] =>
    (text(name) ?? '')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')

  const url = (name: string, protocols: readonly string[]): string | undefined => {
    const written = text(name)
    if (written === undefined) return undefined
    const parsed = URL.canParse(written) ? new URL(written) : undefined
    if (parsed === undefined || !protocols.includes(parsed.protocol.slice(0, -1))) {
      throw new ConfigError(name, `it is not a URL that begins with ${protocols.map((p) => `${p}://`).join(' or ')}`)
    }
    return written.replace(/\/+$/, '')
  }

  const database = (
    name: string,
    dsn: string | undefined,
    sqlitePath: string,
    more: DatabaseNeeds,
  ): DatabaseAddress => {
    try {
      const address = parseDatabaseAddress(dsn, sqlitePath)
      return address.engine === 'sqlite' ? { ...address, durable: more.durable } : { ...address, pool: more.pool }
    } catch (error) {
      throw new ConfigError(name, error instanceof Error ? error.message.replace(/\.$/, '') : 'it is not readable')
    }
  }

  return { text, number, flag, list, lines, url, database }
}

const journalSyncs: readonly JournalSync[] = ['off', 'group', 'always']

const journalSync = (name: string, text: string = 'group'): JournalSync => {
  const found = journalSyncs.find((value) => value === text)
  if (found === undefined) throw new ConfigError(name, `"${text}" is none of ${journalSyncs.join(', ')}`)
  return found
}

const secret = (name: string, written: string | undefined): string | undefined => {
  if (written === 'random_string')
    throw new ConfigError(name, 'it is still the example value random_string; choose a secret of your own')
  return written
}

const networks = (name: string, entries: readonly string[]): readonly string[] => {
  for (const entry of entries) {
    if (!isAddressOrNetwork(entry)) {
      throw new ConfigError(name, `"${entry}" is neither an address nor a network such as 10.0.0.0/8`)
    }
  }
  return entries
}

/** Hosts are compared as they are: a URL or a broken network would silently allow nothing. */
const hostsAndNetworks = (name: string, entries: readonly string[]): readonly string[] => {
  for (const entry of entries) {
    if (isAddressOrNetwork(entry) || /^[\p{L}\p{N}._-]+$|^\[[\da-f:.]+\]$/iu.test(entry)) continue
    throw new ConfigError(name, `"${entry}" is neither a host nor an address nor a network such as 10.0.0.0/8`)
  }
  return entries
}

const nameServers = (name: string, entries: readonly string[]): readonly string[] => {
  for (const entry of entries) {
    const [, address = entry] = /^\[(.+)\](?::\d{1,5})?$/.exec(entry) ?? /^([\d.]+)(?::\d{1,5})?$/.exec(entry) ?? []
    if (isIP(address) === 0)
      throw new ConfigError(name, `"${entry}" is not an address such as 192.0.2.1, 192.0.2.1:5353 or [2001:db8::1]:53`)
  }
  return entries
}

const ports = (name: string, entries: readonly string[]): readonly number[] =>
  entries.map((entry) => {
    const port = /^\d{1,5}$/.test(entry) ? Number(entry) : 0
    if (port < 1 || port > 65_535) throw new ConfigError(name, `"${entry}" is not a port from 1 to 65535`)
    return port
  })

const isSlave = (name: string, written: string | undefined): boolean => {
  if (written !== undefined && written !== 'master' && written !== 'slave') {
    throw new ConfigError(name, `"${written}" is neither master nor slave`)
  }
  return written === 'slave'
}

const mostWorkers = 64

const workerCount = (env: ReturnType<typeof readerOf>): number =>
  env.text('WORKERS') === 'auto'
    ? Math.min(availableParallelism(), mostWorkers)
    : env.number('WORKERS', 1, 1, mostWorkers)

const signals = ['traces', 'metrics', 'logs'] as const

/** `name=value,name=value`, percent-encoded, as the specification of OTLP has it. */
const headerList = (name: string, entries: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    entries.map((entry) => {
      const at = entry.indexOf('=')
      if (at < 1) throw new ConfigError(name, 'it is not a list of name=value')
      try {
        return [entry.slice(0, at).trim(), decodeURIComponent(entry.slice(at + 1).trim())]
      } catch {
        throw new ConfigError(name, 'a value is not percent-encoded')
      }
    }),
  )

const share = (name: string, written: string | undefined): number => {
  const value = Number(written ?? 1)
  if (!(value >= 0 && value <= 1)) throw new ConfigError(name, `"${written}" is not a number from 0 to 1`)
  return value
}

const otelSettings = (env: ReturnType<typeof readerOf>): OtelSettings | undefined => {
  const endpoint = env.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http', 'https'])
  const exports = (signal: (typeof signals)[number]): boolean => {
    const name = `OTEL_${signal.toUpperCase()}_EXPORTER`
    const exporter = env.text(name) ?? 'otlp'
    if (exporter !== 'otlp' && exporter !== 'none')
      throw new ConfigError(name, `"${exporter}" is neither otlp nor none`)
    return exporter === 'otlp'
  }
  const settings = {
    headers: headerList('OTEL_EXPORTER_OTLP_HEADERS', env.list('OTEL_EXPORTER_OTLP_HEADERS')),
    serviceName: env.text('OTEL_SERVICE_NAME') ?? 'tollgate',
    signals: new Set(signals.filter(exports)),
    ratio: share('OTEL_TRACES_SAMPLER_ARG', env.text('OTEL_TRACES_SAMPLER_ARG')),
    propagates: env.flag('OTEL_PROPAGATE_UPSTREAM', false),
    metricIntervalMs: env.number('OTEL_METRIC_EXPORT_INTERVAL', 60_000, 100, 3_600_000),
  }
  return endpoint === undefined || settings.signals.size === 0 ? undefined : { endpoint, ...settings }
}

const seconds = 1000
const megabyte = 1024 * 1024
const day = 24 * 60 * 60

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
  // A segment of the journal goes when the database has its records, so the database must not have them in memory only.
  const workers = workerCount(env)
  const isFirst = worker === 1
  const nodeName = env.text('NODE_NAME') ?? hostname()
  const nodeIsSlave = isSlave('NODE_TYPE', env.text('NODE_TYPE'))
  const frontendBaseUrl = env.url('FRONTEND_BASE_URL', ['http', 'https'])
  const connections = env.number('SQL_MAX_OPEN_CONNS', 20, 1, 1000)
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
    nodeName: isFirst ? nodeName : `${nodeName}/${worker}`,
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
      keepAliveComment: env.number('KEEP_ALIVE_COMMENT', 15, 1, 600) * seconds,
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
    logArchiveTo: env.text('LOG_ARCHIVE_TO') ?? join(dataDir, 'log-archive'),
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
