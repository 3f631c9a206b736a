import { describe, expect, it } from 'vitest'
import { useScene } from '../support/gateway/scene.ts'
import { chatPath, geminiPath, messagesPath, responsesPath, sent } from '../support/gateway/sent.ts'

/** How thinking is set and switched off at providers of chat completions that have members of their own for it. */

useScene()

const messages = [{ role: 'user', content: 'x' }]
const contents = [{ role: 'user', parts: [{ text: 'x' }] }]
const thoughtsIn = (body: Record<string, unknown>): unknown => {
  const names = ['thinking', 'reasoning_effort', 'enable_thinking', 'thinking_budget', 'chat_template_kwargs', 'think']
  return Object.fromEntries(names.flatMap((name) => (name in body ? [[name, body[name]]] : [])))
}

const off = { thinking: { type: 'disabled' } }
/** The upstream of these tests has a private address, where types for any provider mean an engine: its template is told, too. */
const template = { chat_template_kwargs: { enable_thinking: false, thinking: false } }

describe('"do not think"', () => {
  it.each([
    [43, 'deepseek-v4-pro', off],
    [43, 'deepseek-flash', off],
    [43, 'deepseek-v9', off],
    [1, 'deepseek-v4-pro', { ...off, ...template }],
    [8, 'deepseek-v4-flash', { ...off, ...template }],
    [25, 'kimi-k2.6', off],
    [8, 'kimi-k2.5', { ...off, ...template }],
    [26, 'glm-4.5', off],
    [16, 'glm-5.1', off],
    [45, 'glm-4-7-251222', off],
    [45, 'doubao-seed-2-0-pro-260215', off],
    [46, 'deepseek-v4-pro', off],
    [35, 'MiniMax-M3', off],
    [17, 'qwen3-max', { enable_thinking: false }],
    [17, 'deepseek-v4-pro', { enable_thinking: false }],
    [17, 'glm-4.6', { enable_thinking: false }],
    [8, 'qwen3.6-27b', { enable_thinking: false, ...template }],
    [40, 'Pro/deepseek-ai/DeepSeek-V4-Pro', { enable_thinking: false }],
    [40, 'zai-org/GLM-4.6', { enable_thinking: false }],
    [20, 'deepseek/deepseek-v4-pro', { reasoning_effort: 'none' }],
    [8, 'gemini-2.5-flash', { reasoning_effort: 'none' }],
    [42, 'mistral-medium-3-5', { reasoning_effort: 'none' }],
    [42, 'mistral-large-latest', { reasoning_effort: 'none' }],
    [42, 'ministral-8b-latest', {}],
    [14, 'claude-opus-4-6', off],
    [14, 'claude-opus-4-8', {}],
    [14, 'claude-opus-5', off],
    [14, 'claude-sonnet-5', off],
    [14, 'claude-haiku-5-5', off],
    [14, 'claude-sonnet-5-5', { thinking: { type: 'between_tools' } }],
  ])('at a channel of type %i, %s', async (type, model, expected) => {
    const at = { type, modelMapping: new Map([['m', model]]) }
    const calls = [
      ...(type === 14
        ? []
        : [() => sent(at, messagesPath, { model: 'm', max_tokens: 9, messages, thinking: { type: 'disabled' } })]),
      () => sent(at, geminiPath('m'), { contents, generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }),
      ...(type === 1 || type === 20
        ? []
        : [() => sent(at, responsesPath, { model: 'm', input: 'x', reasoning: { effort: 'none' } })]),
    ]
    for (const call of calls) {
      const { body, lost } = await call()
      expect(thoughtsIn(body)).toEqual(expected)
      expect(lost).not.toContain('reasoning')
    }
  })

  it.each([
    [25, 'kimi-k2.7-code', {}],
    [25, 'kimi-k3', { reasoning_effort: 'low' }],
    [26, 'glm-5.3', { reasoning_effort: 'low' }],
    [35, 'MiniMax-M2.5', {}],
    [40, 'deepseek-ai/DeepSeek-R1', {}],
    [42, 'magistral-medium-latest', {}],
  ])('is reported where a model of type %i always thinks: %s', async (type, model, expected) => {
    const { body, lost } = await sent(type, messagesPath, {
      model,
      max_tokens: 9,
      messages,
      thinking: { type: 'disabled' },
    })
    expect(thoughtsIn(body)).toEqual(expected)
    expect(lost).toContain('reasoning')
  })

  it.each([
    [43, 'deepseek-v4-pro', off],
    [26, 'glm-4.6', off],
    [25, 'kimi-k2.5', off],
    [17, 'qwen3-max', { enable_thinking: false }],
    [40, 'Pro/deepseek-ai/DeepSeek-V4-Pro', { enable_thinking: false }],
    [25, 'kimi-k2.7-code', {}],
  ])('of a client of chat completions at type %i, %s', async (type, model, expected) => {
    const { body } = await sent(type, chatPath, { model, messages, reasoning_effort: 'none' })
    expect(thoughtsIn(body)).toEqual(expected)
  })
})

it.each(['claude-opus-5-5', 'claude-fable-5-1', 'claude-fable-5', 'claude-opus-7'])(
  '"do not think" is the least effort of %s, which always thinks',
  async (model) => {
    const call = { model, input: 'x', reasoning: { effort: 'none' } }
    const { body, lost } = await sent(14, responsesPath, call)
    expect(body).not.toHaveProperty('thinking')
    expect(body.output_config).toEqual({ effort: 'low' })
    expect(lost).toContain('reasoning')
  },
)

describe('an effort', () => {
  const on = { thinking: { type: 'enabled' } }
  it.each([
    [43, 'deepseek-v4-pro', 'high', { ...on, reasoning_effort: 'high' }],
    [43, 'deepseek-v4-pro', 'xhigh', { ...on, reasoning_effort: 'high' }],
    [43, 'deepseek-flash', 'xhigh', { ...on, reasoning_effort: 'high' }],
    [43, 'deepseek-v4-pro', 'minimal', { ...on, reasoning_effort: 'low' }],
    [43, 'deepseek-v4-pro', 'max', { ...on, reasoning_effort: 'max' }],
    [45, 'deepseek-v4-pro-260425', 'xhigh', { ...on, reasoning_effort: 'high' }],
    [25, 'kimi-k3.1-pro', 'xhigh', { reasoning_effort: 'max' }],
    [1, 'deepseek-v4-pro', 'medium', { ...on, reasoning_effort: 'high' }],
    [45, 'deepseek-v4-pro-260425', 'low', { ...on, reasoning_effort: 'low' }],
    [25, 'kimi-k2.6', 'high', on],
    [25, 'kimi-k3.1-pro', 'medium', { reasoning_effort: 'high' }],
    [26, 'glm-4.6', 'low', on],
    [26, 'glm-5.2', 'medium', { ...on, reasoning_effort: 'medium' }],
    [35, 'MiniMax-M3', 'high', { thinking: { type: 'adaptive' } }],
    [17, 'qwen3-max', 'high', { enable_thinking: true, thinking_budget: 16_384 }],
    [17, 'qwen3-32b', 'max', { enable_thinking: true, thinking_budget: 38_912 }],
    [40, 'Qwen/Qwen3-32B', 'max', { enable_thinking: true, thinking_budget: 32_768 }],
    [20, 'deepseek/deepseek-v4-pro', 'low', { reasoning_effort: 'low' }],
    [42, 'mistral-small-2603', 'low', { reasoning_effort: 'high' }],
    [42, 'mistral-large-4-0', 'medium', { reasoning_effort: 'medium' }],
    [42, 'mistral-large-2512', 'high', {}],
  ])('at type %i for %s, %s, is said in its words', async (type, model, effort, expected) => {
    const at = { type, modelMapping: new Map([['m', model]]) }
    const { body } = await sent(at, messagesPath, { model: 'm', max_tokens: 9, messages, output_config: { effort } })
    expect(thoughtsIn(body)).toEqual(expected)
  })

  it('of a client of chat completions becomes the nearest one, and is left where it is accepted', async () => {
    const xhigh = await sent(43, chatPath, { model: 'deepseek-v4-pro', messages, reasoning_effort: 'xhigh' })
    expect(thoughtsIn(xhigh.body)).toEqual({ ...on, reasoning_effort: 'high' })
    const text = '{"model":"deepseek-v4-pro", "thinking":{"type":"enabled"},"reasoning_effort":"max","messages":[]}'
    expect((await sent(43, chatPath, text)).raw).toBe(text)
    const router = '{"model":"deepseek/deepseek-v4-pro", "reasoning_effort":"none","messages":[]}'
    expect((await sent(20, chatPath, router)).raw).toBe(router)
  })
})
