import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { LogEntry, LogOther, Page, User } from '@tollgate/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestService, type TestService } from '../../server/test/support/relay/task-service.ts'
import { addChannel, addCustomer, addKey, type Person, signIn } from '../support/operator.ts'
import { type Site, startSite } from '../support/site.ts'

/** Texts that no database takes, sent to the started product, which is killed and started again. */

const root = join(import.meta.dirname, '../..')
const megabyte = 1024 * 1024

let site: Site
let service: TestService
let operator: Person

beforeAll(async () => {
  service = await openTestService()
  site = await startSite({ EGRESS_ALLOW: '127.0.0.1' })
  operator = await signIn(site.url)
  await addChannel(operator, service.url, { type: 2, name: 'draws', key: 'mj-key', models: 'mj_imagine' })
})
afterAll(async () => {
  await site?.remove()
  await service?.close()
})

const call = async (key: string, path: string, body: object) => {
  const response = await fetch(site.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, text: await response.text() }
}

const bytesOf = (directory: string): number =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)

const command = (file: string, ...args: readonly string[]): string =>
  execFileSync(process.execPath, [join(root, 'server/src/ledger', file), ...args], {
    env: { ...process.env, DATA_DIR: site.directory },
    encoding: 'utf8',
  })

const restart = async (how: 'kill' | 'stop'): Promise<void> => {
  await site[how]()
  await site.restart()
  operator = await signIn(site.url)
}

const rowsOf = async (username: string): Promise<LogEntry[]> =>
  (await operator.must<Page<LogEntry>>('GET', `/api/log/?type=5&username=${username}&page_size=100`)).items

it('a key without money does not fill the disk with what it sends', async () => {
  const poor = await addCustomer(site.url, operator, 'poor', 0)
  const key = await addKey(poor)
  const before = bytesOf(site.directory)
  const messages = [{ role: 'user', content: 'hi' }]
  for (let number = 0; number < 5; number += 1) {
    const named = await call(key, '/v1/chat/completions', { model: 'm'.repeat(20 * megabyte), messages })
    // A caller without money is refused before so large a body is read.
    expect([named.status, named.text.length < 1000]).toEqual([403, true])
    const drawn = await call(key, '/mj/submit/imagine', { prompt: 'p'.repeat(17 * megabyte) })
    expect([drawn.status >= 400, drawn.text.length < 1000]).toEqual([true, true])
  }
  await restart('kill')
  const list = JSON.stringify(await operator.must('GET', '/api/log/?page_size=100'))
  expect(list.length).toBeLessThan(100_000)
  expect(bytesOf(site.directory) - before).toBeLessThan(10 * megabyte)
})

it('refused calls are counted beyond the first rows, and all of them are in the log', async () => {
  const many = await addCustomer(site.url, operator, 'many', 1000)
  const key = await addKey(many)
  const refusals = 300
  for (let number = 0; number < refusals; number += 30) {
    const some = Array.from({ length: 30 }, () => call(key, '/v1/chat/completions', { model: 'none', messages: [] }))
    for (const { status } of await Promise.all(some)) expect(status).toBeGreaterThanOrEqual(400)
  }
  await restart('stop')
  const rows = await rowsOf('many')
  const times = rows.map(({ other }) => (JSON.parse(other) as LogOther).repeated ?? 1)
  // Two windows, where the minute turned meanwhile.
  expect(rows.length).toBeLessThan(50)
  expect(times.reduce((sum, one) => sum + one, 0)).toBe(refusals)
})

it('a record that the database refuses is charged, stored, survives a kill, and is retried without a second charge', async () => {
  const draws = await addCustomer(site.url, operator, 'draws', 1_000_000)
  const key = await addKey(draws)
  const database = new DatabaseSync(join(site.directory, 'tollgate.db'))
  database.exec('pragma busy_timeout = 5000')
  database.exec(
    `create trigger refuse before insert on midjourneys when new.prompt like '%unwanted%' begin select raise(abort, 'refused by a rule'); end`,
  )
  const quota = async () => (await operator.must<User>('GET', `/api/user/${draws.id}`)).quota
  expect((await call(key, '/mj/submit/imagine', { prompt: 'an unwanted picture' })).status).toBe(200)
  await restart('kill')
  const refused = () =>
    operator.must<{ items: { request_id: string; charged: boolean }[]; total: number }>('GET', '/api/refused-records')
  await expect.poll(async () => (await refused()).items[0]?.charged).toBe(true)
  const [record] = (await refused()).items
  const id = record?.request_id ?? ''
  expect(record).toMatchObject({ charged: true, reason: 'refused by a rule', username: 'draws', retries: 0 })
  expect(await quota()).toBe(950_000)
  expect(command('refused/refused-command.ts', 'list')).toContain(`${id} `)
  expect(command('refused/refused-command.ts', 'show', id)).toContain('an unwanted picture')

  const retry = () => operator.ask('POST', `/api/refused-records/${id}/retry`)
  expect((await retry()).success).toBe(false)
  expect((await refused()).items).toMatchObject([{ request_id: id, retries: 1 }])
  database.exec('drop trigger refuse')
  database.close()
  expect((await retry()).success).toBe(true)
  expect((await refused()).total).toBe(0)
  expect(await quota()).toBe(950_000)
  await site.stop()
  expect(command('verify/verify-command.ts')).toContain(' 0 differences')
  expect(readdirSync(join(site.directory, 'journal'))).toEqual([])
  await site.restart()
})
