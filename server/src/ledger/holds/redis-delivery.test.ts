import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { redisHere, type TestRedis, testRedis } from '../../../test/support/lib/redis.ts'
import type { AccountShare, AccountStore, Reservation } from './account-store.ts'
import { openDelivery } from './redis-delivery.ts'
import { openRedisStore } from './redis-store.ts'

const onShort = (): void => undefined
const user = { account: 'user', id: 1 } as const

/** Two nodes share the balance of one user. A node that is not in the list of nodes counts as dead, so no clock decides. */
describe.skipIf(!redisHere)('delivery to Redis', () => {
  let redis: TestRedis
  let epoch: string
  let north: AccountStore
  let south: AccountStore

  const openStore = (node: string): Promise<AccountStore> =>
    openRedisStore({
      url: redis.url,
      node,
      epoch: () => epoch,
      graceMs: 600_000,
      onUp: () => undefined,
      onDown: () => undefined,
      onRecall: () => undefined,
    })

  const reserve = async (store: AccountStore, amount: number): Promise<Reservation> => {
    await store.beat()
    const request = { accounts: [{ ...user, unlessUnlimited: false }], amount, spare: 0, more: false }
    return store.reserve(request)
  }

  const balance = { ...user, balance: 100, version: 1, unlimited: false }

  /** Available quota as the other node sees it; a balance that is in doubt since a node died is read from the database again. */
  const available = async (): Promise<number> => {
    let answer = await reserve(south, 1_000_000)
    if (answer.kind === 'unknown') {
      await south.change([{ ...user, pending: 0, accountBalance: balance }])
      answer = await reserve(south, 1_000_000)
    }
    if (answer.kind !== 'refused') throw new Error(answer.kind)
    return answer.remain
  }

  /** The other node drops what north had reserved. */
  const takeNorthForDead = async (): Promise<void> => {
    await north.leave()
    expect(await available()).toBe(100)
  }

  beforeAll(async () => {
    redis = await testRedis()
    await redis.start()
  })
  afterAll(() => redis?.stop())

  beforeEach(async () => {
    epoch = randomUUID()
    north = await openStore('north')
    south = await openStore('south')
    onTestFinished(() => {
      north.close()
      south.close()
    })
    await south.change([{ ...user, pending: 0, accountBalance: balance }])
    expect(await reserve(north, 80)).toMatchObject({ kind: 'held' })
  })

  it('sends a share before what is released after it, also where the others took the node for dead', async () => {
    let shares: readonly AccountShare[] = [{ ...user, pending: 80, lease: 0 }]
    const news = openDelivery({ store: north, shares: () => shares, onShort, warn: () => undefined })
    await takeNorthForDead()
    const sent = news.catchUp()
    shares = []
    const released = news.publish([{ ...user, pending: -80, accountBalance: undefined }])
    await Promise.all([sent, released])
    expect(await available()).toBe(100)
  })

  it('sends a share again where it was dropped before its answer was read', async () => {
    let read: () => void = () => undefined
    const isRead = new Promise<void>((resolve) => {
      read = resolve
    })
    const slow: AccountStore = { ...north, share: (list) => north.share(list).then(() => isRead) }
    const news = openDelivery({
      store: slow,
      shares: () => [{ ...user, pending: 80, lease: 0 }],
      onShort,
      warn: () => undefined,
    })
    const first = news.catchUp()
    await takeNorthForDead()
    expect(await north.beat()).toBe(false)
    const second = news.catchUp()
    read()
    await Promise.all([first, second])
    expect(await available()).toBe(20)
  })

  it('counts what was held and charged while the others took the node for dead, once', async () => {
    let pending = 80
    const news = openDelivery({
      store: north,
      shares: () => [{ ...user, pending, lease: 0 }],
      onShort,
      warn: () => undefined,
    })
    await takeNorthForDead()
    const change = async (difference: number): Promise<void> => {
      pending += difference
      await news.publish([{ ...user, pending: difference, accountBalance: undefined }])
    }
    await change(5)
    await change(-30)
    expect(await north.beat()).toBe(false)
    await news.catchUp()
    await news.catchUp()
    expect(await available()).toBe(45)
  })
})
