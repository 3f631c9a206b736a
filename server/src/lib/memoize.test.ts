import { expect, it } from 'vitest'
import { memoize } from './memoize.ts'

it('calls make once per text while it is in use, and forgets others beyond the limit', () => {
  const made: string[] = []
  const isShort = memoize(2, (text) => {
    made.push(text)
    return text.length < 3
  })
  expect(['a', 'long', 'a'].map(isShort)).toEqual([true, false, true])
  expect(made).toEqual(['a', 'long'])
  for (let other = 0; other < 10; other += 1) {
    expect(isShort(`other ${other}`)).toBe(false)
    expect(isShort('a')).toBe(true)
  }
  expect(made.filter((text) => text === 'a')).toEqual(['a'])
  expect(isShort('long')).toBe(false)
  expect(made.filter((text) => text === 'long')).toEqual(['long', 'long'])
})
