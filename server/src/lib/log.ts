import { accessSync, constants, createWriteStream, mkdirSync, type WriteStream } from 'node:fs'
import { join } from 'node:path'
import { AppError } from './app-error.ts'
import type { Clock } from './clock.ts'
import { timeText } from './ids.ts'
import { openStandardOutput } from './standard-output.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type LogFields = Readonly<Record<string, unknown>>

/** Gets each line; must not throw. */
export type LogListener = (level: LogLevel, message: string, fields: LogFields) => void

/** Writes log lines for the operator. Secrets in fields and addresses are redacted. */
export interface Log {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** Sets a listener that also gets each line, with its secrets redacted; undefined to remove it. */
  listen?(listener: LogListener | undefined): void
  close(): Promise<void>
}

const secretName = /^(.*[_-])?(key|token|secret|password|authorization|cookie)$/i
const secretParameter = /(key|token|secret|password)$|^(.*[_-])?(code|turnstile|hash)$/i
const bearer = /\b(Bearer\s+|sk-)[A-Za-z0-9._~+/=-]{6,}/g
/** Keys without `sk-`, as API keys are stored, and providers' keys: longer than any word or id. */
const bareKey = /(?<![0-9A-Za-z])(AIza[\w-]{30,}|[0-9A-Za-z]{40,})/g

const withoutSecrets = (text: string): string => text.replace(bearer, '$1***')

/** Percent-decodes a text; undefined when its encoding is invalid. */
const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}

/** Redacts one parameter of a query. A name that cannot be decoded counts as secret. */
const redactedParameter = (part: string): string => {
  const at = part.indexOf('=')
  if (at < 0) return redactedText(part)
  const name = decoded(part.slice(0, at))
  // Frameworks read `key[]` and `key ` as `key`.
  const isSecret = name === undefined || secretParameter.test(name.replace(/\[.*$/, '').trim())
  return isSecret ? `${part.slice(0, at)}=***` : redactedText(part)
}

/** Redacts everything that looks like a key, also when it is percent-encoded. */
const redactedText = (text: string): string => {
  const plain = text.includes('%') ? (decoded(text) ?? text) : text
  const redacted = withoutSecrets(plain).replace(bareKey, '***')
  // Encoded again, so that a line break in a path cannot end the log line.
  return redacted === plain ? text : encodeURI(redacted)
}

/**
 * Redacts a path with query: values of parameters named key, token, code, turnstile … become `***`, and so does everything else
 * that looks like a key, however it is encoded.
 */
export const redactQuery = (pathAndQuery: string): string => {
  const at = pathAndQuery.indexOf('?')
  if (at < 0) return redactedText(pathAndQuery)
  const query = pathAndQuery
    .slice(at + 1)
    .split('&')
    .map(redactedParameter)
  return `${redactedText(pathAndQuery.slice(0, at))}?${query.join('&')}`
}

const errorFields = (error: Error): LogFields => ({
  error: error.stack ?? error.message,
  ...(error instanceof AppError ? error.details : {}),
  ...(error.cause instanceof Error ? { cause: error.cause.stack ?? error.cause.message } : {}),
})

const clean = (fields: LogFields): LogFields =>
  Object.fromEntries(
    Object.entries(fields)
      .flatMap(([name, value]) =>
        value instanceof Error ? Object.entries(errorFields(value)) : [[name, value] as const],
      )
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => {
        if (secretName.test(name)) return [name, '***']
        if (typeof value !== 'string') return [name, value]
        return [name, name === 'path' ? redactQuery(value) : withoutSecrets(value)]
      }),
  )

const asText = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /^[^\s"=]+$/.test(text) || text.includes('\n') ? text : JSON.stringify(text)
}

const readable = (time: string, level: LogLevel, message: string, fields: LogFields): string => {
  const pairs = Object.entries(fields).map(([name, value]) => `${name}=${asText(value)}`)
  return [time, level.toUpperCase().padEnd(5), message, ...pairs].join(' ')
}

/** Lines after which a new file begins. */
const linesPerFile = 1_000_000

const openFile = (directory: string, clock: Clock): { write(line: string): void; close(): Promise<void> } => {
  mkdirSync(directory, { recursive: true })
  accessSync(directory, constants.W_OK)
  let lines = 0
  const next = (): WriteStream => {
    const stream = createWriteStream(join(directory, `oneapi-${timeText(clock())}.log`), { flags: 'a' })
    // A full disk must not stop the gateway; the lines still go to the standard output.
    stream.on('error', () => {})
    return stream
  }
  let stream = next()
  return {
    write(line) {
      if (lines >= linesPerFile) {
        stream.end()
        stream = next()
        lines = 0
      }
      lines += 1
      stream.write(line)
    },
    close: () => new Promise((resolve) => stream.end(() => resolve())),
  }
}

/**
 * Opens the log: one line per event on the standard output, as JSON or readable, and in `directory` when given.
 * `debug` lines are written only with `debug: true`.
 */
export const openLog = (parts: {
  clock: Clock
  format: 'json' | 'readable'
  debug: boolean
  directory?: string | undefined
  /** Returns false when the line was dropped; the number of dropped lines is logged with the next line that succeeds. */
  print?: (line: string) => unknown
}): Log => {
  const file = parts.directory === undefined ? undefined : openFile(parts.directory, parts.clock)
  const print = parts.print ?? openStandardOutput()
  let dropped = 0
  let listener: LogListener | undefined
  const write =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      const time = new Date(parts.clock()).toISOString()
      const cleaned = clean(fields)
      const text = withoutSecrets(message)
      const line =
        parts.format === 'json'
          ? JSON.stringify({ time, level, message: text, ...cleaned })
          : readable(time, level, text, cleaned)
      file?.write(`${line}\n`)
      listener?.(level, text, cleaned)
      if (print(`${line}\n`) === false) dropped += 1
      else if (dropped > 0) {
        const lines = dropped
        dropped = 0
        write('warn')('log_lines_dropped', { lines })
      }
    }
  return {
    debug: parts.debug ? write('debug') : () => {},
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    listen(next) {
      listener = next
    },
    close: async () => file?.close(),
  }
}

/** A log that discards every line. */
export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {}, close: async () => {} }
