import { describe, expect, it } from 'vitest'
import { noUsage, type Usage } from '../../billing/usage.ts'
import { anthropicDialect } from '../../dialects/anthropic/dialect.ts'
import { geminiDialect } from '../../dialects/gemini/dialect.ts'
import { openaiChatDialect } from '../../dialects/openai-chat/dialect.ts'
import { openaiResponsesDialect } from '../../dialects/openai-responses/dialect.ts'
import { type CacheMemory, cacheMinimumOf, type JudgedCall, openCacheMemory } from './cache-memory.ts'
import type { SessionTrace } from './session-route.ts'

const tool = (name: string) => ({ name, description: `does ${name}`, input_schema: { type: 'object' } })
const turn = (index: number, mark?: object) => ({
  role: index % 2 === 0 ? 'user' : 'assistant',
  content: [{ type: 'text', text: `turn ${index}`, ...mark }],
})

/** A call of Claude Code with so many turns. */
const body = (turns: number, changes: Record<string, unknown> = {}): Record<string, unknown> => ({
  model: 'claude',
  tools: [tool('Read'), tool('Edit'), tool('Bash')],
  system: [{ type: 'text', text: 'You are an agent. It is 09:15 on day 324.' }],
  thinking: { type: 'enabled', budget_tokens: 2000 },
  messages: Array.from({ length: turns }, (_, index) => turn(index)),
  ...changes,
})

const call = (request: Record<string, unknown>, more: Partial<JudgedCall> = {}): JudgedCall => ({
  dialect: anthropicDialect,
  body: request,
  model: 'claude',
  ...more,
})

const used = (input: number, cacheRead: number, cacheWrite = 0): Usage => ({ ...noUsage, input, cacheRead, cacheWrite })
const hit: SessionTrace = { id: '0123456789abcdef', state: 'hit' }

const minute = 60_000
const open = () => {
  const time = { now: 0 }
  const memory = openCacheMemory({ clock: () => time.now, later: (work) => work() })
  return { memory, time }
}

/** A session whose first call left 40,000 tokens in the cache. */
const begun = (first = body(3)): { memory: CacheMemory; time: { now: number } } => {
  const opened = open()
  expect(opened.memory.seen(call(first), used(100, 0, 40_000), { ...hit, state: 'cold', why: 'new' })).toBeUndefined()
  opened.time.now += minute
  return opened
}

const missed = used(100, 0, 41_000)

describe('the cause of a miss', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['the order of tools', body(5, { tools: [tool('Bash'), tool('Read'), tool('Edit')] }), { cause: 'tools_order' }],
    ['another tool', body(5, { tools: [tool('Read'), tool('Edit')] }), { cause: 'tools_changed' }],
    [
      'a time in the instructions',
      body(5, { system: [{ type: 'text', text: 'You are an agent. It is 09:16 on day 324.' }] }),
      { cause: 'instructions_time' },
    ],
    ['other instructions', body(5, { system: 'You are a poet.' }), { cause: 'instructions_changed' }],
    [
      'an edited turn',
      body(5, { messages: [turn(0), turn(7), turn(2), turn(3), turn(4)] }),
      { cause: 'turn_edited', turn: 2 },
    ],
    ['a compacted conversation', body(5, { messages: [turn(9)] }), { cause: 'turns_removed' }],
    ['another effort', body(5, { thinking: { type: 'disabled' } }), { cause: 'effort_changed' }],
    ['nothing that is known here', body(5), { cause: 'unknown' }],
  ])('is %s', (_, request, cause) => {
    expect(begun().memory.seen(call(request), missed, hit)).toEqual({ tokens: 40_100, ...cause })
  })

  it('is the move to another channel or key, whatever else changed', () => {
    const moved: SessionTrace = { ...hit, state: 'moved', why: 'refused' }
    expect(begun().memory.seen(call(body(5, { system: 'other' })), missed, moved)).toMatchObject({ cause: 'moved' })
  })

  it('is a silence', () => {
    const { memory, time } = begun()
    time.now += 11 * minute
    expect(memory.seen(call(body(5)), missed, hit)).toMatchObject({ cause: 'expired', minutes: 12 })
  })

  it('is no silence within the hour that was paid for', () => {
    const { memory, time } = open()
    memory.seen(call(body(3)), { ...used(100, 0), cacheWrite1h: 40_000 }, hit)
    time.now += 20 * minute
    expect(memory.seen(call(body(4)), used(100, 40_000), hit)).toBeUndefined()
    time.now += 40 * minute
    expect(memory.seen(call(body(5)), missed, hit)).toMatchObject({ cause: 'unknown' })
  })

  it('is the order of functions, also where they stand within one tool', () => {
    const declared = (...names: string[]) => ({
      contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
      tools: [{ functionDeclarations: names.map((name) => ({ name })) }],
    })
    const gemini = { dialect: geminiDialect }
    const { memory } = open()
    memory.seen(call(declared('read', 'edit'), gemini), used(100, 20_000), hit)
    expect(memory.seen(call(declared('edit', 'read'), gemini), used(22_000, 0), hit)).toMatchObject({
      cause: 'tools_order',
    })
  })

  it('is another model that goes on with the conversation, not one that has its own', () => {
    const other = { model: 'claude-small' }
    expect(begun().memory.seen(call(body(5), other), missed, hit)).toMatchObject({ cause: 'model_changed' })
    const title = body(1, { messages: [{ role: 'user', content: 'a title' }] })
    expect(begun().memory.seen(call(title, other), missed, hit)).toBeUndefined()
  })

  it('is that a prompt became shorter than any that is cached', () => {
    expect(begun().memory.seen(call(body(5)), used(900, 0), hit)).toEqual({ cause: 'below_minimum', tokens: 0 })
  })

  it('is that prompts are too short from the first one on, where the model is known to have a cache', () => {
    const shortly = (model: string) => {
      const { memory } = open()
      memory.seen(call(body(2), { model }), used(900, 0), hit)
      return memory.seen(call(body(3), { model }), used(1000, 0), hit)?.cause
    }
    expect(shortly('claude-sonnet-4-5')).toBe('below_minimum')
    expect(shortly('gpt-5.2')).toBe('below_minimum')
    expect(shortly('a-model-of-ours')).toBeUndefined()
  })

  it('is a time in the instructions, also where it is written out', () => {
    const on = (day: string) => body(3, { system: `You are an agent. Today is ${day}.` })
    const { memory } = begun(on('Monday, 23 November, 11:59 AM'))
    expect(memory.seen(call(on('Tuesday, 1 December, 1:00 PM')), missed, hit)).toMatchObject({
      cause: 'instructions_time',
    })
    expect(memory.seen(call(on('a holiday')), missed, hit)).toMatchObject({ cause: 'instructions_changed' })
  })

  it('is found in other dialects, too', () => {
    const chat = (system: string, turns: number) => ({
      messages: [{ role: 'system', content: system }, ...Array.from({ length: turns }, (_, index) => turn(index))],
    })
    const { memory } = open()
    memory.seen(call(chat('a', 2), { dialect: openaiChatDialect }), used(100, 20_000), hit)
    expect(memory.seen(call(chat('b', 4), { dialect: openaiChatDialect }), used(22_000, 0), hit)).toEqual({
      cause: 'instructions_changed',
      tokens: 20_100,
    })
    const respond = (effort: string) => ({ instructions: 'i', input: [turn(0)], reasoning: { effort } })
    const another = { ...hit, id: 'fedcba9876543210' }
    memory.seen(call(respond('low'), { dialect: openaiResponsesDialect }), used(100, 20_000), another)
    expect(memory.seen(call(respond('high'), { dialect: openaiResponsesDialect }), used(22_000, 0), another)).toEqual({
      cause: 'effort_changed',
      tokens: 20_100,
    })
  })
})

describe('no miss', () => {
  it('is what reads all but the last step from the cache', () => {
    const { memory } = begun()
    expect(memory.seen(call(body(5)), used(1500, 39_500, 500), hit)).toBeUndefined()
  })

  it('is expected of a provider that has no cache', () => {
    const { memory } = open()
    memory.seen(call(body(3)), used(40_000, 0), hit)
    expect(memory.seen(call(body(5)), used(41_000, 0), hit)).toBeUndefined()
  })

  it('follows from marks that moved, nor from a billing header that changes', () => {
    const mark = { cache_control: { type: 'ephemeral' } }
    const system = (code: string) => [{ type: 'text', text: `x-anthropic-billing-header: cch=${code}` }]
    const { memory } = begun(body(3, { system: system('a1'), messages: [turn(0), turn(1), turn(2, mark)] }))
    const next = body(4, { system: system('b2'), messages: [turn(0), turn(1), turn(2), turn(3, mark)] })
    expect(memory.seen(call(next), missed, hit)).toMatchObject({ cause: 'unknown' })
  })
})

it('forgets the sessions that were silent longest', () => {
  const memory = openCacheMemory({ clock: () => 0, later: (work) => work(), most: 2 })
  const of = (id: string): SessionTrace => ({ ...hit, id })
  for (const id of ['a', 'b', 'c']) memory.seen(call(body(3)), used(100, 0, 40_000), of(id))
  expect(memory.seen(call(body(5)), missed, of('a'))).toBeUndefined()
  expect(memory.seen(call(body(5)), missed, of('c'))).toBeDefined()
})

describe('the shortest prompt that is cached', () => {
  it.each([
    ['claude-opus-4-5-20251101', 4096],
    ['claude-opus-4-7', 4096],
    ['anthropic.claude-opus-4-6-v1:0', 4096],
    ['claude-haiku-4-5', 4096],
    ['claude-3-5-haiku-20241022', 2048],
    ['claude-opus-4-1', 1024],
    ['claude-opus-4-20250514', 1024],
    ['claude-sonnet-4-5', 1024],
    ['claude-opus-4-8', 1024],
    ['us.anthropic.claude-sonnet-5', 1024],
    ['claude-opus-5-5', 512],
    ['claude-fable-5', 512],
    ['claude-next-6', 512],
    ['gemini-2.5-pro', 4096],
    ['gemini-3.8-flash', 1024],
    ['deepseek-v4-pro', 64],
    ['gpt-5.2', 1024],
    ['llama', 1024],
  ])('of %s has %i tokens', (model, tokens) => expect(cacheMinimumOf(model)).toBe(tokens))

  it('is that of the model that answers', () => {
    const { memory } = open()
    memory.seen(call(body(2), { upstreamModel: 'claude-opus-4-5' }), used(1000, 0, 5000), hit)
    const shorter = (upstreamModel: string) => memory.seen(call(body(2), { upstreamModel }), used(3000, 0), hit)?.cause
    expect(shorter('claude-opus-4-5')).toBe('below_minimum')
  })
})

it('names tools that Codex offers in its input', () => {
  const { memory } = open()
  const offer = (...names: string[]) => ({
    type: 'additional_tools',
    role: 'developer',
    tools: names.map((name) => ({ type: 'function', name, parameters: { type: 'object' } })),
  })
  const codex = (...names: string[]) =>
    call(
      { model: 'codex', instructions: 'You are Codex.', input: [offer(...names), turn(0)] },
      { dialect: openaiResponsesDialect },
    )
  memory.seen(codex('a', 'b'), used(5000, 0, 5000), hit)
  expect(memory.seen(codex('b', 'a'), used(5000, 0, 5000), hit)?.cause).toBe('tools_order')
  expect(memory.seen(codex('b', 'c'), used(10_000, 0, 5000), hit)?.cause).toBe('tools_changed')
})
