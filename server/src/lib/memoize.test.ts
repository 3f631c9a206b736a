import { expect, it } from 'vitest'
import { memoize } from './memoize.ts'

it('calls make once per text, and forgets all results when the limit is reached', () => {
  const made: string[] = []
  const isShort = memoize(2, (text) => {
    made.push(text)
    return text.length < 3
  })
  expect(['a', 'long', 'a', 'long'].map(isShort)).toEqual([true, false, true, false])
  expect(made).toEqual(['a', 'long'])
  expect(isShort('b')).toBe(true)
  expect(isShort('a')).toBe(true)
  expect(isShort('b')).toBe(true)
  expect(made).toEqual(['a', 'long', 'b', 'a'])
})
