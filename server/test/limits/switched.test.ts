import { type LimitChange, role } from '@tollgate/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withSession } from '../rights/calls.ts'
import { createPeople, type People, type Person } from '../rights/people.ts'
import { type Answer, openRightsSite, type RightsSite } from '../rights/site.ts'
import { describeEachAddress } from '../support/db/databases.ts'
import { openProviderAccount, type ProviderAccount } from '../support/direct/provider-account.ts'
import { redisHere, type TestRedis, testRedis } from '../support/lib/redis.ts'

/**
 * No call asks for anything that is off: limits, limits of sessions, blocked words and inspections. Switched on or off they count from the next call on, at the
 * node where that was done, and at others as soon as they heard of it.
 */

const idHeader = 'x-oneapi-request-id'

describeEachAddress('what is switched on and off', (place, engine) => {
  // One node on SQLite, two on PostgreSQL: what they share beside Redis does not depend on the engine.
  const isHere = engine === 'sqlite' || (redisHere && engine === 'postgres')
  let redis: TestRedis | undefined
  let account: ProviderAccount
  const nodes: RightsSite[] = []
  let people: People
  let root: Person

  const node = (index: number): RightsSite => {
    const found = nodes[index] ?? nodes[0]
    if (found === undefined) throw new Error('there is no node')
    return found
  }
  const first = (): RightsSite => node(0)
  /** The same where there is one. */
  const other = (): RightsSite => node(1)

  beforeAll(async () => {
    if (!isHere) return
    account = await openProviderAccount()
    account.answer = { choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }] }
    if (engine === 'sqlite') nodes.push(await openRightsSite())
    else {
      redis = await testRedis()
      await redis.start()
      const shared = { SQL_DSN: (await place()).url, REDIS_CONN_STRING: redis.url }
      for (const NODE_NAME of ['first', 'other']) nodes.push(await openRightsSite({ ...shared, NODE_NAME }))
    }
    people = createPeople(first())
    root = await people.make(role.root)
    const body = { type: 1, name: 'all', key: 'sk-u', models: 'gpt-4.1', group: 'default', base_url: account.url }
    await first().ask({ method: 'POST', path: '/api/channel/', headers: withSession(root), body })
  }, 120_000)
  afterAll(async () => {
    for (const one of nodes) await one.close()
    await account?.close()
    await redis?.stop()
  })

  const operate = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const { json, text } = await first().ask({ method, path, headers: withSession(root), body })
    expect(json.success, text).toBe(true)
    return json.data
  }
  const set = (key: string, value: string): Promise<unknown> => operate('PUT', '/api/option/', { key, value })

  const newKey = async (): Promise<Person> => {
    const caller = await people.make(role.user)
    const tokens = first().database.query.updateTable('tokens').set({ unlimited_quota: 1 })
    await tokens.where('id', '=', caller.tokenId).execute()
    return caller
  }

  /** The answer to a call with nothing but texts in its body. */
  const answered = (at: RightsSite, { apiKey }: Person, headers: Record<string, string> = {}): Promise<Answer> =>
    at.ask({
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer sk-${apiKey}`, ...headers },
      body: { model: 'gpt-4.1', messages: [{ role: 'user', content: 'a secretword' }] },
    })
  const status = async (...asked: Parameters<typeof answered>): Promise<number> => (await answered(...asked)).status

  it.runIf(isHere)(
    'limits',
    async () => {
      const caller = await newKey()
      for (const at of [first(), other(), first()]) expect(await status(at, caller)).toBe(200)
      const limit = {
        name: 'one call',
        measure: 'requests',
        amount: 1,
        window: 'month',
        subjects: [{ kind: 'key', value: String(caller.tokenId) }],
      } satisfies Partial<LimitChange>
      const { id } = (await operate('POST', '/api/limits', limit)) as { id: number }
      expect([await status(first(), caller), await status(first(), caller)]).toEqual([200, 429])
      await expect.poll(() => status(other(), caller)).toBe(429)
      await operate('DELETE', `/api/limits/${id}`)
      expect(await status(first(), caller)).toBe(200)
      await expect.poll(() => status(other(), caller)).toBe(200)
    },
    60_000,
  )

  it.runIf(isHere)(
    'limits of sessions',
    async () => {
      const caller = await newKey()
      let sessions = 0
      /** The statuses of two calls of one session. */
      const two = async (at: RightsSite): Promise<readonly number[]> => {
        sessions += 1
        const headers = { 'session-id': `session-${sessions}` }
        return [await status(at, caller, headers), await status(at, caller, headers)]
      }
      expect(await two(first())).toEqual([200, 200])
      await set('SessionLimits', JSON.stringify({ '*': { calls: 1 } }))
      expect(await two(first())).toEqual([200, 400])
      await expect.poll(() => two(other())).toEqual([200, 400])
      await set('SessionLimits', '{}')
      expect(await two(first())).toEqual([200, 200])
      await expect.poll(() => two(other())).toEqual([200, 200])
    },
    60_000,
  )

  it.runIf(isHere)(
    'blocked words',
    async () => {
      const caller = await newKey()
      expect(await status(first(), caller)).toBe(200)
      await set('SensitiveWords', 'SecretWord')
      expect(await status(first(), caller)).toBe(400)
      await expect.poll(() => status(other(), caller)).toBe(400)
      await set('CheckSensitiveEnabled', 'false')
      expect(await status(first(), caller)).toBe(200)
      await expect.poll(() => status(other(), caller)).toBe(200)
    },
    60_000,
  )

  it.runIf(isHere)(
    'inspections',
    async () => {
      const caller = await newKey()
      /** Makes a call; its id. */
      const call = async (at: RightsSite): Promise<string> => (await answered(at, caller)).headers.get(idHeader) ?? ''
      const isCaptured = async (id: string): Promise<boolean> => {
        const { total } = (await operate('GET', `/api/inspector/captures?request_id=${id}`)) as { total: number }
        return total === 1
      }
      const start = async (): Promise<void> => {
        await operate('POST', '/api/inspector/', { kind: 'token', target_id: caller.tokenId, minutes: 5 })
      }
      const early = await call(first())
      await start()
      const inspected = await call(first())
      await expect.poll(() => isCaptured(inspected)).toBe(true)
      const atOther: string[] = []
      const someAtOther = async (): Promise<boolean> => {
        atOther.push(await call(other()))
        return (await Promise.all(atOther.map(isCaptured))).includes(true)
      }
      await expect.poll(someAtOther).toBe(true)
      const running = (await operate('GET', '/api/inspector/')) as readonly { id: number }[]
      for (const { id } of running) await operate('POST', `/api/inspector/${id}/stop`)
      const late = await call(first())
      await start()
      const last = await call(first())
      // A node writes captures one after the other.
      await expect.poll(() => isCaptured(last)).toBe(true)
      expect([await isCaptured(early), await isCaptured(late)]).toEqual([false, false])
    },
    60_000,
  )
})
