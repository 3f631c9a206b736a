import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { redisHere, type TestRedis, testRedis } from '../../../test/support/lib/redis.ts'
import { silentLog } from '../../lib/log.ts'
import { openSharedRedis, type SharedRedis } from '../../lib/redis/redis-client.ts'
import { openSecrets } from '../../lib/security/secrets.ts'
import { openThoughtMemory, type ThoughtMemoryParts } from './thought-memory.ts'

const secrets = openSecrets({ cryptoSecret: 'thoughts-test-secret', keyFile: '/nowhere' })
const start = 1_900_000_000_000
const hour = 3_600_000

const node = (parts: Partial<ThoughtMemoryParts> = {}) =>
  openThoughtMemory({ secrets, redis: undefined, clock: () => start, ...parts })

const thought = (turn: string, text = `before ${turn}`) => ({ turn, members: { reasoning_content: text } })

describe('thoughts', () => {
  it('are found by the session that had them, and by no other', () => {
    const memory = node()
    memory.remember('session', thought('call_1'))
    expect(memory.recall('session', ['call_1', 'call_2'])).toEqual(
      new Map([['call_1', { reasoning_content: 'before call_1' }]]),
    )
    expect(memory.recall('other', ['call_1'])).toEqual(new Map())
  })

  it('are forgotten an hour after their last use', () => {
    let now = start
    const memory = node({ clock: () => now })
    memory.remember('session', thought('used'))
    memory.remember('session', thought('unused'))
    now += hour - 1
    expect(memory.recall('session', ['used'])).toHaveProperty('size', 1)
    now += hour - 1
    expect(memory.recall('session', ['used', 'unused'])).toEqual(
      new Map([['used', { reasoning_content: 'before used' }]]),
    )
  })

  it('take no more memory than they may: the longest unused go first', () => {
    const memory = node({ most: 2_000 })
    for (const turn of ['one', 'two', 'three']) memory.remember('session', thought(turn, 'x'.repeat(400)))
    const kept = memory.recall('session', ['one', 'two', 'three'])
    expect(kept).toEqual(new Map(['two', 'three'].map((turn) => [turn, thought(turn, 'x'.repeat(400)).members])))
  })
})

describe.runIf(redisHere)('thoughts on two nodes', () => {
  let server: TestRedis
  let redis: SharedRedis
  beforeAll(async () => {
    server = await testRedis()
    await server.start()
    redis = await openSharedRedis({ url: server.url, log: silentLog })
  })
  afterAll(async () => {
    redis?.close()
    await server?.stop()
  })

  it('are found by the other node, and cannot be read in Redis', async () => {
    const [one, two] = [node({ redis }), node({ redis })]
    one.remember('session', thought('call_1', 'a secret thought'))
    expect(await two.recall('session', ['call_1', 'none'])).toEqual(
      new Map([['call_1', { reasoning_content: 'a secret thought' }]]),
    )
    const all = await redis.run(
      `local t = {} for _, k in ipairs(redis.call('KEYS', '*thoughts*')) do t[#t+1] = k .. redis.call('GET', k) end return t`,
      [],
      [],
    )
    expect(all).toHaveLength(1)
    expect(JSON.stringify(all)).not.toMatch(/secret thought|call_1|session/)
  })

  it('are remembered by each node for itself while Redis is away', async () => {
    const away: SharedRedis = { run: () => Promise.reject(new Error('away')), close: () => {} }
    const memory = node({ redis: away })
    memory.remember('session', thought('call_1'))
    expect(await memory.recall('session', ['call_1', 'call_2'])).toHaveProperty('size', 1)
  })
})
