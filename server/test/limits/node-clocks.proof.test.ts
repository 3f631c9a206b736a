import { type LimitChange, role } from '@tollgate/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { withSession } from '../rights/calls.ts'
import { createPeople, type People, type Person } from '../rights/people.ts'
import { openRightsSite, type RightsSite } from '../rights/site.ts'
import { describeEachServer } from '../support/db/databases.ts'
import { openProviderAccount, type ProviderAccount } from '../support/direct/provider-account.ts'
import { redisHere, type TestRedis, testRedis } from '../support/lib/redis.ts'

/** Two nodes of one database and one Redis, the clock of one of which is ahead. */

const hourMs = 3_600_000
const aheadMs = hourMs + 60_000
const most = 10

describeEachServer('two nodes whose clocks differ', (place, engine) => {
  // State that nodes share beside Redis does not depend on the engine.
  const isHere = redisHere && engine === 'postgres'
  let redis: TestRedis
  let account: ProviderAccount
  let nodes: RightsSite[] = []
  let people: People
  let root: Person

  beforeAll(async () => {
    if (!isHere) return
    redis = await testRedis()
    await redis.start()
    account = await openProviderAccount()
    account.answer = { choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }] }
    const shared = { SQL_DSN: (await place()).url, REDIS_CONN_STRING: redis.url }
    const right = await openRightsSite({ ...shared, NODE_NAME: 'right' })
    nodes = [right]
    people = createPeople(right)
    root = await people.make(role.root)
    const body = { type: 1, name: 'all', key: 'sk-u', models: 'gpt-4.1', group: 'default', base_url: account.url }
    await right.ask({ method: 'POST', path: '/api/channel/', headers: withSession(root), body })
    nodes.push(await openRightsSite({ ...shared, NODE_NAME: 'ahead' }, () => Date.now() + aheadMs))
  })
  afterAll(async () => {
    for (const node of nodes) await node.close()
    await account?.close()
    await redis?.stop()
  })

  /** How many of three times as many calls as are allowed are let through in one hour; undefined where the hour ended meanwhile. */
  const letThrough = async (): Promise<number | undefined> => {
    const [right, ahead] = nodes
    if (right === undefined || ahead === undefined) throw new Error('a node is missing')
    const caller = await people.make(role.user)
    await right.database.query
      .updateTable('tokens')
      .set({ unlimited_quota: 1 })
      .where('id', '=', caller.tokenId)
      .execute()
    const limit = {
      name: `of ${caller.username}`,
      measure: 'requests',
      amount: most,
      window: 'hour',
      subjects: [{ kind: 'key', value: String(caller.tokenId) }],
    } satisfies Partial<LimitChange>
    const made = await right.ask({ method: 'POST', path: '/api/limits', headers: withSession(root), body: limit })
    expect(made.json.success).toBe(true)
    const hour = Math.floor(Date.now() / hourMs)
    let through = 0
    for (let call = 0; call < 3 * most; call += 1) {
      const { status, text } = await (call % 2 === 0 ? right : ahead).ask({
        method: 'POST',
        path: '/v1/chat/completions',
        headers: { authorization: `Bearer sk-${caller.apiKey}` },
        body: { model: 'gpt-4.1', messages: [{ role: 'user', content: 'hi' }] },
      })
      expect([200, 429], text).toContain(status)
      if (status === 200) through += 1
    }
    return Math.floor(Date.now() / hourMs) === hour ? through : undefined
  }

  it.runIf(isHere)('let no more through together than a limit allows', async () => {
    const through = (await letThrough()) ?? (await letThrough())
    expect(through).toBeLessThanOrEqual(most)
    expect(through).toBeGreaterThan(most / 2)
  })
})
