import { expect, it } from 'vitest'
import { attentionOf, type ChannelCondition } from './attention.ts'

const well: ChannelCondition = {
  enabled: true,
  autoDisabled: false,
  points: [],
  avoided: 0,
  refusedKeys: 0,
  balance: undefined,
  soldInDay: 0,
  unpriced: 0,
}
const off = { ...well, enabled: false }
const points = (...calls: (readonly [answered: number, failed: number])[]) =>
  calls.map(([answered, failed], index) => ({ time: index * 900, answered, failed }))

it.each<[string, Partial<ChannelCondition>, readonly string[]]>([
  ['without calls', {}, []],
  ['disabled automatically', { ...off, autoDisabled: true, unpriced: 3 }, ['disabled']],
  ['switched off by an operator', { ...off, points: points([0, 9]) }, []],
  ['answered none', { points: points([0, 2], [0, 0]) }, ['failing']],
  ['answered none of its latest calls', { points: points([90, 0], [0, 2], [0, 1], [0, 0]) }, ['failing']],
  ['failed once after others were answered', { points: points([90, 0], [0, 1]) }, []],
  ['failed long ago', { points: points([0, 50], [9, 0], [0, 0], [0, 0], [0, 0]) }, []],
  ['answers too few of the hour', { points: points([8, 2]) }, ['failing']],
  ['answers enough of the hour', { points: points([18, 2]) }, []],
  [
    'is skipped, with a refused key and models without price',
    { avoided: 1, refusedKeys: 1, unpriced: 1 },
    ['cooling', 'key_refused', 'unpriced'],
  ],
  ['has a balance for another day', { balance: 12, soldInDay: 12 }, []],
  ['has less than it sold in a day', { balance: 11.9, soldInDay: 12 }, ['balance_low']],
  ['is empty', { balance: 0 }, ['balance_low']],
])('a channel that %s', (_, changes, reasons) => {
  expect(attentionOf({ ...well, ...changes })).toEqual(reasons)
})
