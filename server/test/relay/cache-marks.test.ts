import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { anthropic } from '../../src/providers/anthropic/provider.ts'
import { bedrock } from '../../src/providers/bedrock/provider.ts'
import { openai } from '../../src/providers/openai/provider.ts'
import type { RelayChannel, RelayOptions } from '../../src/relay/ports.ts'
import { openTestGateway, type TestGateway } from '../support/gateway/listener.ts'
import { completion, json, openTestUpstream, type TestUpstream } from '../support/gateway/upstream.ts'
import { openTestChannels, testChannel, testOptions } from '../support/relay/ports.ts'

/** Marks of what to cache, and noise of clients, on their way through the gateway to providers of several languages. */

let upstream: TestUpstream
let gateway: TestGateway

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content: [{ type: 'text', text: 'done' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 2000, cache_read_input_tokens: 0 },
}

beforeEach(async () => {
  upstream = await openTestUpstream()
  upstream.answer = (call) => json(call.path.includes('chat/completions') ? completion('done') : message)(call)
})
afterEach(async () => {
  await gateway?.close()
  await upstream.close()
})

const open = async (
  channel: Partial<RelayChannel>,
  cacheMarks: [string, '5m' | '1h' | 'off'][] = [],
): Promise<void> => {
  const settings: RelayOptions = { ...testOptions, cacheMarks: new Map(cacheMarks) }
  const channels = openTestChannels(testChannel({ baseUrl: upstream.url, ...channel }))
  gateway = await openTestGateway({ relay: { channels, settings } })
}

const atAnthropic = { provider: anthropic, type: 14 }
const atBedrock = { provider: bedrock, type: 33, keys: ['AKIAEXAMPLE|secret|us-east-1'] }

const sent = async (path: string, body: Record<string, unknown>): Promise<Record<string, unknown>> => {
  const response = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 10, ...body }),
  })
  expect(await response.text()).toContain('done')
  const last = upstream.received.at(-1)
  return JSON.parse(String(last?.body)) as Record<string, unknown>
}

const mark = { cache_control: { type: 'ephemeral' } }
const turns = [
  { role: 'user', content: 'mend it' },
  { role: 'assistant', content: 'how?' },
  { role: 'user', content: 'well' },
]
const system = [{ type: 'text', text: 'You are an agent.' }]
const marksIn = (body: unknown): number => JSON.stringify(body).match(/cache_control/g)?.length ?? 0

describe('automatic cache marks', () => {
  it('are set for a group that wants them, and for no other', async () => {
    await open(atAnthropic, [['default', '1h']])
    const body = await sent('/v1/messages', { system, messages: turns })
    expect(body.system).toEqual([{ ...system[0], cache_control: { type: 'ephemeral', ttl: '1h' } }])
    expect(marksIn(body)).toBe(3)
    await gateway.close()
    await open(atAnthropic, [['vip', '1h']])
    expect(marksIn(await sent('/v1/messages', { system, messages: turns }))).toBe(0)
  })

  it('are the channel’s own affair where its settings say something', async () => {
    await open({ ...atAnthropic, cacheMarks: 'off' }, [['*', '5m']])
    expect(marksIn(await sent('/v1/messages', { system, messages: turns }))).toBe(0)
    await gateway.close()
    await open({ ...atAnthropic, cacheMarks: '5m' })
    expect(marksIn(await sent('/v1/messages', { system, messages: turns }))).toBe(3)
  })

  it('are set at Bedrock, and for clients of another language', async () => {
    await open({ ...atBedrock, cacheMarks: '5m' })
    const body = await sent('/v1/messages', { system, messages: turns })
    expect(body).toMatchObject({ anthropic_version: 'bedrock-2023-05-31', system: [{ ...system[0], ...mark }] })
    await gateway.close()
    await open({ ...atAnthropic, cacheMarks: '5m' })
    const chat = [{ role: 'system', content: 'You are an agent.' }, ...turns]
    expect(await sent('/v1/chat/completions', { messages: chat })).toMatchObject({
      system: [{ ...system[0], ...mark }],
    })
  })

  it('leave requests alone that the client marked, and those in languages without marks', async () => {
    await open({ ...atAnthropic, cacheMarks: '5m' })
    expect(marksIn(await sent('/v1/messages', { system: [{ ...system[0], ...mark }], messages: turns }))).toBe(1)
    await gateway.close()
    await open({ provider: openai, type: 1, cacheMarks: '5m' })
    expect(marksIn(await sent('/v1/messages', { system, messages: turns }))).toBe(0)
  })
})

it('are held for where only a channel sets them, and nowhere else', async () => {
  const held = async (channel: Partial<RelayChannel>): Promise<number> => {
    await open(channel)
    const long = [{ type: 'text', text: 'You are an agent. '.repeat(500) }]
    await sent('/v1/messages', { system: long, messages: turns })
    return gateway.parts.holds.ends.at(-1)?.amount ?? 0
  }
  const plain = await held(atAnthropic)
  await gateway.close()
  expect(await held({ ...atAnthropic, cacheMarks: '5m' })).toBeGreaterThan(plain)
  await gateway.close()
  expect(await held({ ...atAnthropic, cacheMarks: 'off' })).toBe(plain)
})

describe('Claude Code’s billing line', () => {
  const billed = [{ type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1; cch=eb6c6;' }, ...system]

  it('reaches Anthropic, for whom it is', async () => {
    await open(atAnthropic)
    expect(await sent('/v1/messages', { system: billed, messages: turns })).toMatchObject({ system: billed })
  })

  it.each<[string, Partial<RelayChannel>]>([
    ['other hosts of Claude', atBedrock],
    [
      'other models in Anthropic’s language',
      { ...atAnthropic, modelMapping: new Map([['claude-sonnet-4-5', 'kimi-k3']]) },
    ],
    ['other languages', { provider: openai, type: 1 }],
  ])('does not reach %s', async (_, channel) => {
    await open(channel)
    const body = await sent('/v1/messages', { system: billed, messages: turns })
    expect(JSON.stringify(body)).toContain('You are an agent.')
    expect(JSON.stringify(body)).not.toContain('billing-header')
  })
})
