import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineCutter } from './line-cutter.ts'
import { ListCutter } from './list-cutter.ts'

const pieces = (bytes: Buffer, cuts: readonly number[]): Buffer[] => {
  const ends = [...new Set([...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b)
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end))
}

describe('an answer that comes in pieces', () => {
  it('gives each line of a file, wherever it is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.json()), fc.array(fc.nat()), fc.boolean(), (lines, cuts, isEnded) => {
        const found: (string | undefined)[] = []
        const cutter = new LineCutter((line) => found.push(line))
        const bytes = Buffer.from(lines.join('\n') + (isEnded ? '\n' : ''))
        for (const piece of pieces(bytes, cuts)) cutter.push(piece)
        cutter.end()
        expect(found).toEqual(lines)
      }),
    )
  })

  it('gives each entry of a list, and the rest without it', () => {
    const entry = fc.dictionary(fc.string(), fc.jsonValue())
    const rest = fc.dictionary(
      fc.string().filter((name) => name !== 'list' && name !== '__proto__'),
      fc.jsonValue({ maxDepth: 2 }),
    )
    const isOther = (value: unknown): boolean => !JSON.stringify(value).includes('"list":[')
    fc.assert(
      fc.property(
        fc.array(entry),
        rest.filter(isOther),
        rest.filter(isOther),
        fc.array(fc.nat()),
        (list, before, after, cuts) => {
          const found: unknown[] = []
          const cutter = new ListCutter('list', (text) => found.push(JSON.parse(text ?? 'null')))
          const whole = { before, inner: { list }, after }
          const indent = cuts.length % 3
          for (const piece of pieces(Buffer.from(JSON.stringify(whole, undefined, indent)), cuts)) cutter.push(piece)
          expect(cutter.end()).toEqual(JSON.parse(JSON.stringify({ ...whole, inner: { list: [] } })))
          expect(found).toEqual(JSON.parse(JSON.stringify(list)))
        },
      ),
    )
  })
})
