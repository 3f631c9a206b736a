import { expect, it } from 'vitest'
import { listPairs, numberPairs, type Pair, textPairs } from './pairs.ts'

const withIds = (pairs: readonly Omit<Pair, 'id'>[] | undefined): Pair[] =>
  (pairs ?? []).map((pair, id) => ({ ...pair, id }))

it.each([
  [numberPairs, '{\n  "default": 1,\n  "vip": 0.5\n}'],
  [textPairs, '{\n  "default": "默认分组"\n}'],
  [listPairs, '[\n  {\n    "AMA": "ama://x"\n  },\n  {\n    "AMA": "ama://y"\n  }\n]'],
  [numberPairs, '{}'],
])('reads the rows it writes', (form, text) => {
  expect(form.write(withIds(form.read(text)))).toBe(text)
})

it('leaves to the JSON view what is no table', () => {
  expect(numberPairs.read('{')).toBeUndefined()
  expect(numberPairs.read('{"a":{"b":1}}')).toBeUndefined()
  expect(listPairs.read('[{"a":"b","c":"d"}]')).toBeUndefined()
})

it('keeps a name typed twice and a number that is none, so that both can be refused', () => {
  const text = numberPairs.write([
    { id: 1, name: 'vip', value: '1' },
    { id: 2, name: 'vip', value: 'much' },
  ])
  expect(text).toBe('{\n  "vip": 1,\n  "vip": "much"\n}')
})
