import { describe, expect, it } from 'vitest'
import { type LeaveSlot, openSlots, type WaitingForSlot } from './slots.ts'

const placed = (entered: LeaveSlot | WaitingForSlot): LeaveSlot => {
  if (typeof entered !== 'function') throw new Error('it waits')
  return entered
}
const waiting = (entered: LeaveSlot | WaitingForSlot): WaitingForSlot => {
  if (typeof entered === 'function') throw new Error('it does not wait')
  return entered
}

describe('the slots of a channel', () => {
  it('are given at once as long as there are some, and then in order', async () => {
    const slots = openSlots()
    const first = placed(slots.enter(1, 2, 0))
    placed(slots.enter(1, 2, 0))
    const third = waiting(slots.enter(1, 2, 0))
    const fourth = waiting(slots.enter(1, 2, 0))
    placed(slots.enter(2, 1, 0))
    first()
    const leaveThird = await third.entered
    leaveThird?.()
    expect(await fourth.entered).toBeTypeOf('function')
  })

  it('are given up once, however often that is said', async () => {
    const slots = openSlots()
    const first = placed(slots.enter(1, 1, 0))
    const second = waiting(slots.enter(1, 1, 0))
    first()
    first()
    expect(await second.entered).toBeTypeOf('function')
    const third = waiting(slots.enter(1, 1, 0))
    third.leave()
    expect(await third.entered).toBeUndefined()
  })

  it('are not waited for longer than a call may', async () => {
    const slots = openSlots()
    const first = placed(slots.enter(1, 1, 0))
    expect(await waiting(slots.enter(1, 1, 5)).entered).toBeUndefined()
    first()
    placed(slots.enter(1, 1, 0))
  })
})
