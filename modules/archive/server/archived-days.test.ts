import { expect, it } from 'vitest'
import { isArchivedAfter } from './archived-days.ts'

it('counts a month and two days on what the option says', () => {
  expect([92, 93, 94].map((days) => isArchivedAfter(60, days))).toEqual([false, true, true])
  expect(isArchivedAfter(0, 36_500)).toBe(false)
})
