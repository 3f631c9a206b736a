import { resolve } from 'node:path'
import { ownMember } from '@tollgate/contract/own-member'
import type { DatabaseAddress } from '../database.ts'

const forms =
  'the address begins with none of postgres://, mysql://, mariadb://, sqlite: or local, and is not of the form user:password@tcp(host:3306)/name'

const defaultMysqlHost = '127.0.0.1:3306'

/** The parameter of MySQL's driver for encryption; other parameters of a Go address have no meaning here. */
const encryption: Readonly<Record<string, { rejectUnauthorized: boolean }>> = {
  true: { rejectUnauthorized: true },
  'skip-verify': { rejectUnauthorized: false },
  preferred: { rejectUnauthorized: false },
}

const mysqlUrl = (url: URL, tls: string | null): DatabaseAddress => {
  if (url.pathname.length < 2) throw new Error('the address names no database: it must end with /name')
  const ssl = tls === null ? undefined : ownMember(encryption, tls)
  if (ssl !== undefined) url.searchParams.set('ssl', JSON.stringify(ssl))
  return { engine: 'mysql', url: url.href }
}

/**
 * An @ behind the first / ? or # of an address, parameters left out: one of these stands in the password. What precedes it would be read
 * as the host, and shown where it is not found.
 */
const cutPassword = /^\w+:\/\/[^/?#]*(?:[?#].*@|\/[^?]*@)/

/** A % before the @ that no two hexadecimal digits follow. */
const bareUserPercent = /^\w+:\/\/[^@/?#]*%(?![0-9a-f]{2})[^/?#]*@/i

const parsedUrl = (text: string, example: string): URL => {
  if (cutPassword.test(text)) {
    throw new Error('the password has one of / ? #, which are written %2F %3F %23 in an address (@ is %40, % is %25)')
  }
  if (bareUserPercent.test(text)) throw new Error('the password has a %, which is written %25 in an address')
  if (!URL.canParse(text)) throw new Error(`the address is not a readable URL such as ${example}`)
  return new URL(text)
}

const fromPostgresUrl = (dsn: string): DatabaseAddress => {
  parsedUrl(dsn, 'postgres://user:password@host:5432/name')
  return { engine: 'postgres', url: dsn }
}

const fromMysqlUrl = (dsn: string): DatabaseAddress => {
  const address = parsedUrl(dsn.replace(/^mariadb:/, 'mysql:'), 'mysql://user:password@host:3306/name')
  const url = new URL(address.href)
  url.search = ''
  return mysqlUrl(url, address.searchParams.get('tls') ?? address.searchParams.get('ssl'))
}

const fromSqliteUrl = (dsn: string): DatabaseAddress => {
  const path = dsn.replace(/^sqlite:(\/\/)?/, '').replace(/\?.*$/, '')
  if (path === '') throw new Error('the address names no file: it must be of the form sqlite:path/to/file.db')
  return { engine: 'sqlite', url: path === ':memory:' ? path : resolve(path) }
}

/** `user:password@protocol(address)/name?parameters`, where everything before the name may be missing. */
const goAddress =
  /^(?:(?<user>[^:@]*)(?::(?<password>.*))?@)?(?:(?<protocol>[a-z]\w*)(?:\((?<host>[^)]*)\))?)?\/(?<name>[^/?]*)(?:\?(?<parameters>.*))?$/

const fromGoAddress = (dsn: string): DatabaseAddress => {
  const parts = goAddress.exec(dsn)?.groups
  if (parts === undefined) throw new Error(forms)
  const { user = '', password = '', protocol = 'tcp', host, name = '', parameters } = parts
  if (protocol !== 'tcp' && protocol !== 'unix') {
    throw new Error(`the address uses the protocol ${protocol}; only tcp and unix are known`)
  }
  const server = protocol === 'tcp' && host ? host : defaultMysqlHost
  const url = parsedUrl(`mysql://${server}`, 'user:password@tcp(host:3306)/name')
  url.username = encodeURIComponent(user)
  url.password = encodeURIComponent(password)
  url.pathname = `/${name}`
  if (protocol === 'unix' && host) url.searchParams.set('socketPath', host)
  return mysqlUrl(url, new URLSearchParams(parameters).get('tls'))
}

/**
 * Reads `SQL_DSN` (plus URLs for MySQL and SQLite). Nothing, or `local…`, means SQLite at
 * `sqlitePath`.
 * @throws Error whose message says what is wrong and never shows the password.
 */
export const parseDatabaseAddress = (dsn: string | undefined, sqlitePath: string): DatabaseAddress => {
  const address = dsn?.trim() ?? ''
  if (address === '' || address.startsWith('local')) return { engine: 'sqlite', url: sqlitePath }
  if (/^postgres(ql)?:\/\//.test(address)) return fromPostgresUrl(address)
  if (/^(mysql|mariadb):\/\//.test(address)) return fromMysqlUrl(address)
  if (address.startsWith('sqlite:')) return fromSqliteUrl(address)
  if (/^\w+:\/\//.test(address)) throw new Error(forms)
  return fromGoAddress(address)
}
