import fc from 'fast-check'
import { expect, it } from 'vitest'
import { FrameMeter } from './frame-meter.ts'

interface Frame {
  readonly opcode: number
  readonly last: boolean
  readonly length: number
}

/** A masked frame, as clients send it. */
const encoded = ({ opcode, last, length }: Frame): Buffer => {
  const head = Buffer.alloc(14)
  head[0] = (last ? 0x80 : 0) | opcode
  let size = 2
  if (length < 126) head[1] = 0x80 | length
  else if (length < 65_536) {
    head[1] = 0x80 | 126
    head.writeUInt16BE(length, 2)
    size = 4
  } else {
    head[1] = 0x80 | 127
    head.writeBigUInt64BE(BigInt(length), 2)
    size = 10
  }
  return Buffer.concat([head.subarray(0, size + 4), Buffer.alloc(length, 0xff)])
}

const pieces = (bytes: Buffer, sizes: readonly number[]): Buffer[] => {
  const cut: Buffer[] = []
  let at = 0
  for (let index = 0; at < bytes.length; index += 1) {
    const size = sizes[index % sizes.length] ?? 1
    cut.push(bytes.subarray(at, at + size))
    at += size
  }
  return cut
}

const frame = fc.record({
  opcode: fc.constantFrom(0, 1, 2, 8, 9, 10),
  last: fc.boolean(),
  length: fc.oneof(fc.nat(200), fc.constantFrom(125, 126, 65_535, 65_536, 70_000)),
})

it('knows what of a message is here, wherever its bytes are cut', () => {
  fc.assert(
    fc.property(
      fc.array(frame, { maxLength: 12 }),
      fc.array(fc.integer({ min: 1, max: 9000 }), { minLength: 1 }),
      (all, sizes) => {
        // Control frames are short.
        const frames = all.map((one) => (one.opcode < 8 ? one : { ...one, length: one.length % 126 }))
        const meter = new FrameMeter()
        for (const chunk of pieces(Buffer.concat(frames.map(encoded)), sizes)) meter.take(chunk)
        const data = frames.filter(({ opcode }) => opcode < 8)
        const open = data.slice(data.findLastIndex(({ last }) => last) + 1)
        const bytes = open.reduce((sum, { length }) => sum + length, 0)
        expect(meter.finished).toBe(data.filter(({ last }) => last).length)
        expect(meter.announced).toBe(bytes)
        expect(meter.unfinished).toBe(bytes + 64 * open.length)
        expect(meter.isUnder).toBe(open.length > 0)
      },
    ),
  )
})

it('knows what a frame announces before it comes, and counts frames without a payload', () => {
  const meter = new FrameMeter()
  meter.take(encoded({ opcode: 1, last: false, length: 70_000 }).subarray(0, 14))
  expect([meter.announced, meter.unfinished]).toEqual([70_000, 64])
  const empty = new FrameMeter()
  for (let count = 0; count < 100; count += 1)
    empty.take(encoded({ opcode: count === 0 ? 1 : 0, last: false, length: 0 }))
  expect(empty.unfinished).toBe(6400)
})
