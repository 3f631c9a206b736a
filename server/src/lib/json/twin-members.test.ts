import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hasTwins } from './twin-members.ts'

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
