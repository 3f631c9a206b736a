import { describe, expect, it } from 'vitest'
import { type ChatMessage, completed, withPiece } from './message.ts'

const reply: ChatMessage = { id: 'a', role: 'assistant', content: '', createAt: 0, status: 'loading', parent: 'q' }

describe('a reply', () => {
  it('is loading, then incomplete with the first text, then complete at the end', () => {
    const first = withPiece(reply, { kind: 'text', text: '你' }, 120)
    expect(first).toMatchObject({ status: 'incomplete', content: '你', firstMs: 120 })
    const second = withPiece(first, { kind: 'text', text: '好' }, 300)
    expect(second).toMatchObject({ status: 'incomplete', content: '你好', firstMs: 120 })
    expect(completed(second, 400)).toMatchObject({ status: 'complete', totalMs: 400 })
  })

  it('thinks before it writes, and may draw', () => {
    const thinking = withPiece(reply, { kind: 'reasoning', text: 'hm' }, 10)
    expect(thinking).toMatchObject({ status: 'loading', reasoning: 'hm', content: '' })
    expect(withPiece(thinking, { kind: 'image', text: 'data:image/png;base64,AA' }, 20)).toMatchObject({
      status: 'incomplete',
      images: ['data:image/png;base64,AA'],
    })
  })

  it('calls tools, whose input comes in pieces', () => {
    const pieces = [
      { at: 1, name: 'second', input: '' },
      { at: 0, name: 'first', input: '{"a"' },
      { at: 0, name: '', input: ':1}' },
    ]
    const called = pieces.reduce((message, piece) => withPiece(message, { kind: 'call', ...piece }, 10), reply)
    expect(called).toMatchObject({ status: 'incomplete', content: '' })
    expect(called.calls).toEqual([
      { at: 1, name: 'second', input: '' },
      { at: 0, name: 'first', input: '{"a":1}' },
    ])
  })

  it('appends a stream error and is marked as failed', () => {
    const failed = withPiece({ ...reply, content: 'half ' }, { kind: 'error', text: 'upstream broke' }, 5)
    expect(failed).toMatchObject({ status: 'error', content: 'half upstream broke', errorAt: 5 })
  })

  it('never changes again once it is complete or failed', () => {
    for (const status of ['complete', 'error'] as const) {
      const settled: ChatMessage = { ...reply, status, content: 'x' }
      expect(withPiece(settled, { kind: 'text', text: 'more' }, 1)).toBe(settled)
      expect(withPiece(settled, { kind: 'usage', usage: { input: 1, output: 1 } }, 1)).toBe(settled)
      expect(completed(settled, 1)).toBe(settled)
    }
  })
})
