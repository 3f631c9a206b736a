import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hasTwins, withoutTwins } from './twin-members.ts'

const twins = (text: string): boolean => hasTwins(Buffer.from(text), JSON.parse(text))

it.each([
  ['{"a":1,"a":2}', true],
  ['{"a":1,"\\u0061":2}', true],
  ['[{"b":{"a":"x","c":1,"a":"y"}}]', true],
  ['{"a":{"b":1},"c":{"b":1}}', false],
  ['{"a":"\\"a\\":1, \\\\","b":":"}', false],
  ['{"__proto__":1,"1":2,"":3}', false],
  ['"a:b"', false],
])('%s: %s', (text, is) => expect(twins(text)).toBe(is))

it('finds none in what was written by one who writes each once', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(twins(JSON.stringify(JSON.parse(text)))).toBe(false)
    }),
  )
})

it.each([
  ['{"model":"a","x":1,"model":"b"}', '{"model":"b","x":1,"model":"b"}'],
  ['{"model":"a","mod\\u0065l":"b"}', '{"model":"b","mod\\u0065l":"b"}'],
  ['{"model":"a","tools":[{"model":1},{"model":2}]}', undefined],
  ['{"x":1,"x":2,"model":"a"}', undefined],
  ['{"model":"caf\\u00e9 \\u003c"}', undefined],
])('every one of %s is what was read', (text, expected) => {
  const json = Buffer.from(text)
  const edited = withoutTwins(json, JSON.parse(text), ['model'])
  if (expected === undefined) expect(edited).toBe(json)
  else expect(edited.toString()).toBe(expected)
})
