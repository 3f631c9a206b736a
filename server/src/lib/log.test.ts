import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AppError } from './app-error.ts'
import { openLog, redactQuery } from './log.ts'

const clock = () => Date.UTC(2026, 10, 21, 10, 0, 0)

const logged = (format: 'json' | 'readable', write: (log: ReturnType<typeof openLog>) => void): string => {
  const lines: string[] = []
  write(openLog({ clock, format, debug: false, print: (line) => lines.push(line) }))
  return lines.join('')
}

describe('the log', () => {
  it('writes one JSON line per event', () => {
    expect(JSON.parse(logged('json', (log) => log.info('started', { port: 3000 })))).toEqual({
      time: '2026-11-21T10:00:00.000Z',
      level: 'info',
      message: 'started',
      port: 3000,
    })
  })

  it('writes readable lines with quoted values', () => {
    expect(logged('readable', (log) => log.warn('slow', { ms: 12, path: '/a b' }))).toBe(
      '2026-11-21T10:00:00.000Z WARN  slow ms=12 path="/a b"\n',
    )
  })

  it('writes debug lines only with `debug: true`', () => {
    expect(logged('json', (log) => log.debug('detail'))).toBe('')
  })

  it('writes details and cause of an error, which responses never contain', () => {
    const error = new AppError('internal_error', { cause: new Error('disk full'), details: { table: 'users' } })
    const line = logged('json', (log) => log.error('failed', { error }))
    expect(JSON.parse(line)).toMatchObject({ table: 'users', cause: expect.stringContaining('disk full') })
  })

  it('never writes a secret', () => {
    const line = logged('json', (log) =>
      log.info('with Bearer abcdefghijk', {
        password: 'p1',
        api_key: 'p2',
        Authorization: 'p3',
        note: 'sk-1234567890',
      }),
    )
    for (const secret of ['abcdefghijk', 'p1', 'p2', 'p3', '1234567890']) expect(line).not.toContain(secret)
  })

  it('logs the number of dropped lines with the next line that can be written', () => {
    const lines: string[] = []
    let isFull = true
    const print = (line: string): boolean => {
      if (!isFull) lines.push(line)
      return !isFull
    }
    const log = openLog({ clock, format: 'json', debug: false, print })
    log.info('dropped')
    log.info('dropped')
    isFull = false
    log.info('kept')
    log.info('kept')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { message: 'kept' },
      { message: 'log_lines_dropped', lines: 2 },
      { message: 'kept' },
    ])
  })

  it('redacts keys in paths', () => {
    const line = logged('json', (log) => log.warn('refused', { path: '/v1/models/%73k-abcdefgh?%6bey=hidden' }))
    expect(line).toContain('/v1/models/sk-***?%6bey=***')
  })

  it('also writes to a file named after the time', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'tollgate-log-'))
    const log = openLog({ clock, format: 'json', debug: false, directory, print: () => {} })
    log.info('kept')
    await log.close()
    const [name = ''] = readdirSync(directory)
    expect(name).toMatch(/^oneapi-\d{14}\.log$/)
    expect(readFileSync(join(directory, name), 'utf8')).toContain('"message":"kept"')
    rmSync(directory, { recursive: true })
  })
})

it.each([
  ['/api/log/token?key=sk-abc', '/api/log/token?key=***'],
  ['/api/user/login?turnstile=x&y=1', '/api/user/login?turnstile=***&y=1'],
  ['/api/oauth/github?code=1&state=2', '/api/oauth/github?code=***&state=2'],
  ['/api/token/search?keyword=a&token=sk-abcdefgh', '/api/token/search?keyword=a&token=***'],
  ['/x?q=sk-abcdefgh', '/x?q=sk-***'],
  ['/plain', '/plain'],
  ['/x?%6bey=secret&%54oken=b&a%70i_key=c', '/x?%6bey=***&%54oken=***&a%70i_key=***'],
  ['/x?key%5B%5D=a&key[]=b&key+=c&apiKey=d&%zz=e', '/x?key%5B%5D=***&key[]=***&key+=***&apiKey=***&%zz=***'],
  ['/v1/models/sk-abcdefgh', '/v1/models/sk-***'],
  ['/v1/models/%73k-abcdefgh?a=1', '/v1/models/sk-***?a=1'],
  [`/v1/${'aB3'.repeat(16)}/x?q=${'aB3'.repeat(16)}`, '/v1/***/x?q=***'],
  ['/v1/AIzaSyA-1234567890_abcdefghijklmnopqrs', '/v1/***'],
  ['/x?monkey%20business=1&keyword=a%20b', '/x?monkey%20business=1&keyword=a%20b'],
  ['/v1/%73k-abcdefgh%0Aforged', '/v1/sk-***%0Aforged'],
  ['/assets/%E4%B8%AD.js?v=%zz', '/assets/%E4%B8%AD.js?v=%zz'],
])('redacts %s', (path, expected) => expect(redactQuery(path)).toBe(expected))
