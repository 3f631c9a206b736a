import { describe, expect, it } from 'vitest'
import { silentConversation } from '../../../test/support/dialects/speakers.ts'
import { anthropicMessages } from '../anthropic/dialect.ts'
import { geminiContent } from '../gemini/dialect.ts'
import { openaiChat } from '../openai-chat/dialect.ts'
import { openaiResponses } from '../openai-responses/dialect.ts'
import type { Conversation, Message } from './conversation.ts'
import { createUnsupportedFields } from './unsupported-fields.ts'

/** Requested reasoning is written with the fields that each model accepts. */

const asking = (more: Partial<Conversation>): Conversation => ({
  ...silentConversation,
  messages: [{ role: 'user', parts: [{ kind: 'text', text: 'hi' }] }],
  ...more,
})

const written = (upstream: ReturnType<typeof openaiChat>, more: Partial<Conversation>) => {
  const unsupported = createUnsupportedFields()
  const body = upstream.writeRequest(asking(more), unsupported)
  return { body, lost: unsupported.list() }
}

describe('OpenAI', () => {
  it.each([
    ['gpt-5', 'none', 'minimal', ['reasoning']],
    ['gpt-5-mini', 'max', 'high', []],
    ['gpt-5-pro', 'low', 'high', []],
    ['gpt-5.1', 'minimal', 'low', []],
    ['gpt-5.1-codex', 'xhigh', 'high', []],
    ['gpt-5.1-codex-max', 'max', 'xhigh', []],
    ['gpt-5.4', 'max', 'xhigh', []],
    ['gpt-5.6-sol', 'max', 'max', []],
    ['gpt-6.1-sol', 'none', 'low', ['reasoning']],
    ['gpt-6-luna', 'none', 'none', []],
    ['o4-mini', 'xhigh', 'high', []],
    ['o3', 'minimal', 'low', []],
    ['gpt-5-chat-latest', 'high', undefined, ['reasoning']],
    ['gpt-4o', 'high', undefined, ['reasoning']],
    ['gpt-4o', 'none', undefined, []],
  ] as const)('%s, asked for %s, is asked for %s', (model, effort, expected, unsupported) => {
    const { body, lost } = written(openaiChat(), { model, reasoning: { effort } })
    expect(body.reasoning_effort).toBe(expected)
    expect(lost).toEqual(unsupported)
  })

  it('asks nothing of a model that does not think in responses either', () => {
    expect(written(openaiResponses, { model: 'gpt-4.1', reasoning: { effort: 'high' } })).toEqual({
      body: expect.not.objectContaining({ reasoning: expect.anything() }),
      lost: ['reasoning'],
    })
  })

  it.each([
    ['gpt-5', undefined, ['stop', 'temperature', 'top_p']],
    ['gpt-5.2', undefined, ['stop']],
    ['gpt-5.2', 'high', ['stop', 'temperature', 'top_p']],
    ['gpt-5.5', undefined, ['stop', 'temperature', 'top_p']],
    ['gpt-5.6-luna', undefined, ['stop', 'temperature', 'top_p']],
    ['gpt-5.6', 'none', ['stop']],
    ['gpt-6-astra', 'none', ['reasoning', 'stop', 'temperature', 'top_p']],
    ['gpt-6.1-terra', 'none', ['stop']],
    ['gpt-4o', undefined, []],
  ] as const)('takes sampling away from %s with effort %s, which would refuse it', (model, effort, unsupported) => {
    const reasoning = effort === undefined ? {} : { reasoning: { effort } }
    const { body, lost } = written(openaiChat(), { model, temperature: 0.2, topP: 0.9, stop: ['x'], ...reasoning })
    expect('temperature' in body).toBe(!unsupported.some((name) => name === 'temperature'))
    expect(lost).toEqual(unsupported)
  })
})

describe('Claude', () => {
  const think = (model: string, more: Partial<Conversation>) => {
    const { body, lost } = written(anthropicMessages(), { model, ...more })
    return { thinking: body.thinking, effort: (body.output_config as { effort?: string } | undefined)?.effort, lost }
  }
  const nothing = { thinking: undefined, effort: undefined }

  it.each([
    ['claude-3-5-haiku-20241022', 'high', nothing, ['reasoning']],
    [
      'claude-3-7-sonnet-20250219',
      'low',
      { thinking: { type: 'enabled', budget_tokens: 2048 }, effort: undefined },
      [],
    ],
    ['claude-sonnet-4-5', 'none', { thinking: { type: 'disabled' }, effort: undefined }, []],
    ['claude-sonnet-4-6', 'xhigh', { thinking: { type: 'adaptive' }, effort: 'high' }, []],
    ['claude-opus-4-7', 'xhigh', { thinking: { type: 'adaptive' }, effort: 'xhigh' }, []],
    ['claude-opus-4-7', 'none', nothing, []],
    ['claude-sonnet-5', 'none', { thinking: { type: 'disabled' }, effort: undefined }, []],
    ['claude-opus-5-5', 'none', { thinking: undefined, effort: 'low' }, ['reasoning']],
    ['claude-mythos-preview', 'minimal', { thinking: { type: 'adaptive' }, effort: 'low' }, []],
  ] as const)('%s, asked for %s, thinks as it can', (model, effort, expected, lost) => {
    expect(think(model, { reasoning: { effort } })).toEqual({ ...expected, lost })
  })

  it('takes no budget where only adaptive thinking is left', () => {
    expect(think('claude-opus-4-7', { reasoning: { budget: 4000 } })).toMatchObject({ thinking: { type: 'adaptive' } })
    expect(think('claude-opus-4-6', { reasoning: { budget: 4000 } })).toMatchObject({
      thinking: { budget_tokens: 4000 },
    })
  })

  it.each([
    ['claude-opus-4-8', 'auto', { type: 'adaptive', display: 'summarized' }],
    ['claude-opus-4-7', 'detailed', { type: 'adaptive', display: 'summarized' }],
    ['claude-next-7', 'concise', { type: 'adaptive', display: 'summarized' }],
    ['claude-opus-4-8', 'none', { type: 'adaptive', display: 'omitted' }],
    ['claude-opus-4-8', undefined, { type: 'adaptive' }],
    ['claude-opus-4-6', 'auto', { type: 'adaptive' }],
  ] as const)('%s, asked for the summary %s, shows thoughts as asked', (model, summary, thinking) => {
    const reasoning = { effort: 'high', ...(summary === undefined ? {} : { summary }) } as const
    expect(think(model, { reasoning }).thinking).toEqual(thinking)
  })

  it.each([
    ['claude-opus-4-1', 23_808],
    ['claude-haiku-4-5', 55_808],
  ])('%s has no greater budget than its answer may be long', (model, budget_tokens) => {
    const { body } = written(anthropicMessages(), { model, reasoning: { budget: 63_999 } })
    expect(body).toMatchObject({ max_tokens: budget_tokens + 8192, thinking: { budget_tokens } })
  })

  it('thinks within the bound that the client set', () => {
    const reasoning = { effort: 'high' } as const
    const bounded = written(anthropicMessages(), { model: 'claude-sonnet-4-5', reasoning, maxTokens: 4000 })
    expect(bounded.body).toMatchObject({ max_tokens: 4000, thinking: { budget_tokens: 3200 } })
    const tight = written(anthropicMessages(), { model: 'claude-sonnet-4-5', reasoning, maxTokens: 500 })
    expect(tight.body).not.toHaveProperty('thinking')
    expect(tight.lost).toEqual(['reasoning'])
  })

  const called: readonly Message[] = [
    { role: 'user', parts: [{ kind: 'text', text: 'hi' }] },
    { role: 'assistant', parts: [{ kind: 'tool_call', id: 'c1', name: 'f', arguments: '{}' }] },
    { role: 'tool', parts: [{ kind: 'tool_result', id: 'c1', content: [] }] },
  ]
  const signed = called.map((message) =>
    message.role === 'assistant'
      ? {
          ...message,
          parts: [{ kind: 'thinking', text: 'a', signature: 's', by: 'anthropic' } as const, ...message.parts],
        }
      : message,
  )
  const tools = [{ kind: 'function', name: 'f' }] as const

  it.each([
    ['a call whose thought was not given back', 'claude-sonnet-4-5', { messages: called }, true],
    ['a call whose thought was given back', 'claude-sonnet-4-5', { messages: signed }, false],
    ['a call without its thought, where the model decides', 'claude-opus-4-7', { messages: called }, false],
    ['a call that is forced', 'claude-sonnet-4-5', { tools, toolChoice: { kind: 'required' } }, true],
  ] as const)('does not think with a budget beside %s', (_what, model, more, isLost) => {
    const { body, lost } = written(anthropicMessages(), { model, reasoning: { effort: 'high' }, ...more })
    expect(lost.includes('reasoning')).toBe(isLost)
    expect('thinking' in body).toBe(!isLost)
  })

  it('is given no sampling where it takes none', () => {
    const { body, lost } = written(anthropicMessages(), {
      model: 'claude-opus-4-7',
      temperature: 0.2,
      topP: 0.9,
      topK: 5,
    })
    expect(Object.keys(body)).toEqual(['model', 'max_tokens', 'messages', 'stream'])
    expect(lost).toEqual(['temperature', 'top_k', 'top_p'])
  })
})

describe('Gemini', () => {
  it.each([
    ['gemini-2.0-flash', { effort: 'high' }, undefined, ['reasoning']],
    ['gemini-2.0-flash', { budget: 0 }, undefined, []],
    ['gemini-2.5-flash', { budget: 0 }, { thinkingBudget: 0 }, []],
    ['gemini-2.5-pro', { effort: 'none' }, { thinkingBudget: 128 }, ['reasoning']],
    ['gemini-2.5-pro', { effort: 'low' }, { thinkingBudget: 2048, includeThoughts: true }, []],
    ['gemini-3-pro-preview', { effort: 'medium' }, { thinkingLevel: 'high', includeThoughts: true }, []],
    ['gemini-3-flash-preview', { effort: 'minimal' }, { thinkingLevel: 'minimal', includeThoughts: true }, []],
    ['gemini-3.1-pro-preview', { budget: 0 }, { thinkingLevel: 'low' }, ['reasoning']],
    ['gemini-2.5-flash', { budget: 31_999 }, { thinkingBudget: 24_576, includeThoughts: true }, []],
    ['gemini-2.5-flash', { effort: 'max' }, { thinkingBudget: 24_576, includeThoughts: true }, []],
    ['gemini-2.5-flash-lite', { budget: 100 }, { thinkingBudget: 512, includeThoughts: true }, []],
    ['gemini-2.5-flash-lite', { budget: 0 }, { thinkingBudget: 0 }, []],
    ['gemini-2.5-pro', { budget: 60_000 }, { thinkingBudget: 32_768, includeThoughts: true }, []],
    ['gemini-2.5-pro', { budget: 5 }, { thinkingBudget: 128, includeThoughts: true }, []],
    ['gemini-2.5-pro', { budget: -1 }, { thinkingBudget: -1, includeThoughts: true }, []],
    ['gemini-3.8-flash', { budget: 60_000 }, { thinkingBudget: 24_576, includeThoughts: true }, []],
    ['gemini-3.8-flash', { effort: 'none' }, { thinkingLevel: 'minimal' }, ['reasoning']],
    ['gemini-flash-latest', { effort: 'max' }, { thinkingLevel: 'high', includeThoughts: true }, []],
    ['gemini-4-argon', { effort: 'minimal' }, { thinkingLevel: 'low', includeThoughts: true }, []],
  ] as const)('%s, asked for %o, is asked for %o', (model, reasoning, expected, unsupported) => {
    const { body, lost } = written(geminiContent(), { model, reasoning })
    expect((body.generationConfig as { thinkingConfig?: object } | undefined)?.thinkingConfig).toEqual(expected)
    expect(lost).toEqual(unsupported)
  })
})
