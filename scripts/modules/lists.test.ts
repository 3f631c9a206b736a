import { expect, it } from 'vitest'
import { moduleNames, outdatedLists } from './lists.ts'

it('names every module in the lists that contract, server and console import', () => {
  expect(moduleNames().length).toBeGreaterThan(0)
  expect(outdatedLists().map(([path]) => `${path} is out of date: run npm run modules`)).toEqual([])
})
