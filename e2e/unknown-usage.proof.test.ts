import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { redisHere, type TestRedis, testRedis } from '../server/test/support/lib/redis.ts'
import { openTestSmtp } from '../server/test/support/mail/smtp.ts'
import { addChannel, addCustomer, addKey, type Person, signIn } from './support/operator.ts'
import { completion, json, type ScriptedUpstream, startScriptedUpstream } from './support/scripted-upstream.ts'
import { createSharedDatabase, postgresHere } from './support/shared-database.ts'
import { type Site, startSite } from './support/site.ts'

/** A tier that no table knows, at processes that share their books: told of once, declared at one, known at all, corrected once. */

interface Started {
  readonly sites: readonly Site[]
  close(): Promise<void>
}

const patience = { timeout: 60_000, interval: 50 }

const startWorkers = async (): Promise<Started> => {
  const site = await startSite({ WORKERS: '2' })
  await vi.waitFor(() => expect(site.output().split('Tollgate listens')).toHaveLength(3), patience)
  return { sites: [site], close: () => site.remove() }
}

const startNodes = async (): Promise<Started> => {
  const database = await createSharedDatabase('tollgate_unknown')
  const redis: TestRedis = await testRedis()
  await redis.start()
  const shared = { SQL_DSN: database.url, REDIS_CONN_STRING: redis.url, CRYPTO_SECRET: 'shared by both' }
  const sites = await Promise.all(['a', 'b'].map((node) => startSite({ ...shared, NODE_NAME: node })))
  return {
    sites,
    close: async () => {
      await Promise.all(sites.map((site) => site.remove()))
      await redis.stop()
      await database.drop()
    },
  }
}

interface Kind {
  readonly id: number
  readonly name: string
  readonly calls: number
  readonly declaration?: unknown
}

interface Row {
  readonly quota: number
  readonly provisional?: boolean
}

/** Units of a call at the standard price, of 20 tokens in and 50 out of gpt-4o. */
const plain = 275
const name = 'hyper'

describe.each([
  ['two workers', startWorkers, true],
  ['two nodes', startNodes, redisHere && postgresHere],
] as const)('%s', (_, start, here) => {
  if (!here) {
    it.skip('need PostgreSQL and Redis')
    return
  }
  let started: Started
  let upstream: ScriptedUpstream
  let smtp: Awaited<ReturnType<typeof openTestSmtp>>
  let operators: readonly Person[]
  let customer: Person
  let key: string
  let made = 0

  beforeAll(async () => {
    smtp = await openTestSmtp({ hideSTARTTLS: true })
    upstream = await startScriptedUpstream()
    upstream.answer = json(completion(undefined, { service_tier: name }))
    started = await start()
    operators = await Promise.all(started.sites.map(({ url }) => signIn(url)))
    const { SMTPPort, SMTPFrom } = smtp.settings()
    const options = { SMTPServer: '127.0.0.1', SMTPPort: String(SMTPPort), SMTPFrom: String(SMTPFrom) }
    for (const [option, value] of Object.entries(options))
      await operatorAt(0).must('PUT', '/api/option/', { key: option, value })
    await operatorAt(0).must('PUT', '/api/user/setting', { notification_email: 'root@example.com' })
    await addChannel(operatorAt(0), upstream.url)
    customer = await addCustomer(started.sites[0]?.url ?? '', operatorAt(0), 'shared', 10_000_000)
    key = await addKey(customer)
    for (const at of started.sites.keys())
      await vi.waitFor(async () => expect((await call(at)).status).toBe(200), patience)
  })
  afterAll(async () => {
    await started?.close()
    await upstream?.close()
    await smtp?.close()
  })

  const operatorAt = (at: number): Person => operators[at % operators.length] ?? expect.fail('no operator')
  const call = async (at: number): Promise<Response> => {
    const answer = await fetch(`${started.sites[at % started.sites.length]?.url}/v1/chat/completions`, {
      method: 'POST',
      // A connection of its own: either worker may take it.
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({
        model: 'gpt-4o',
        messages: [{ role: 'user', content: 'hi' }],
        max_tokens: 50,
        service_tier: name,
      }),
    })
    await answer.text()
    if (answer.ok) made += 1
    return answer
  }
  const kinds = async (at: number): Promise<readonly Kind[]> =>
    (await operatorAt(at).must<{ items: readonly Kind[] }>('GET', '/api/declared_usage/')).items
  const logged = async (at: number, query = ''): Promise<{ items: readonly Row[]; total: number }> =>
    operatorAt(at).must('GET', `/api/log/?p=1&page_size=100&type=2${query}`)
  const told = () => smtp.mails.filter(({ body }) => body.includes(name))

  it('tell of it once, list it with all calls, and find them in the log', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, at) => call(at)))
    for (const at of [0, 1])
      await expect.poll(async () => (await kinds(at))[0], { timeout: 60_000 }).toMatchObject({ name, calls: made })
    for (const at of [0, 1])
      await expect.poll(async () => (await logged(at, `&provisional=tier%20openai%20${name}`)).total).toBe(made)
    await expect.poll(() => told().length, { timeout: 120_000 }).toBe(1)
  })

  it('know at all what was declared at one, and give back what was too much, once', async () => {
    const [kind] = await kinds(0)
    await operatorAt(0).must('POST', `/api/declared_usage/${kind?.id}`, { as: 'factor', factor: 2 })
    // Eight in a row of which none is provisional: either worker has answered some of them.
    let certain = 0
    await expect
      .poll(
        async () => {
          await call(certain + 1)
          const before = made
          await expect.poll(async () => (await logged(0)).total).toBe(before)
          const [newest] = (await logged(0)).items
          certain = newest?.provisional === true ? 0 : certain + 1
          return certain
        },
        { timeout: 60_000 },
      )
      .toBe(8)
    const spent = async (): Promise<number> =>
      (await operatorAt(1).must<{ used_quota: number }>('GET', `/api/user/${customer.id}`)).used_quota
    await expect.poll(spent, { timeout: 150_000, interval: 1000 }).toBe(made * 2 * plain)
    expect((await kinds(1))[0]).toMatchObject({ declaration: { as: 'factor', factor: 2 } })
    expect(told()).toHaveLength(1)
  }, 240_000)
})
