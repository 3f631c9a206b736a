import { validateHeaderValue } from 'node:http'
import { expect, it } from 'vitest'
import { headerList, headerValue, longestHeaderValue } from './header-value.ts'

const samples = [
  '',
  'plain, text; q="1" 100%',
  '备注',
  'a\r\nset-cookie: b=c',
  '\0\u0001\u007f\u0080\u00ff',
  '\ud83d',
  '\u{1f6a7}'.repeat(2000),
  'x'.repeat(longestHeaderValue),
  'x'.repeat(longestHeaderValue + 1),
  `${'x'.repeat(longestHeaderValue - 4)}\u0001y`,
  '\t tabs stay',
]

it.each(samples)('makes %j a valid header value', (sample) => {
  for (const value of [headerValue(sample), headerList([sample]), headerList([sample, sample, 'z'])]) {
    expect(value.length).toBeLessThanOrEqual(longestHeaderValue)
    expect(value).toMatch(/^[\t\x20-\x7e]*$/)
    expect(value).not.toMatch(/%[0-9A-F]?\.\.\.$/)
    expect(() => validateHeaderValue('x', value)).not.toThrow()
  }
})

it('leaves a plain value unchanged, also its percent signs', () => {
  expect(headerValue('a, b; c="100%"')).toBe('a, b; c="100%"')
  expect(headerValue('x'.repeat(longestHeaderValue))).toBe('x'.repeat(longestHeaderValue))
})

it('percent-encodes the bytes of a value as they came over the wire', () => {
  expect(headerValue(Buffer.from('备注').toString('latin1'))).toBe(encodeURIComponent('备注'))
  expect(headerValue('备注')).toBe(encodeURIComponent('备注'))
})

it('joins names so that they can be split again', () => {
  const names = ['a,b', '100%', '备注', 'c d']
  expect(headerList(names).split(', ').map(decodeURIComponent)).toEqual(names)
})

it('counts the names beyond the limit', () => {
  const names = Array.from({ length: 500 }, (_, index) => `field${index}`)
  const parts = headerList(names).split(', ')
  expect(parts.at(-1)).toBe(`+${500 - (parts.length - 1)} more`)
  expect(parts.slice(0, -1)).toEqual(names.slice(0, parts.length - 1))
})
