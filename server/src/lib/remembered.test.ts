import { expect, it } from 'vitest'
import { remembered } from './remembered.ts'

it('makes each thing once, and forgets all of them rather than keep more than it may', () => {
  const made: string[] = []
  const isShort = remembered(2, (text) => {
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
