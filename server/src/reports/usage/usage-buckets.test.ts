import { describe, expect, it } from 'vitest'
import { bucketsOf, localStart, pieceSeconds, piecesOf } from './usage-buckets.ts'

const at = (text: string): number => Date.parse(text) / 1000

describe('pieces of time', () => {
  it('begin at midnight of the zone, also when clocks change', () => {
    const from = at('2026-10-31T04:00:00Z')
    const to = at('2026-11-03T05:00:00Z')
    const buckets = bucketsOf(pieceSeconds.day, 'America/New_York', from, to)
    const pieces = piecesOf(buckets, from, to).map((piece) => new Date(piece.at * 1000).toISOString())
    expect(pieces).toEqual(['2026-10-31T04:00:00.000Z', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'])
    expect(localStart(buckets, at('2026-11-01T04:59:00Z'))).toBe(localStart(buckets, at('2026-11-02T04:59:00Z')))
  })

  it('of a week begin on Monday', () => {
    const buckets = bucketsOf(
      pieceSeconds.week,
      'Asia/Shanghai',
      at('2026-11-10T00:00:00Z'),
      at('2026-11-25T00:00:00Z'),
    )
    const pieces = piecesOf(buckets, at('2026-11-10T00:00:00Z'), at('2026-11-25T00:00:00Z'))
    expect(pieces.map((piece) => new Date(piece.at * 1000).toISOString())).toEqual([
      '2026-11-08T16:00:00.000Z',
      '2026-11-15T16:00:00.000Z',
      '2026-11-22T16:00:00.000Z',
    ])
  })

  it('are hours where hours are asked for, each of them', () => {
    const buckets = bucketsOf(pieceSeconds.hour, 'Asia/Kolkata', at('2026-11-10T00:00:00Z'), at('2026-11-11T00:00:00Z'))
    expect(piecesOf(buckets, at('2026-11-10T00:00:00Z'), at('2026-11-11T00:00:00Z'))).toHaveLength(24)
  })
})
