import { expect, it } from 'vitest'
import type { Price } from '#server/billing/price.ts'
import { createPriceBook } from '#server/billing/prices.ts'
import { priceSettings } from '#server/features/pricing/price-options.ts'
import type { RequestRecord } from '#server/relay/ports.ts'
import { taskPrice, taskReceipt } from '#server/relay/tasks/task-price.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { printed, testOptions } from '#server-test/support/features/pricing.ts'
import { useTasks } from '#server-test/support/features/task-scene.ts'
import { type Corrections, openCorrections } from './corrections.ts'
import { correctionPrices } from './prices/correction-price.ts'

const root = { id: 1_000_000, username: 'root', ip: '192.0.2.1' }
const model = 'mj_imagine'
/** 5,000 units a call; it should have been 10,000. */
const options = testOptions({ ModelPrice: { [model]: 0.01 } })
const right = [printed('ModelPrice', { [model]: 0.02 })]
const corrected = [990_000, 10_000, 490_000, 10_000, 10_000]

const priced = (): Price => {
  const price = taskPrice(createPriceBook(priceSettings(options)), model, { group: 'default' })
  return price ?? expect.fail('no price')
}

describeEachEngine('a correction of tasks', (open) => {
  const scene = useTasks(open)
  const { draw, setState, poll, books, charged, whole, differences } = scene

  const openWith = (node = scene.node): Corrections =>
    openCorrections({
      database: scene.database,
      logDatabase: scene.database,
      ledger: node.ledger.movements,
      prices: correctionPrices(() => options),
      audit: { record: async () => {} },
      tokensChanged: () => undefined,
      unit: () => 0,
      clock: () => Date.now() + 60_000,
      restMs: 0,
      failed(error) {
        throw error
      },
    })

  const begin = (platform: 'midjourney' | 'suno', more: Partial<RequestRecord> = {}): Promise<RequestRecord> =>
    draw(platform === 'suno' ? { platform, action: 'MUSIC', status: 'NOT_START' } : {}, {
      model,
      group: 'default',
      receipt: taskReceipt(priced(), { platform: 'midjourney', free: false }),
      ...more,
    })

  const preview = async (corrections: Corrections, changes = right) => {
    const now = Math.floor(Date.now() / 1000)
    const window = { from: now - 3_600, to: now + 60, models: [], channels: [], users: [scene.owner.userId] }
    const { id } = await corrections.create(root, { ...window, changes, note: '' })
    await corrections.work()
    return id
  }

  const apply = async (corrections: Corrections, id: number) => {
    await corrections.apply(root, id)
    await corrections.work()
    return corrections.detail(id)
  }

  const fail = async (record: RequestRecord): Promise<void> => {
    setState(record, { status: 'FAILURE', failReason: 'banned', fail_reason: 'banned' })
    await poll()
  }

  it.each(['midjourney', 'suno'] as const)(
    'of %s charges them anew, and one that fails later costs nothing',
    async (platform) => {
      const record = await begin(platform)
      const corrections = openWith()
      const id = await preview(corrections)
      expect(await corrections.detail(id)).toMatchObject({
        calls: 1,
        old_quota: 5_000,
        new_quota: 10_000,
        left_out: {},
      })
      expect(await books()).toEqual(charged)
      expect(await apply(corrections, id)).toMatchObject({ state: 'done', applied: 1 })
      expect(await books()).toEqual(corrected)
      await fail(record)
      expect(await books()).toEqual(whole)
      expect(await differences()).toEqual([])
    },
  )

  it('leaves those alone that were paid back, and says how many', async () => {
    await fail(await begin('midjourney'))
    await begin('suno')
    const corrections = openWith()
    const id = await preview(corrections)
    expect(await corrections.detail(id)).toMatchObject({ seen: 2, calls: 1, left_out: { paid_back: 1 } })
    await apply(corrections, id)
    expect(await books()).toEqual(corrected)
    expect(await differences()).toEqual([])
  })

  it('skips those that failed after they were computed', async () => {
    const record = await begin('midjourney')
    const corrections = openWith()
    const id = await preview(corrections)
    await fail(record)
    expect(await apply(corrections, id)).toMatchObject({ state: 'done', applied: 0, skipped: 1 })
    expect(await books()).toEqual(whole)
    expect(await differences()).toEqual([])
  })

  it('and their failure at the same moment, on two nodes, leave nothing paid', async () => {
    for (let round = 0; round < 5; round += 1) {
      const record = await begin('midjourney')
      const corrections = openWith(scene.other)
      const id = await preview(corrections)
      await Promise.all([apply(corrections, id), fail(record)])
      expect(await books()).toEqual(whole)
    }
    expect(await differences()).toEqual([])
  })

  it('gives an action without a price of its own the one that tasks have', async () => {
    await begin('midjourney')
    const corrections = openWith()
    const id = await preview(corrections, [printed('ModelPrice', {})])
    expect(await corrections.detail(id)).toMatchObject({ calls: 1, new_quota: 50_000 })
  })

  it('keeps free actions free', async () => {
    await begin('midjourney', { quota: 0, receipt: taskReceipt(priced(), { platform: 'midjourney', free: true }) })
    const corrections = openWith()
    const id = await preview(corrections)
    expect(await corrections.detail(id)).toMatchObject({ calls: 0, left_out: { same: 1 } })
  })
})
