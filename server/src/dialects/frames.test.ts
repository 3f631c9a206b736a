import { expect, it } from 'vitest'
import { eventFrames, type Frames, lineFrames } from './frames.ts'

const cut = (frames: Frames, text: string, size: number): string[] => {
  const bytes = Buffer.from(text)
  const all: string[] = []
  for (let at = 0; at < bytes.length; at += size) all.push(...frames.push(bytes.subarray(at, at + size)))
  return [...all, ...frames.rest()]
}

it.each([1, 2, 3, 7, 1000])('gives the same messages however the bytes are cut: %i at a time', (size) => {
  expect(cut(eventFrames(), 'data: {"a":"文"}\n\n: note\n\nevent: x\r\ndata: {}\r\n\r\ndata: [DONE]', size)).toEqual([
    '{"a":"文"}',
    '{}',
    '[DONE]',
  ])
  expect(cut(lineFrames(), '{"a":"文"}\r\n\n{"b":2}\n{"c":3}', size)).toEqual(['{"a":"文"}', '{"b":2}', '{"c":3}'])
})
