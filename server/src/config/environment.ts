import { ownMember } from '@tollgate/contract/own-member'
import type { DatabaseAddress } from '../db/database.ts'
import { parseDatabaseAddress } from '../db/engines/address.ts'

/** Says in one sentence which variable cannot be used and why; the start stops with it. */
export class ConfigError extends Error {
  constructor(name: string, reason: string) {
    super(`${name} cannot be used: ${reason}.`)
    this.name = 'ConfigError'
  }
}

/** Settings for opening servers (`pool`) and SQLite files (`durable`). */
interface DatabaseNeeds {
  readonly pool: number
  readonly durable: boolean
}

export type Environment = Readonly<Record<string, string | undefined>>

const flagWords: Readonly<Record<string, boolean>> = {
  '1': true,
  t: true,
  true: true,
  '0': false,
  f: false,
  false: false,
}

/** Reads variables by name; each function throws ConfigError where the value is not of its kind. */
export const readerOf = (environment: Environment) => {
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

export type EnvironmentReader = ReturnType<typeof readerOf>
