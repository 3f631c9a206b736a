import { expect, it } from 'vitest'
import { dataEvent, EventCutter, payloads } from './sse.ts'

const streams = [
  'data: {"a":1}\n\ndata: 你好\n\n: comment\n\ndata: [DONE]\n\n',
  'event: x\r\ndata: {"a":1}\r\n\r\ndata: two\r\ndata: lines\r\n\r\n',
  '\n\ndata: last without its blank line',
]

const cut = (bytes: Buffer, sizes: readonly number[]): { events: string[]; rest: string } => {
  const cutter = new EventCutter()
  const events: string[] = []
  let at = 0
  for (const size of [...sizes, bytes.length]) {
    const out = cutter.push(Buffer.from(bytes.subarray(at, at + size)))
    at += size
    if (out !== undefined) events.push(out.toString())
  }
  return { events, rest: cutter.rest().toString() }
}

it('forwards all events and only whole ones, whatever byte the chunks end at', () => {
  for (const stream of streams) {
    const bytes = Buffer.from(stream)
    const boundary = Math.max(stream.lastIndexOf('\n\n') + 2, stream.lastIndexOf('\n\r\n') + 3)
    for (let at = 1; at < bytes.length; at += 1) {
      const { events, rest } = cut(bytes, [at])
      expect(events.join('') + rest).toBe(stream)
      expect(rest).toBe(stream.slice(boundary))
      for (const event of events) expect(event).toMatch(/\n\r?\n$/)
    }
  }
})

it('gives the same events byte by byte', () => {
  for (const stream of streams) {
    const bytes = Buffer.from(stream)
    const { events, rest } = cut(
      bytes,
      Array.from(bytes, () => 1),
    )
    expect(events.join('') + rest).toBe(stream)
  }
})

it('forwards a chunk of whole events without copying', () => {
  const chunk = Buffer.from('data: 1\n\ndata: 2\n\n')
  expect(new EventCutter().push(chunk)).toBe(chunk)
})

it('reads payloads and skips comments', () => {
  expect(payloads(streams.join(''))).toEqual([
    '{"a":1}',
    '你好',
    '[DONE]',
    '{"a":1}',
    'two\nlines',
    'last without its blank line',
  ])
  expect(payloads(dataEvent('{}'))).toEqual(['{}'])
})

it('skips a byte order mark at the start of a stream', () => {
  expect(payloads('\ufeffdata: {"a":1}\n\ndata: two\n\n')).toEqual(['{"a":1}', 'two'])
})
