import { expect, it } from 'vitest'
import { aRecord } from '../../../test/support/journal/records.ts'
import { groupCalls } from '../apply/call-groups.ts'
import { usageOf } from './usage-of.ts'

it('is one sum for names that are one in the database', () => {
  const long = 'n'.repeat(255)
  const records = [`${long}1`, `${long}2`, `${long}\0`].map((tokenName, index) =>
    aRecord(`r${index}`, { tokenName, quota: 5 }),
  )
  expect(usageOf(groupCalls(records)).hours).toMatchObject([{ count: 3, quota: 15, dimensions: { token_name: long } }])
})

it('keeps names apart that are one text when they stand side by side', () => {
  const records = [
    aRecord('one', { tokenName: 'a', group: 'bc', model: 'd' }),
    aRecord('two', { tokenName: 'ab', group: 'c', model: 'd' }),
    aRecord('three', { tokenName: 'a', group: 'b', model: 'cd' }),
  ]
  expect(usageOf(groupCalls(records)).hours.map(({ count }) => count)).toEqual([1, 1, 1])
})
