import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseDatabaseAddress } from './address.ts'

const sqlitePath = '/data/tollgate.db'
const parse = (dsn: string | undefined) => parseDatabaseAddress(dsn, sqlitePath)

describe('a database address', () => {
  it.each([
    ['nothing', undefined],
    ['an empty text', ' '],
    ['local', 'local'],
    ['local with more', 'local-file'],
  ])('means SQLite at its path when it is %s', (_, dsn) => {
    expect(parse(dsn)).toEqual({ engine: 'sqlite', url: sqlitePath })
  })

  it.each([
    ['sqlite:some/file.db', resolve('some/file.db')],
    ['sqlite:/var/lib/t.db?_busy_timeout=5000', '/var/lib/t.db'],
    ['sqlite:///var/lib/t.db', '/var/lib/t.db'],
    ['sqlite::memory:', ':memory:'],
  ])('names a SQLite file: %s', (dsn, url) => {
    expect(parse(dsn)).toEqual({ engine: 'sqlite', url })
  })

  it.each([
    'postgres://u:p@db:5432/name?sslmode=disable',
    'postgresql://u:p%40@db/name',
    'postgres://u:p@db/name?application_name=a@b',
  ])('takes %s as it is', (dsn) => {
    expect(parse(dsn)).toEqual({ engine: 'postgres', url: dsn })
  })

  it.each([
    ['mysql://u:p@db:3306/name', 'mysql://u:p@db:3306/name'],
    ['mariadb://u:p%40@db/name?charset=latin1', 'mysql://u:p%40@db/name'],
    ['root:123456@tcp(localhost:3306)/oneapi', 'mysql://root:123456@localhost:3306/oneapi'],
    ['u:p@tcp(db:3307)/n?charset=utf8mb4&parseTime=True&loc=Local', 'mysql://u:p@db:3307/n'],
    ['u:a@b:c/d#e?@tcp(db:3306)/n', 'mysql://u:a%40b%3Ac%2Fd%23e%3F@db:3306/n'],
    ['u@tcp([::1]:3306)/n', 'mysql://u@[::1]:3306/n'],
    ['u:p@tcp/n', 'mysql://u:p@127.0.0.1:3306/n'],
    ['u:p@/n', 'mysql://u:p@127.0.0.1:3306/n'],
    ['/n', 'mysql://127.0.0.1:3306/n'],
    ['u:p@tcp(db)/n?tls=true', 'mysql://u:p@db/n?ssl=%7B%22rejectUnauthorized%22%3Atrue%7D'],
    ['u:p@tcp(db)/n?tls=skip-verify', 'mysql://u:p@db/n?ssl=%7B%22rejectUnauthorized%22%3Afalse%7D'],
    ['u:p@unix(/run/mysqld/mysqld.sock)/n', 'mysql://u:p@127.0.0.1:3306/n?socketPath=%2Frun%2Fmysqld%2Fmysqld.sock'],
  ])('understands MySQL as %s', (dsn, url) => {
    expect(parse(dsn)).toEqual({ engine: 'mysql', url })
  })

  it.each([
    ['root:hunter2@nowhere', 'begins with none of'],
    ['oracle://root:hunter2@db/n', 'begins with none of'],
    ['postgres://root:hunter2@:port:/n', 'not a readable URL'],
    ['postgres://root:a@hunter2#b@db:5432/n', 'written %2F %3F %23'],
    ['mysql://root:hunter2/b@db:3306/n', 'written %2F %3F %23'],
    ['mysql://root:hunter2@db', 'names no database'],
    ['root:hunter2@tcp(db:3306)/', 'names no database'],
    ['root:hunter2@udp(db:3306)/n', 'protocol udp'],
    ['root:hunter2@tcp(db:x:y)/n', 'not a readable URL'],
    ['sqlite:', 'names no file'],
  ])('says what is wrong with %s and keeps the password to itself', (dsn, reason) => {
    expect(() => parse(dsn)).toThrow(reason)
    expect(() => parse(dsn)).not.toThrow('hunter2')
  })
})
