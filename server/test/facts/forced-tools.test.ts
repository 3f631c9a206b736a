import { describe, expect, it } from 'vitest'
import { useScene } from '../support/gateway/scene.ts'
import { chatPath, messagesPath, responsesPath, sent } from '../support/gateway/sent.ts'

/** A forced tool beside thinking, which several providers refuse: the tool wins. */

useScene()

const messages = [{ role: 'user', content: 'x' }]
const schema = { type: 'object', properties: {} }
const chatTools = [{ type: 'function', function: { name: 'a', parameters: schema } }]
const off = { thinking: { type: 'disabled' } }

const models = [
  [43, 'deepseek-v4-pro', off],
  [1, 'deepseek-v4-pro', off],
  [8, 'kimi-k2.6', off],
  [25, 'kimi-k2.5', off],
  [17, 'qwen3.5-plus', { enable_thinking: false }],
  [17, 'deepseek-v4-pro', { enable_thinking: false }],
  [40, 'Pro/moonshotai/Kimi-K2.5', { enable_thinking: false }],
  [20, 'deepseek/deepseek-v4-pro', { reasoning_effort: 'none' }],
] as const

describe('with a model that thinks unless it is told not to', () => {
  it.each(models)('of type %i, %s, from Messages', async (type, model, expected) => {
    const tools = [{ name: 'a', input_schema: schema }]
    const { body, lost } = await sent(type, messagesPath, {
      model,
      max_tokens: 50,
      tools,
      tool_choice: { type: 'any' },
      messages,
    })
    expect(body).toMatchObject({ tool_choice: 'required', ...expected })
    expect(lost).toContain('reasoning')
  })

  it.each(models)('of type %i, %s, from chat completions, streamed', async (type, model, expected) => {
    const tool_choice = { type: 'function', function: { name: 'a' } }
    const { body, lost } = await sent(type, chatPath, { model, messages, tools: chatTools, tool_choice, stream: true })
    expect(body).toMatchObject({ tool_choice, ...expected })
    expect(lost).toContain('reasoning')
  })
})

it('is not asked to think by a client of Responses', async () => {
  const tools = [{ type: 'function', name: 'a', parameters: schema }]
  const call = { model: 'qwen3-max', input: 'x', reasoning: { effort: 'high' }, tools, tool_choice: 'required' }
  const { body, lost } = await sent(17, responsesPath, call)
  expect(body).toMatchObject({ tool_choice: 'required', enable_thinking: false })
  expect(body).not.toHaveProperty('thinking_budget')
  expect(lost).toEqual(['reasoning'])
  const native = await sent({ type: 17, modelMapping: new Map([['qwen3-max', 'qwen-doc-turbo']]) }, responsesPath, call)
  expect(native.body.parameters).toMatchObject({ tool_choice: 'required' })
})

it('is only offered where a model always thinks', async () => {
  const { body, lost } = await sent(25, chatPath, {
    model: 'kimi-k3',
    messages,
    tools: chatTools,
    tool_choice: 'required',
  })
  expect(body.tool_choice).toBe('auto')
  expect(lost).toEqual(['tool_choice'])
})

it.each([
  [
    17,
    '{"model":"qwen3-max", "messages":[],"tools":[{"type":"function","function":{"name":"a"}}],"tool_choice":"required"}',
  ],
  [
    43,
    '{"model":"deepseek-v4-pro", "messages":[],"tools":[{"type":"function","function":{"name":"a"}}],"tool_choice":"auto"}',
  ],
  [
    43,
    '{"model":"deepseek-v4-pro","thinking":{"type":"disabled"},"messages":[],"tools":[{"type":"function","function":{"name":"a"}}], "tool_choice":"required"}',
  ],
  [
    26,
    '{"model":"glm-4.6", "messages":[],"tools":[{"type":"function","function":{"name":"a"}}],"tool_choice":"required"}',
  ],
])('stays as it came where nothing meets it: type %i, %s', async (type, text) => {
  expect((await sent(type, chatPath, text)).raw).toBe(text)
})

describe('with Claude', () => {
  const tools = [{ name: 'a', input_schema: schema }]
  const call = { max_tokens: 5000, tools, tool_choice: { type: 'any' }, messages, thinking: { type: 'adaptive' } }
  const bedrock = { type: 33, keys: ['AK|SK|us-east-1'] }

  it.each(['claude-opus-4-6', 'claude-opus-4-7'])('%s at Bedrock does not think', async (model) => {
    const { body, lost } = await sent(bedrock, messagesPath, { model, ...call })
    expect(body).not.toHaveProperty('thinking')
    expect(lost).toContain('reasoning')
    const chat = { model, messages, tools: chatTools, tool_choice: 'required', reasoning_effort: 'high' }
    const translated = await sent(bedrock, chatPath, chat)
    expect(translated.body).toMatchObject({ tool_choice: { type: 'any' } })
    expect(translated.body).not.toHaveProperty('thinking')
    expect(translated.lost).toContain('reasoning')
  })

  it('thinks at Anthropic, and at Bedrock since 4.8', async () => {
    expect((await sent(14, messagesPath, { model: 'claude-opus-4-6', ...call })).body.thinking).toEqual({
      type: 'adaptive',
    })
    expect((await sent(bedrock, messagesPath, { model: 'claude-opus-4-8', ...call })).body.thinking).toEqual({
      type: 'adaptive',
    })
  })

  it.each(['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-fable-5-1', 'claude-opus-9-1', 'claude-next-9'])(
    '%s is only offered a tool, whoever asks and whoever hosts it',
    async (model) => {
      const forced = { model, max_tokens: 50, messages, tools, tool_choice: { type: 'tool', name: 'a' } }
      const chat = { model, messages, tools: chatTools, tool_choice: 'required' }
      for (const at of [14, bedrock]) {
        for (const { body, lost } of [await sent(at, messagesPath, forced), await sent(at, chatPath, chat)]) {
          expect(body.tool_choice).toEqual({ type: 'auto' })
          expect(lost).toContain('tool_choice')
        }
      }
      const routed = await sent(20, chatPath, { ...chat, model: `anthropic/${model.replace('5-5', '5.5')}` })
      expect(routed.body.tool_choice).toBe('auto')
      const open = JSON.stringify({ ...forced, tool_choice: { type: 'auto' } })
      expect((await sent(14, messagesPath, open)).raw).toBe(open)
    },
  )

  it.each(['claude-opus-5', 'claude-sonnet-5', 'claude-haiku-5-5', 'claude-fable-5'])('%s is forced', async (model) => {
    const text = JSON.stringify({ model, max_tokens: 50, messages, tools, tool_choice: { type: 'any' } })
    expect((await sent(14, messagesPath, text)).raw).toBe(text)
  })

  it('a model of DeepSeek in Anthropic’s dialect does not think', async () => {
    const chat = { model: 'deepseek-v4-pro', messages, tools: chatTools, tool_choice: 'required' }
    expect((await sent(14, chatPath, chat)).body.thinking).toEqual({ type: 'disabled' })
  })
})
