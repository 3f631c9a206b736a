import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { createEgressGuard } from '#server/lib/security/egress.ts'
import { openSecrets } from '#server/lib/security/secrets.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { openTestGateway, type TestGateway } from '#server-test/support/gateway/listener.ts'
import {
  chunk,
  completion,
  done,
  json,
  openTestUpstream,
  stream,
  type TestUpstream,
  usageChunk,
} from '#server-test/support/gateway/upstream.ts'
import { openTestChannels, testChannel } from '#server-test/support/relay/ports.ts'
import { createDualRuns, type DualRunSettings, type DualRuns } from './dual-runs.ts'
import { createSecondGateway } from './second-gateway.ts'
import { openDualRunStore } from './store.ts'

const secrets = openSecrets({ cryptoSecret: 'dual run test', keyFile: '' })

describeEachEngine('a dual run', (open) => {
  let database: Database
  let first: TestUpstream
  let second: TestUpstream
  let gateway: TestGateway
  let runs: DualRuns
  let settings: DualRunSettings
  let address: string

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    await database.query.deleteFrom('dual_runs').execute()
    first = await openTestUpstream()
    second = await openTestUpstream()
    address = `${second.url}/v1`
    settings = { on: true, share: 100, models: new Set(), keys: new Set(), dailyLimit: 1_000_000 }
    const price = () => gateway.parts.prices.of('m', 'default', { acceptsUnpriced: false })
    runs = createDualRuns({
      settings: () => settings,
      store: openDualRunStore({ database, secrets }),
      ask: createSecondGateway({
        egress: createEgressGuard({ allow: [], operator: true }),
        address: () => address,
        key: () => 'second-key',
        mostBytes: 10_000,
        timeoutMs: 5_000,
        clock: Date.now,
      }),
      priceOf: price,
      clock: Date.now,
      random: () => 0.5,
      failed: (error) => {
        throw error
      },
    })
    const channels = openTestChannels(testChannel({ baseUrl: first.url }))
    gateway = await openTestGateway({ relay: { channels, captures: { current: runs } } })
  })
  afterEach(async () => {
    await gateway.close()
    await first.close()
    await second.close()
  })

  const ask = async (more: Record<string, unknown> = {}): Promise<string> => {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...more }),
    })
    return response.text()
  }

  const rows = async () => {
    await gateway.listener.over()
    await runs.idle()
    return (await runs.list({ p: 1, page_size: 10, differing: '' })).items
  }

  it('asks the second gateway the same with its own key, and compares text, tools, end, usage and bill', async () => {
    await ask()
    const [row] = await rows()
    expect(row).toMatchObject({
      status: 200,
      model: 'm',
      same_text: true,
      same_tools: true,
      same_finish: true,
      same_usage: true,
      prompt_tokens: 10,
      second_prompt_tokens: 10,
      second_completion_tokens: 5,
    })
    expect(row?.second_quota).toBe(row?.quota)
    const [asked] = second.received
    expect(asked?.path).toBe('/v1/chat/completions')
    expect(asked?.headers.authorization).toBe('Bearer second-key')
    expect(JSON.parse(String(asked?.body))).toMatchObject({ model: 'm' })
    expect(JSON.stringify(asked?.headers)).not.toContain('sk-good')
    expect(await runs.sums()).toMatchObject({ compared: 1, failed: 0, same_text: 1, same_usage: 1 })
  })

  it('shows both sides where they differ, also of streams', async () => {
    first.answer = stream(chunk('one'), usageChunk(3, 4), done)
    second.answer = stream(chunk('two'), usageChunk(3, 8), done)
    expect(await ask({ stream: true })).toContain('one')
    const [row] = await rows()
    expect(row).toMatchObject({
      same_text: false,
      same_usage: false,
      completion_tokens: 4,
      second_completion_tokens: 8,
    })
    expect(row?.second_quota).toBeGreaterThan(row?.quota ?? 0)
    expect(await runs.find(row?.id ?? 0)).toMatchObject({ text: 'one', second_text: 'two', error: '' })
    expect((await runs.list({ p: 1, page_size: 10, differing: '1' })).total).toBe(1)
    const [stored] = await database.query.selectFrom('dual_runs').select('content_cipher').execute()
    expect(stored?.content_cipher).not.toContain('two')
  })

  it('never delays or changes what the client gets, whatever the second gateway does', async () => {
    second.answer = ({ response }) => response.writeHead(500).end('broken sk-1234567890abcdefgh')
    expect(JSON.parse(await ask())).toMatchObject(completion('hello'))
    await rows()
    second.answer = ({ response }) => response.destroy()
    expect(JSON.parse(await ask())).toMatchObject(completion('hello'))
    await rows()
    second.answer = json(completion('x'.repeat(20_000)))
    expect(JSON.parse(await ask())).toMatchObject(completion('hello'))
    await rows()
    // It never answers, and the client has its answer all the same.
    second.answer = () => {}
    expect(JSON.parse(await ask())).toMatchObject(completion('hello'))
    await second.close()
    const found = await rows()
    expect(found.map(({ status }) => status).toSorted()).toEqual([0, 0, 0, 500])
    const broken = await runs.find(found.find(({ status }) => status === 500)?.id ?? 0)
    expect(broken.error).toContain('broken')
    expect(broken.error).not.toContain('sk-1234')
    expect(await runs.sums()).toMatchObject({ compared: 0, failed: 4, quota: 0, second_quota: 0 })
    second = await openTestUpstream()
  })

  it('asks only a share, of some models and keys, while it is on, and up to what it may cost a day', async () => {
    for (const change of [
      { on: false },
      { share: 50 },
      { models: new Set(['other']) },
      { keys: new Set([99]) },
      { dailyLimit: 0 },
    ]) {
      settings = { on: true, share: 100, models: new Set(), keys: new Set(), dailyLimit: 1_000_000, ...change }
      await ask()
    }
    expect(await rows()).toEqual([])
    expect(second.received).toEqual([])
    settings = { on: true, share: 51, models: new Set(['m']), keys: new Set([3]), dailyLimit: 1_000_000 }
    await ask()
    expect(await rows()).toHaveLength(1)
  })

  it('is kept for a time, and only so many', async () => {
    await ask()
    await ask()
    expect(await rows()).toHaveLength(2)
    const store = openDualRunStore({ database, secrets })
    await store.purge(0, 1)
    expect(await rows()).toHaveLength(1)
    await store.purge(Math.floor(Date.now() / 1000) + 10, 10)
    expect(await rows()).toEqual([])
  })
})
