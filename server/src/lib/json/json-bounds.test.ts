import { describe, expect, it } from 'vitest'
import { exceededBound, type JsonBounds } from './json-bounds.ts'

const bounds: JsonBounds = {
  depth: 5,
  members: 10,
  containers: 20,
  texts: 20,
  values: 30,
  lists: new Map([['messages', { entries: 3, parts: 4 }]]),
}

const exceeded = (json: unknown): string | undefined => {
  const found = exceededBound(Buffer.from(typeof json === 'string' ? json : JSON.stringify(json)), bounds)
  return found && `${found.list} ${found.bound} ${found.limit}`.trim()
}

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)
const members = (count: number) => Object.fromEntries(times(count, 1).map((one, index) => [`m${index}`, one]))

describe('each count', () => {
  it.each([
    ['depth 5', nested(5), nested(6)],
    ['members 10', members(10), members(11)],
    ['containers 20', times(19, {}), times(20, {})],
    ['texts 20', `[${times(16, '"a"')}${'"a"'.repeat(4)}]`, `[${times(16, '"a"')}${'"a"'.repeat(5)}]`],
    ['values 30', times(31, 1), times(32, 1)],
    ['messages entries 3', { messages: times(3, {}) }, { messages: times(4, {}) }],
    ['messages parts 4', { messages: [{ content: times(4, {}) }] }, { messages: times(3, { content: [{}, {}] }) }],
  ])('%s passes at its bound and not above it', (name, fits, tooMuch) => {
    expect(exceeded(fits)).toBeUndefined()
    expect(exceeded(tooMuch)).toBe(name)
  })
})

it('ignores everything inside texts, also after quotes and backslashes', () => {
  const text = '\\"[[[[[[[{{{{{{{::::::::::::,,,,,,,,,,,,,,,,\\\\'
  expect(exceeded({ text, [text]: [text, '\\'] })).toBeUndefined()
})

it('decodes the name of a list as a parser does', () => {
  expect(exceeded('{"mess\\u0061ges":[{},{},{},{}]}')).toBe('messages entries 3')
  expect(exceeded('{"other":[{},{},{},{}]}')).toBeUndefined()
  expect(exceeded('{"a":{"messages":[{},{},{},{}]}}')).toBeUndefined()
})

it('counts each list separately', () => {
  expect(exceeded('{"messages":[{},{}],"messages":[{},{}]}')).toBeUndefined()
})

it.each(['', '}', ']]]]', '"', '"\\', '{"a', '[}', '\u0000'])('terminates for invalid JSON: %s', (text) => {
  expect(exceeded(text)).toBeUndefined()
})

it('stops at the bound without reading the rest', () => {
  expect(exceeded('['.repeat(400_000))).toBe('depth 5')
})
