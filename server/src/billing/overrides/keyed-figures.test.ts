import { expect, it } from 'vitest'
import { keyedFigures } from './keyed-figures.ts'

const read = keyedFigures({
  'search:gpt-4*': 25,
  search: 10,
  'search:gpt-4o': 30,
  'search:gpt-4o-mini*': 27,
  'files:claude*': 3,
  'odd:a:b': 5,
  broken: -1,
  endless: Number.POSITIVE_INFINITY,
})

it.each([
  ['for every model', 'o3', { search: 10 }],
  ['for a prefix', 'gpt-4-turbo', { search: 25 }],
  ['for a longer prefix', 'gpt-4o-mini-2024', { search: 27 }],
  ['for a name', 'gpt-4o', { search: 30 }],
  ['of several names', 'claude-x', { search: 10, files: 3 }],
  ['for a model with a colon', 'a:b', { search: 10, odd: 5 }],
])('takes the most specific figure: %s', (_, model, figures) => expect(read(model)).toEqual(figures))

it('returns undefined without a matching entry, also for a model named constructor', () => {
  expect(keyedFigures({ 'search:gpt*': 1 })('constructor')).toBeUndefined()
  expect(keyedFigures({})('gpt-4o')).toBeUndefined()
})
