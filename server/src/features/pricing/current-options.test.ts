import { expect, it } from 'vitest'
import { emptyListBook } from '../../billing/book/list-price.ts'
import { defaultState } from '../options/snapshot.ts'
import { currentPriceOptions } from './current-options.ts'

it('reads options, lists and declarations when one of them was replaced, and gives the same object otherwise', () => {
  const version = { now: 1 }
  let asked = 0
  let options = defaultState.values
  let list = emptyListBook
  let declared = {}
  const current = currentPriceOptions({
    options: () => {
      asked += 1
      return options
    },
    list: () => list,
    declared: () => declared,
    version,
  })
  const first = current()
  expect([current(), asked]).toEqual([first, 1])
  options = { ...options, QuotaPerUnit: 1 }
  version.now += 1
  expect(current().QuotaPerUnit).toBe(1)
  list = { ...emptyListBook }
  version.now += 1
  expect(current().list).toBe(list)
  declared = {}
  version.now += 1
  expect(current().declared).toBe(declared)
  // Another source of plans: channels.
  const last = current()
  version.now += 1
  expect(current()).toBe(last)
})
