import { expect, it } from 'vitest'
import { overrideDoubt, overrideNames, overridePreview } from './override-doubt.ts'

const say = (key: string): string => key
const doubt = (name: string, value: string) => overrideDoubt(name, value, say as never)

it.each([
  ['temperature', '0.2', undefined],
  ['temperature', '3', 'overrideNumber'],
  ['temperature', 'hot', 'overrideNumber'],
  ['temperature', '', 'overrideNumber'],
  ['max_tokens', '4096', undefined],
  ['max_tokens', '1.5', 'overrideWhole'],
  ['logprobs', 'yes', 'overrideFlag'],
  ['seed', 'null', undefined],
  ['stream', 'true', 'overrideBreaks'],
  ['model', 'gpt-4o', 'overrideModel'],
  ['tools', '[]', 'overrideContents'],
  ['own_parameter', 'anything', undefined],
  ['constructor', 'anything', undefined],
])('%s = %s is met with %s', (name, value, expected) => {
  expect(doubt(name, value)).toBe(expected)
})

it('offers no member that would break a request', () => {
  expect(overrideNames).toContain('temperature')
  expect(overrideNames.filter((name) => ['stream', 'model', 'messages'].includes(name))).toEqual([])
})

it('shows a request member by member: changed, added and left alone', () => {
  expect(overridePreview({ model: 'm', temperature: 0.7 }, '{"temperature": 0, "top_k": 40}')).toEqual([
    { name: 'model', before: '"m"', after: '"m"' },
    { name: 'temperature', before: '0.7', after: '0' },
    { name: 'top_k', before: undefined, after: '40' },
  ])
  expect(overridePreview({}, '{"temperature":')).toBeUndefined()
})
