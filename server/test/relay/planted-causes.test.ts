import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openCacheMemory } from '../../src/relay/sessions/cache-memory.ts'
import { openSessionCounts } from '../../src/relay/sessions/session-counts.ts'
import { createSessionGuard } from '../../src/relay/sessions/session-guard.ts'
import { openSessionPlaces } from '../../src/relay/sessions/session-places.ts'
import { openTestGateway, type TestGateway } from '../support/gateway/listener.ts'
import { completion, json, type Received } from '../support/gateway/upstream.ts'
import { type CachingUpstream, openCachingUpstream } from '../support/relay/caching-upstream.ts'
import { openTestChannels, testChannel, testOptions } from '../support/relay/ports.ts'

/** Runs of agents with one planted fault each, through the gateway to a provider with a cache per account. */

const minute = 60_000
const time = { now: 0 }
const clock = () => time.now
let upstream: CachingUpstream
let gateway: TestGateway

beforeEach(async () => {
  time.now = Date.UTC(2026, 10, 2, 9, 15)
  upstream = await openCachingUpstream({ clock, life: 10 * minute, least: 1024 })
  const guard = createSessionGuard(openSessionCounts({ clock }), clock)
  const channels = [1, 2].map((id) =>
    testChannel({ id, keys: [`sk-${id}`], baseUrl: upstream.url, priority: -id, models: new Set(['gpt-4o']) }),
  )
  gateway = await openTestGateway({
    relay: {
      clock,
      channels: openTestChannels(...channels),
      sessionPlaces: openSessionPlaces(),
      sessionGuard: guard,
      cacheMemory: openCacheMemory({ clock, later: (work) => work() }),
      settings: { ...testOptions, retryTimes: 1 },
      onCharged: (record) => guard.charged(record),
    },
  })
})
afterEach(async () => {
  await gateway.close()
  await upstream.close()
})

const send = (body: object, path = '/v1/chat/completions', session = 'agent'): Promise<Response> =>
  fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json', 'session-id': session },
    body: JSON.stringify({ model: 'gpt-4o', ...body }),
  })

describe('the cache doctor names the planted cause:', () => {
  const tool = (name: string) => ({ type: 'function', function: { name, parameters: { type: 'object' } } })
  const tools = ['read', 'edit', 'run'].map(tool)
  const opening = 'You are an agent. It is 9:15 AM on Monday. '
  /** A person's question and so many steps with their results. */
  const turnsOf = (steps: number) => [
    { role: 'user', content: 'mend it' },
    ...Array.from({ length: steps }, (_, index) => [
      { role: 'assistant', content: `step ${index}` },
      { role: 'user', content: `result ${index}` },
    ]).flat(),
  ]
  const agent = (turns: number, changes: { system?: string; more?: object } = {}) => ({
    tools,
    reasoning_effort: 'low',
    ...changes.more,
    messages: [{ role: 'system', content: changes.system ?? opening.repeat(50) }, ...turnsOf(turns)],
  })

  /** Of the latest call: what it read, and why it read no more. */
  const diagnosis = () => {
    const { measures, other } = gateway.parts.recorder.records.at(-1) ?? {}
    return { cached: measures?.cached ?? 0, miss: other?.cache_miss }
  }
  const call = async (body: object) => {
    expect((await send(body)).status).toBe(200)
    time.now += minute
    return diagnosis()
  }

  it.each<[string, (() => void) | undefined, object, object]>([
    ['the order of the tools', undefined, agent(3, { more: { tools: tools.toReversed() } }), { cause: 'tools_order' }],
    [
      'a time in the system prompt',
      undefined,
      agent(3, { system: opening.replace('9:15 AM on Monday', '1:20 PM on Tuesday').repeat(50) }),
      { cause: 'instructions_time' },
    ],
    ['another effort', undefined, agent(3, { more: { reasoning_effort: 'high' } }), { cause: 'effort_changed' }],
    ['the move to another channel', () => upstream.dead.add('sk-1'), agent(3), { cause: 'moved' }],
    [
      'minutes of silence',
      () => {
        time.now += 13 * minute
      },
      agent(3),
      { cause: 'expired', minutes: 14 },
    ],
  ])('%s', async (_, plant, planted, cause) => {
    expect((await call(agent(1))).miss).toBeUndefined()
    const second = await call(agent(2))
    expect(second).toEqual({ cached: expect.any(Number), miss: undefined })
    expect(second.cached).toBeGreaterThan(1024)
    plant?.()
    expect((await call(planted)).miss).toEqual({ ...cause, tokens: expect.any(Number) })
    // The planted text is in the cache now: the next call is no miss.
    if (plant === undefined) expect((await call(planted)).miss).toBeUndefined()
  })

  it('a prompt below the provider’s minimum', async () => {
    const short = (turns: number) => ({ messages: agent(turns, { system: 'You are an agent.' }).messages })
    expect((await call(short(1))).miss).toBeUndefined()
    expect(await call(short(2))).toEqual({ cached: 0, miss: { cause: 'below_minimum', tokens: 0 } })
  })
})

const rounds = {
  '/v1/chat/completions': (count: number) => ({
    messages: [
      { role: 'user', content: 'mend it' },
      ...Array.from({ length: count }, (_, index) => [
        {
          role: 'assistant',
          tool_calls: [{ id: `c${index}`, type: 'function', function: { name: 'ls', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: `c${index}`, content: 'nothing' },
      ]).flat(),
    ],
  }),
  '/v1/messages': (count: number) => ({
    max_tokens: 100,
    messages: [
      { role: 'user', content: 'mend it' },
      ...Array.from({ length: count }, (_, index) => [
        { role: 'assistant', content: [{ type: 'tool_use', id: `c${index}`, name: 'ls', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${index}`, content: 'nothing' }] },
      ]).flat(),
    ],
  }),
  '/v1/responses': (count: number) => ({
    input: [
      { role: 'user', content: 'mend it' },
      ...Array.from({ length: count }, (_, index) => [
        { type: 'function_call', call_id: `c${index}`, name: 'ls', arguments: '{}' },
        { type: 'function_call_output', call_id: `c${index}`, output: 'nothing' },
      ]).flat(),
    ],
  }),
  '/v1beta/models/gpt-4o:generateContent': (count: number) => ({
    contents: [
      { role: 'user', parts: [{ text: 'mend it' }] },
      ...Array.from({ length: count }, () => [
        { role: 'model', parts: [{ functionCall: { name: 'ls', args: {} } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { result: 'nothing' } } }] },
      ]).flat(),
    ],
  }),
} as const
type Path = keyof typeof rounds
const paths = Object.keys(rounds) as Path[]

/** The text that clients show of an error, in the place where each dialect has it. */
const shownBy = async (response: Response): Promise<string> => {
  const { error } = (await response.json()) as { error: { message: string } }
  return error.message
}

/** Answers in the language in which it is asked, and keeps nothing. */
const plainAnswer = (call: Received): void => {
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
  const output = [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] }]
  const response = { id: 'resp_1', object: 'response', status: 'completed', model: 'gpt-4o', output, usage }
  json(call.path.endsWith('/responses') ? response : completion('ok'))(call)
}

describe.each(paths)('the guard of sessions at %s', (path) => {
  beforeEach(() => {
    upstream.answer = plainAnswer
  })
  const limit = (limits: object): void => {
    gateway.parts.settings = { ...gateway.parts.settings, sessionLimits: new Map([['*', limits]]) }
  }
  const model = path.startsWith('/v1beta') ? { model: undefined } : {}
  const ask = async (count: number): Promise<{ status: number; shown: string }> => {
    const response = await send({ ...rounds[path](count), ...model }, path)
    const { status } = response
    if (status !== 200) return { status, shown: await shownBy(response) }
    await response.arrayBuffer()
    return { status, shown: '' }
  }
  /** How many calls were answered before one was stopped, what the stopped ones asked of the provider, and what they show. */
  const runAway = async (between = () => {}) => {
    let answered = 0
    for (; answered < 50; answered += 1) {
      const before = upstream.received.length
      const { status, shown } = await ask(1)
      if (status !== 200) return { answered, status, shown, asked: upstream.received.length - before }
      between()
    }
    throw new Error('nothing stopped it')
  }

  it('stops a loop of the same call with the same result', async () => {
    limit({ repeats: 4 })
    expect(await ask(3)).toEqual({ status: 200, shown: '' })
    const { status, shown } = await ask(4)
    expect(status).toBe(400)
    expect(shown).toContain('made the same tool call with the same result 4 times and was stopped')
  })

  it('stops a runaway at its number of calls, its money and its minutes, without asking the provider', async () => {
    limit({ calls: 7 })
    const stopped = { status: 400, asked: 0 }
    expect(await runAway()).toMatchObject({ ...stopped, answered: 7, shown: expect.stringContaining('(7 calls)') })
    time.now += 25 * 60 * minute
    const [price] = gateway.parts.recorder.records
    limit({ money: (3 * (price?.quota ?? 0)) / 500_000 })
    expect(await runAway()).toMatchObject({ ...stopped, answered: 3, shown: expect.stringContaining('($') })
    time.now += 25 * 60 * minute
    limit({ minutes: 30 })
    const tenMinutes = (): void => {
      time.now += 10 * minute
    }
    expect(await runAway(tenMinutes)).toMatchObject({
      ...stopped,
      answered: 3,
      shown: expect.stringContaining('30 min'),
    })
  })
})
