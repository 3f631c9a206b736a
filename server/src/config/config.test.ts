import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

describe('readConfig', () => {
  it.each([
    [undefined, ''],
    ['/', ''],
    ['/gw', '/gw'],
    ['/gw/', '/gw'],
    ['/team-a/ai_gateway.v2', '/team-a/ai_gateway.v2'],
  ])('reads BASE_PATH %o as %o', (written, path) => {
    expect(readConfig(written === undefined ? {} : { BASE_PATH: written }).basePath).toBe(path)
  })

  it.each(['gw', '/../etc', '/a//b', '/a b', '/"><script>', '/v1', '/api/gw', '/log', `/${'a'.repeat(200)}`])(
    'refuses BASE_PATH %o',
    (written) => {
      expect(() => readConfig({ BASE_PATH: written })).toThrow(/^BASE_PATH cannot be used: /)
    },
  )

  it('needs nothing: SQLite under ./data on port 3000', () => {
    const config = readConfig({})
    expect(config.port).toBe(3000)
    expect(config.database.engine).toBe('sqlite')
    expect(config.database.url).toMatch(/data[/\\]tollgate\.db$/)
    expect(config.logDatabase).toBeUndefined()
    expect(config.redis).toBeUndefined()
  })

  it('turns seconds and megabytes of the documented names into milliseconds and bytes', () => {
    const config = readConfig({
      STREAMING_TIMEOUT: '90',
      RELAY_TIMEOUT: '30',
      MAX_REQUEST_MB: '2',
      SYNC_FREQUENCY: '5',
    })
    expect(config.timeouts).toMatchObject({ streamIdle: 90_000, firstByte: 30_000 })
    expect(config.maxRequestBytes).toBe(2 * 1024 * 1024)
    expect(config.syncFrequencyMs).toBe(5000)
  })

  it('asks after tasks unless it shall not', () => {
    expect(readConfig({}).updateTasks).toBe(true)
    expect(readConfig({ UPDATE_TASK: 'false' }).updateTasks).toBe(false)
  })

  it('drops the driver parameters that the reference puts behind SQLITE_PATH', () => {
    expect(readConfig({ SQLITE_PATH: '/var/lib/one-api.db?_busy_timeout=5000' }).database.url).toBe(
      '/var/lib/one-api.db',
    )
  })

  it('keeps the pool for servers only', () => {
    const config = readConfig({ SQL_DSN: 'postgres://a:b@db/x', SQL_MAX_OPEN_CONNS: '7' })
    expect(config.database).toMatchObject({ engine: 'postgres', pool: 7 })
  })

  it('brings the journal to the disk, and SQLite with it, unless it shall not', () => {
    expect(readConfig({})).toMatchObject({ journalSync: 'group', database: { durable: true } })
    expect(readConfig({ JOURNAL_SYNC: 'always' })).toMatchObject({ journalSync: 'always', database: { durable: true } })
    const off = readConfig({ JOURNAL_SYNC: 'off', LOG_SQL_DSN: 'sqlite:/var/lib/log.db' })
    expect(off).toMatchObject({ journalSync: 'off', database: { durable: false }, logDatabase: { durable: false } })
  })

  it('derives secrets from SESSION_SECRET when CRYPTO_SECRET is absent', () => {
    expect(readConfig({ SESSION_SECRET: 's' }).cryptoSecret).toBe('s')
    expect(readConfig({ SESSION_SECRET: 's', CRYPTO_SECRET: 'c' }).cryptoSecret).toBe('c')
  })

  it.each([
    [{ PORT: '80x' }, 'PORT cannot be used: "80x" is not a whole number.'],
    [{ PORT: '70000' }, 'PORT cannot be used: 70000 is not between 0 and 65535.'],
    [
      { FORCE_STREAM_OPTION: 'yes please' },
      'FORCE_STREAM_OPTION cannot be used: "yes please" is neither true nor false.',
    ],
    [
      { REDIS_CONN_STRING: 'localhost:6379' },
      'REDIS_CONN_STRING cannot be used: it is not a URL that begins with redis:// or rediss://.',
    ],
    [{ JOURNAL_SYNC: 'on' }, 'JOURNAL_SYNC cannot be used: "on" is none of off, group, always.'],
    [{ NODE_TYPE: 'worker' }, 'NODE_TYPE cannot be used: "worker" is neither master nor slave.'],
    [
      { EGRESS_ALLOW: 'ollama.internal,10.0.0.0/40' },
      'EGRESS_ALLOW cannot be used: "10.0.0.0/40" is neither a host nor an address nor a network such as 10.0.0.0/8.',
    ],
    [{ WEBHOOK_PORTS: '8443,https' }, 'WEBHOOK_PORTS cannot be used: "https" is not a port from 1 to 65535.'],
    [
      { EGRESS_ALLOW: 'http://ollama:11434' },
      'EGRESS_ALLOW cannot be used: "http://ollama:11434" is neither a host nor an address nor a network such as 10.0.0.0/8.',
    ],
    [
      { TRUSTED_PROXIES: '10.0.0.0/40' },
      'TRUSTED_PROXIES cannot be used: "10.0.0.0/40" is neither an address nor a network such as 10.0.0.0/8.',
    ],
    [
      { SESSION_SECRET: 'random_string' },
      'SESSION_SECRET cannot be used: it is still the example value random_string; choose a secret of your own.',
    ],
  ])('stops with a sentence for %o', (environment, sentence) => {
    expect(() => readConfig(environment)).toThrow(new ConfigError('', '').constructor as typeof ConfigError)
    expect(() => readConfig(environment)).toThrow(sentence)
  })

  it('never shows the password of a database address it cannot read', () => {
    try {
      readConfig({ SQL_DSN: 'root:hunter2@nowhere' })
      expect.unreachable()
    } catch (error) {
      expect(String(error)).toContain('SQL_DSN cannot be used')
      expect(String(error)).not.toContain('hunter2')
    }
  })
})
