import { expect, it } from 'vitest'
import { NodeAccount } from './node-account.ts'
import { createRecalls } from './recalls.ts'

const account = (): NodeAccount => new NodeAccount({ account: 'user', id: 1 })

/** A store in which a lease is back at the `back`-th look. */
const storeOf = (recallMs: number, back: number) => {
  let looks = 0
  return {
    recallMs,
    async recall() {
      looks += 1
      return looks < back ? [{ account: 'user', id: 1 } as const] : []
    },
    looks: () => looks,
  }
}

it('waits for a worker that is busy for longer than half a second', async () => {
  const store = storeOf(10_000, 11)
  expect(await createRecalls(store, () => 0).recall(account())).toBe(true)
  expect(store.looks()).toBe(11)
})

it('gives a node up after the time of its store, and does not wait for it again soon', async () => {
  const store = storeOf(10, Number.POSITIVE_INFINITY)
  const recalls = createRecalls(store, () => 0)
  const one = account()
  expect(await recalls.recall(one)).toBe(false)
  const looks = store.looks()
  expect(await recalls.recall(one)).toBe(false)
  expect(store.looks()).toBe(looks)
})
