import { describe, expect, it } from 'vitest'
import { estimatePrompt, measure } from '../../src/billing/counting/prompt.ts'
import { promptReader as claude } from '../../src/dialects/anthropic/prompt.ts'
import { promptReader as gemini } from '../../src/dialects/gemini/prompt.ts'
import { promptReader as chat } from '../../src/dialects/openai-chat/prompt.ts'
import { promptReader as responses } from '../../src/dialects/openai-responses/prompt.ts'
import { promptReader as others } from '../../src/relay/usage/prompt-reader.ts'

describe('a chat request', () => {
  it('costs 3 tokens per message, 1 per name and 3 for the answer', () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', name: 'ada', content: [{ type: 'text', text: 'Hi' }, { type: 'input_audio' }, { type: 'file' }] },
    ]
    expect(measure(chat, 'gpt-4o', { messages })).toEqual({
      texts: ['system', 'Be brief.', 'user', 'ada', 'Hi'],
      tokens: 3 + 3 + 1 + 100 + 5000 + 3,
    })
  })

  it('costs 4 per message and one less per name for gpt-3.5-turbo-0301', () => {
    const messages = [{ role: 'user', name: 'ada', content: 'Hi' }]
    expect(measure(chat, 'gpt-3.5-turbo-0301', { messages }).tokens).toBe(4 - 1 + 3)
  })

  it('counts every tool, and the arguments of tool calls', () => {
    const call = { type: 'function', function: { name: 'look', arguments: '{"at":"sky"}' } }
    const body = {
      messages: [{ role: 'assistant', content: null, tool_calls: [call] }],
      tools: [
        { type: 'function', function: { name: 'look', description: 'Looks.', parameters: { type: 'object' } } },
        { type: 'function', function: { name: 'hear' } },
      ],
    }
    expect(measure(chat, 'gpt-4o', body)).toEqual({
      texts: ['assistant', 'look{"at":"sky"}', 'lookLooks.{"type":"object"}', 'hear'],
      tokens: 3 + 3 + 8,
    })
  })

  it('counts images', () => {
    const part = { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } }
    const content = [part, { ...part, image_url: { url: 'https://example.com/a.png' } }]
    expect(measure(chat, 'gpt-4o', { messages: [{ role: 'user', content }] }).tokens).toBe(3 + 85 + 255 + 3)
  })

  it('survives a body of the wrong shape', () => {
    expect(measure(chat, 'gpt-4o', { messages: ['x', null, { role: 7, content: { a: 1 } }], tools: 'none' })).toEqual({
      texts: [],
      tokens: 3 * 3 + 3,
    })
  })
})

describe('other dialects', () => {
  it('count Claude messages by their own rules', () => {
    const body = {
      system: [{ type: 'text', text: 'Be brief.' }],
      messages: [
        { role: 'user', content: [{ type: 'image' }, { type: 'text', text: 'What?' }] },
        { role: 'assistant', content: [{ type: 'tool_use', name: 'look', input: { at: 'sky' } }] },
        { role: 'user', content: [{ type: 'tool_result', content: 'blue' }] },
      ],
      tools: [{ name: 'look', description: 'Looks.', input_schema: {} }],
    }
    expect(measure(claude, 'claude-3-opus', body)).toEqual({
      texts: [
        'user',
        'What?',
        'assistant',
        'look',
        '{"at":"sky"}',
        'user',
        'blue',
        'Be brief.',
        'look',
        'Looks.',
        '{}',
      ],
      tokens: 2 + 1000 + 2 + 2 + 3,
    })
  })

  it('count responses with instructions, items and tools', () => {
    const body = {
      instructions: 'Be brief.',
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
        { type: 'function_call', name: 'look', arguments: '{}' },
        { type: 'function_call_output', output: 'blue' },
      ],
      tools: [{ type: 'function', name: 'look', parameters: {} }],
    }
    expect(measure(responses, 'gpt-4o', body)).toEqual({
      texts: ['Be brief.', 'user', 'Hi', 'look{}', 'blue', 'look{}'],
      tokens: 3 + 3 + 3 + 3 + 8,
    })
  })

  it('count Gemini contents', () => {
    const body = {
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [{ role: 'user', parts: [{ text: 'Hi' }, { inlineData: { mimeType: 'image/png', data: '' } }] }],
    }
    expect(measure(gemini, 'gemini-2.0-flash', body)).toEqual({
      texts: ['Hi', 'Be brief.'],
      tokens: 255,
    })
  })
})

describe('inputs', () => {
  it.each([
    ['a text', { input: 'one two' }, ['one two'], 0],
    ['texts', { input: ['one', 'two'] }, ['one', 'two'], 0],
    ['tokens', { input: [5, 6, 7] }, [], 3],
    ['lists of tokens', { input: [[5, 6], [7]] }, [], 3],
    ['a prompt', { prompt: 'one' }, ['one'], 0],
    ['a moderation', { input: [{ type: 'text', text: 'one' }] }, ['one'], 0],
    ['a rerank', { query: 'one', documents: ['two', { text: 'three' }] }, ['one', 'two', 'three'], 0],
    ['nothing', {}, [], 0],
  ])('count %s', (_, body, texts, tokens) => {
    expect(measure(others, 'text-embedding-3-small', body)).toEqual({ texts, tokens })
  })

  it('count characters for tts models', () => {
    expect(measure(others, 'tts-1', { input: 'Hi 🙂!' })).toEqual({ texts: [], tokens: 5 })
  })
})

it('estimates a prompt as a token per four bytes, rounded up', () => {
  expect([0, 1, 4, 5].map(estimatePrompt)).toEqual([0, 1, 1, 2])
})
