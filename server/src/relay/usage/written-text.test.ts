import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { openTokenCounter } from '../../billing/counting/token-counter.ts'
import { WrittenText } from './written-text.ts'

const model = 'gpt-4o'
const counter = openTokenCounter()
afterAll(() => counter.close())

const count = (text: string): Promise<number> => counter.text(model, text)

const piece = fc.oneof(
  fc.string({ maxLength: 3000 }),
  fc.lorem({ maxCount: 400, mode: 'words' }),
  fc.nat(4000).map((length) => 'x'.repeat(length)),
  fc.string({ unit: 'grapheme', maxLength: 2000 }),
)

it('is counted piece by piece to what it is as a whole', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(piece, fc.boolean()), { maxLength: 12 }), async (pieces) => {
      const written = new WrittenText()
      for (const [text, settles] of pieces) {
        written.add(text)
        if (settles) written.settle(count)
      }
      const whole = pieces.map(([text]) => text).join('')
      const counted = ((await written.earlier) ?? 0) + (await count(written.text))
      expect({ counted, bytes: written.bytes }).toEqual({
        counted: await count(whole),
        bytes: Buffer.byteLength(whole),
      })
    }),
    { numRuns: 60 },
  )
})

it('keeps no more than the end of what was counted', () => {
  const written = new WrittenText()
  for (let number = 0; number < 50; number += 1) {
    written.add('some words of it '.repeat(1000))
    written.settle(async () => 1)
    expect(written.text.length).toBeLessThan(1025)
  }
})
