import { countTokens as cl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { slices } from './slices.ts'

const prose =
  'The gateway’s relay doesn\'t add latency, it "just" forwards bytes (almost)…\n\n- one\n- two; naïve café, 12345 x²! '
const chinese = '网关把请求转发给上游，然后按用量计费。“价格”在调用开始时冻结！日志里有收据；'
const code = 'const total = lines.reduce((sum, { price }) => sum + price, 0)\r\n\tif (total > 10_000) return "big"\n'

describe('slices', () => {
  it.each([
    ['prose', prose.repeat(100)],
    ['Chinese', chinese.repeat(200)],
    ['code', code.repeat(100)],
    ['a short text', prose],
  ])('of %s add up to the count of the whole', (_, text) => {
    const pieces = [...slices(text)]
    expect(pieces.join('')).toBe(text)
    for (const count of [cl100k, o200k]) {
      expect(pieces.reduce((sum, piece) => sum + count(piece), 0)).toBe(count(text))
    }
  })

  it.each([
    ['one endless word', 'a'.repeat(50_000)],
    ['emoji', '🙂'.repeat(20_000)],
    ['white space', ' '.repeat(50_000)],
  ])('of %s are bounded and complete', (_, text) => {
    const pieces = [...slices(text)]
    expect(pieces.join('')).toBe(text)
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(1024)
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true)
  })
})
