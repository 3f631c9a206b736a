import { EventStreamCodec } from '@smithy/eventstream-codec'
import { fromUtf8, toUtf8 } from '@smithy/util-utf8'
import { describe, expect, it } from 'vitest'
import { claudeFrames, converseFrames } from './frames.ts'

const codec = new EventStreamCodec(toUtf8, fromUtf8)

const message = (kind: string, type: string, payload: unknown): Buffer =>
  Buffer.from(
    codec.encode({
      headers: {
        ':message-type': { type: 'string', value: kind },
        [`:${kind}-type`]: { type: 'string', value: type },
      },
      body: fromUtf8(JSON.stringify(payload)),
    }),
  )

const delta = { contentBlockIndex: 0, delta: { text: 'Grüße 🙂' } }
const chunk = (event: unknown) => ({ bytes: Buffer.from(JSON.stringify(event)).toString('base64'), p: 'abc' })

describe('the messages of an event stream', () => {
  it.each([1, 2, 7, 11, 1000])('come out whole, however they are cut: %i bytes at a time', (size) => {
    const bytes = Buffer.concat([
      message('event', 'messageStart', { role: 'assistant' }),
      message('event', 'contentBlockDelta', delta),
      message('event', 'messageStop', { stopReason: 'end_turn' }),
    ])
    const frames = converseFrames()
    const messages: string[] = []
    for (let at = 0; at < bytes.length; at += size) messages.push(...frames.push(bytes.subarray(at, at + size)))
    expect([...messages, ...frames.rest()].map((text) => JSON.parse(text))).toEqual([
      { messageStart: { role: 'assistant' } },
      { contentBlockDelta: delta },
      { messageStop: { stopReason: 'end_turn' } },
    ])
    expect(frames.heldBytes).toBe(0)
  })

  it('hold Anthropic’s events where Claude speaks', () => {
    const event = { type: 'content_block_delta', delta: { type: 'text_delta', text: 'é' } }
    const [text = ''] = claudeFrames().push(message('event', 'chunk', chunk(event)))
    expect(JSON.parse(text)).toEqual(event)
  })

  it('become errors of the dialect if they are exceptions', () => {
    const exception = message('exception', 'throttlingException', { message: 'Slow down' })
    expect(JSON.parse(claudeFrames().push(exception)[0] ?? '')).toEqual({
      type: 'error',
      error: { type: 'rate_limit_error', message: 'Slow down' },
    })
    expect(JSON.parse(converseFrames().push(exception)[0] ?? '')).toEqual({
      exception: { type: 'throttlingException', message: 'Slow down' },
    })
  })

  it('are given up when they are no messages, without holding on to what follows', () => {
    const damaged = message('event', 'messageStart', { role: 'assistant' })
    damaged.writeUInt8(1, damaged.length - 1)
    for (const bytes of [damaged, Buffer.from('<html>Bad gateway</html>')]) {
      const frames = converseFrames()
      const [text = '', ...more] = frames.push(bytes)
      expect(JSON.parse(text).exception.type).toBe('brokenStream')
      expect(more).toEqual([])
      expect(frames.push(Buffer.alloc(100))).toEqual([])
      expect(frames.rest()).toEqual([])
    }
  })

  it('end with an error when the last one is cut off', () => {
    const frames = converseFrames()
    expect(frames.push(message('event', 'messageStart', {}).subarray(0, 20))).toEqual([])
    expect(frames.heldBytes).toBe(20)
    expect(JSON.parse(frames.rest()[0] ?? '').exception.message).toContain('in the middle')
  })
})
