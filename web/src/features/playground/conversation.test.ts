import { describe, expect, it } from 'vitest'
import { codeSample } from './code-samples.ts'
import { chatRequest, completed, defaultSettings, type Message, withPiece } from './conversation.ts'

const reply: Message = { id: 'a', role: 'assistant', content: '', createAt: 0, status: 'loading' }
const asked: Message = { id: 'q', role: 'user', content: '你好', createAt: 0, status: 'complete' }

describe('a reply', () => {
  it('is loading, then incomplete with the first text, then complete at the end', () => {
    const first = withPiece(reply, { kind: 'text', text: '你' }, 120)
    expect(first).toMatchObject({ status: 'incomplete', content: '你', firstMs: 120 })
    const second = withPiece(first, { kind: 'text', text: '好' }, 300)
    expect(second).toMatchObject({ status: 'incomplete', content: '你好', firstMs: 120 })
    expect(completed(second, 400)).toMatchObject({ status: 'complete', totalMs: 400 })
  })

  it('appends a stream error and is marked as failed', () => {
    const failed = withPiece({ ...reply, content: 'half ' }, { kind: 'error', text: 'upstream broke' }, 5)
    expect(failed).toMatchObject({ status: 'error', content: 'half upstream broke' })
  })

  it('never changes again once it is complete or failed', () => {
    for (const status of ['complete', 'error'] as const) {
      const settled: Message = { ...reply, status, content: 'x' }
      expect(withPiece(settled, { kind: 'text', text: 'more' }, 1)).toBe(settled)
      expect(completed(settled, 1)).toBe(settled)
    }
  })
})

describe('the request', () => {
  it('leaves out an empty system prompt, failed answers and an unlimited max_tokens', () => {
    const body = chatRequest({ ...defaultSettings, system: ' ' }, [asked, { ...reply, status: 'error', content: 'x' }])
    expect(body.messages).toEqual([{ role: 'user', content: '你好' }])
    expect(body).not.toHaveProperty('max_tokens')
    expect(chatRequest({ ...defaultSettings, max_tokens: 12.7 }, [asked]).max_tokens).toBe(12)
  })

  it('sends images as parts of the message', () => {
    const body = chatRequest(defaultSettings, [{ ...asked, images: ['data:image/png;base64,AA'] }])
    expect(body.messages).toContainEqual({
      role: 'user',
      content: [
        { type: 'text', text: '你好' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
      ],
    })
  })

  it('is printed as Python without touching its texts', () => {
    const code = codeSample(
      'python',
      'https://x/v1',
      chatRequest(defaultSettings, [{ ...asked, content: 'true null' }]),
    )
    expect(code).toContain('"stream": True')
    expect(code).toContain('"true null"')
    expect(code).not.toContain('group')
  })
})
