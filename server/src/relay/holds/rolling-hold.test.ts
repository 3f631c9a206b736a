import { expect, it } from 'vitest'
import { openTestHolds } from '../../../test/support/relay/ports.ts'
import { RollingHold } from './rolling-hold.ts'

const open = async (balance: number, amount = 100) => {
  const holds = openTestHolds(balance)
  const request = { userId: 1, tokenId: 0, amount }
  const answer = await holds.hold(request)
  if (answer.kind === 'refused') throw new Error('refused')
  const held = () => holds.ends.map(({ amount: of, end }) => [of, end])
  const [first] = holds.ends
  const charge = (quota: number) => first?.settle(quota)
  return { tab: new RollingHold({ holds, request, hold: answer.hold }), held, charge }
}

it('holds a step more than what is used', async () => {
  const { tab, held } = await open(10_000)
  expect(await tab.cover(0)).toBeUndefined()
  expect(held()).toEqual([[100, 'held']])
  expect(await tab.cover(1)).toBeUndefined()
  expect(await tab.cover(90)).toBeUndefined()
  expect(held()).toEqual([
    [100, 'held'],
    [101, 'held'],
  ])
  expect(await tab.cover(1000)).toBeUndefined()
  expect(held().at(-1)).toEqual([999, 'held'])
})

it('holds what is left, and says when that is used up', async () => {
  const { tab, held } = await open(250)
  expect(await tab.cover(120)).toBeUndefined()
  expect(held()).toEqual([
    [100, 'held'],
    [150, 'held'],
  ])
  expect(await tab.cover(250)).toBeUndefined()
  expect(await tab.cover(251)).toMatchObject({ kind: 'refused', account: 'user', remain: 0, need: 1 })
})

it('becomes the charge, or nothing', async () => {
  const one = await open(10_000)
  await one.tab.cover(500)
  one.charge(530)
  one.tab.release()
  expect(one.held().map(([, end]) => end)).toEqual([530, 'released'])
  const other = await open(10_000)
  await other.tab.cover(500)
  other.tab.release()
  expect(other.held().map(([, end]) => end)).toEqual(['released', 'released'])
})

it('gives back what is held only when it is over', async () => {
  const { tab, held, charge } = await open(10_000)
  const late = tab.cover(500)
  charge(500)
  tab.release()
  await late
  expect(held().map(([, end]) => end)).toEqual([500, 'released'])
})
