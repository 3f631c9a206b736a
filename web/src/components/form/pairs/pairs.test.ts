import { expect, it } from 'vitest'
import { emptyable, listPairs, numberPairs, type PairRow, textPairs, valuePairs } from './pairs.ts'

const withIds = (pairs: readonly Omit<PairRow, 'id'>[] | undefined): PairRow[] =>
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

it('keeps values of any kind as they are, also texts that look like numbers', () => {
  const value = {
    temperature: 0,
    stream_options: { include_usage: true },
    user: 'x',
    seed: '5',
    stop: null,
    logprobs: true,
  }
  const text = JSON.stringify(value)
  expect(JSON.parse(valuePairs.write(withIds(valuePairs.read(text))))).toEqual(value)
  expect(valuePairs.read(text)?.map((pair) => pair.value)).toEqual([
    '0',
    '{"include_usage":true}',
    'x',
    '"5"',
    'null',
    'true',
  ])
})

it('leaves nothing where there are no rows and nothing is set', () => {
  const form = emptyable(textPairs)
  expect([form.read(''), form.read(' '), form.write([])]).toEqual([[], [], ''])
  expect(form.read('[1]')).toBeUndefined()
})
