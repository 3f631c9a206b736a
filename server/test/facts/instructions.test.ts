import { describe, expect, it } from 'vitest'
import { useScene } from '../support/gateway/scene.ts'
import { chatPath, messagesPath, responsesPath, sent } from '../support/gateway/sent.ts'

/** Instructions among the turns, which templates of self-hosted models refuse. */

useScene()

const turns = [
  { role: 'user', content: 'hi' },
  { role: 'system', content: 'MID' },
  { role: 'assistant', content: 'a' },
  { role: 'user', content: 'y' },
]
const joined = [
  { role: 'system', content: 'top\n\nMID' },
  { role: 'user', content: 'hi' },
  { role: 'assistant', content: 'a' },
  { role: 'user', content: 'y' },
]

describe('from Messages', () => {
  it.each([
    [8, 'local'],
    [4, 'local'],
    [47, 'local'],
    [17, 'qwen3-max'],
    [26, 'glm-4.6'],
    [42, 'mistral-large-latest'],
    [35, 'MiniMax-M2.5'],
    [34, 'command-a'],
    [1, 'qwen3.6-27b'],
    [40, 'Qwen/Qwen3-32B'],
  ])('are one message at the beginning at type %i for %s', async (type, model) => {
    const { body, lost } = await sent(type, messagesPath, { model, max_tokens: 50, system: 'top', messages: turns })
    expect(body.messages).toEqual(joined)
    expect(lost).toContain('messages.system.position')
  })

  it.each([
    [1, 'gpt-4o'],
    [43, 'deepseek-v4-pro'],
    [20, 'x-ai/grok'],
  ])('stay where they were at type %i for %s', async (type, model) => {
    const { body, lost } = await sent(type, messagesPath, { model, max_tokens: 50, system: 'top', messages: turns })
    expect(body.messages).toEqual([{ role: 'system', content: 'top' }, ...turns])
    expect(lost).not.toContain('messages.system.position')
  })
})

it('Codex’s instructions and the messages behind them are one', async () => {
  const input = [
    { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'b' }] },
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
  ]
  const { body, lost } = await sent(8, responsesPath, { model: 'local', instructions: 'a', input })
  expect(body.messages).toEqual([
    { role: 'system', content: 'a\n\nb' },
    { role: 'user', content: 'hi' },
  ])
  expect(lost).not.toContain('messages.system.position')
})

describe('from chat completions', () => {
  const messages = [{ role: 'system', content: 'top' }, ...turns]

  it.each([
    [8, 'qwen3.6-27b'],
    [47, 'Qwen/Qwen3.5-35B-A3B'],
    [42, 'mistral-large-latest'],
  ])('are joined at type %i for %s, whose template refuses others', async (type, model) => {
    const { body, lost } = await sent(type, chatPath, { model, messages })
    expect(body.messages).toEqual(joined)
    expect(lost).toContain('messages.system.position')
  })

  it.each([
    [8, 'local'],
    [43, 'deepseek-v4-pro'],
  ])('stay as they came at type %i for %s', async (type, model) => {
    const text = JSON.stringify({ messages, model })
    expect((await sent(type, chatPath, text)).raw).toBe(text)
  })
})
