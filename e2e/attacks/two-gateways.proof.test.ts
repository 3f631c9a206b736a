import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeUpstream, startFakeUpstream } from '../support/fake-upstream.ts'
import { addChannel, addKey, signIn } from '../support/operator.ts'
import { createSharedDatabase, postgresHere } from '../support/shared-database.ts'
import { type Site, startSite } from '../support/site.ts'

/** Two processes on one database that do not know of each other, as after a replica count of 2 without Redis. */
describe.each([
  { place: 'one SQLite file and two data folders', shares: 'file' },
  { place: 'one PostgreSQL without a Redis', shares: 'server' },
] as const)('two gateways on $place', ({ shares }) => {
  const isHere = shares === 'file' || postgresHere
  let database: Awaited<ReturnType<typeof createSharedDatabase>> | undefined
  let upstream: FakeUpstream
  let [first, second]: (Site | undefined)[] = []
  // Without a Redis a node learns of channels by looking for them.
  const environment = { CRYPTO_SECRET: 'shared by both', SYNC_FREQUENCY: '1' }

  beforeAll(async () => {
    if (!isHere) return
    upstream = await startFakeUpstream()
    database = shares === 'server' ? await createSharedDatabase('tollgate_two') : undefined
    first = await startSite({ ...environment, ...(database ? { SQL_DSN: database.url } : {}) })
    const place = database ? { SQL_DSN: database.url } : { SQLITE_PATH: join(first.directory, 'tollgate.db') }
    second = await startSite({ ...environment, ...place })
  })
  afterAll(async () => {
    await second?.remove()
    await first?.remove()
    await upstream?.close()
    await database?.drop()
  })

  const callAt = (site: Site | undefined, key: string, path: string, body: object): Promise<Response> =>
    fetch(`${site?.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-4o', max_tokens: 50, ...body }),
    })
  const messages = [{ role: 'user', content: 'hi' }]

  it.skipIf(!isHere)(
    'the second serves no call, says how to mend it, and takes over after the end of the first',
    async () => {
      if (first === undefined || second === undefined) throw new Error('no sites')
      const operator = await signIn(first.url)
      await addChannel(operator, upstream.url)
      const key = await addKey(operator)
      expect((await callAt(first, key, '/v1/chat/completions', { messages })).status).toBe(200)
      const chatAtSecond = () => callAt(second, key, '/v1/chat/completions', { messages })
      await expect.poll(async () => (await chatAtSecond()).status, { timeout: 30_000 }).not.toBe(404)
      for (const [path, body] of [
        ['/v1/chat/completions', { messages }],
        ['/v1/chat/completions', { messages, stream: true }],
        ['/v1/messages', { messages }],
        ['/v1/responses', { input: 'hi' }],
      ] as const) {
        const answer = await callAt(second, key, path, body)
        expect([path, answer.status, await answer.text()]).toEqual([
          path,
          503,
          expect.stringContaining('Another gateway'),
        ])
      }
      expect((await fetch(`${second.url}/readyz`)).status).toBe(503)
      expect((await fetch(`${first.url}/readyz`)).status).toBe(200)
      expect(second.output()).toContain('REDIS_CONN_STRING')
      expect(first.output()).not.toContain('calls_refused_beside_other_gateway')
      await first.stop()
      await expect
        .poll(async () => (await callAt(second, key, '/v1/chat/completions', { messages })).status, { timeout: 30_000 })
        .toBe(200)
    },
  )
})
