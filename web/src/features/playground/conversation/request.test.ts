import { describe, expect, it } from 'vitest'
import { defaultSettings } from '../settings.ts'
import type { ChatMessage } from './message.ts'
import { chatRequest } from './request.ts'

const question: ChatMessage = { id: 'q', role: 'user', content: '你好', createAt: 0, status: 'complete', parent: null }
const reply: ChatMessage = { ...question, id: 'a', role: 'assistant', parent: 'q' }

describe('the request', () => {
  it('leaves out an empty system prompt, failed answers and an unlimited max_tokens', () => {
    const body = chatRequest({ ...defaultSettings, system: ' ' }, [
      question,
      { ...reply, status: 'error', content: 'x' },
    ])
    expect(body.messages).toEqual([{ role: 'user', content: '你好' }])
    expect(body).not.toHaveProperty('max_tokens')
    expect(chatRequest({ ...defaultSettings, max_tokens: 12.7 }, [question]).max_tokens).toBe(12)
  })

  it('sends no two turns of the same role in a row, even if an answer between them failed', () => {
    const failed: ChatMessage = { ...reply, status: 'error', content: 'overloaded' }
    const again: ChatMessage = { ...question, content: 'and?' }
    const sent = (messages: readonly ChatMessage[]) =>
      chatRequest({ ...defaultSettings, system: '' }, messages).messages
    expect(sent([question, failed, again])).toEqual([{ role: 'user', content: '你好\n\nand?' }])
    expect(sent([{ ...question, images: ['data:image/png;base64,AA'] }, failed, again])).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: '你好' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
          { type: 'text', text: 'and?' },
        ],
      },
    ])
    expect(sent([question, reply, again])).toHaveLength(3)
  })

  it('has the default settings', () => {
    expect(chatRequest(defaultSettings, [question])).toEqual({
      model: 'gpt-4o-mini',
      group: '',
      messages: [{ role: 'user', content: '你好' }],
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
    })
  })

  it('has exactly the further parameters that are set', () => {
    const settings = { ...defaultSettings, top_p: 0.5, seed: 0, stop: 'a\n\nb', reasoning_effort: 'low', json: true }
    expect(chatRequest(settings, [question], 'o3')).toMatchObject({
      model: 'o3',
      top_p: 0.5,
      seed: 0,
      stop: ['a', 'b'],
      reasoning_effort: 'low',
      response_format: { type: 'json_object' },
    })
    expect(chatRequest(settings, [question])).not.toHaveProperty('presence_penalty')
  })

  it('sends pictures of questions as parts of the message, and none of answers', () => {
    const images = ['data:image/png;base64,AA']
    const body = chatRequest({ ...defaultSettings, system: '' }, [
      { ...question, images },
      { ...reply, content: 'seen', images },
    ])
    expect(body.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: '你好' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
        ],
      },
      { role: 'assistant', content: 'seen' },
    ])
  })
})
