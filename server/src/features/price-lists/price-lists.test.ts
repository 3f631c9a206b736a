import type { DatedPrice } from '@tollgate/contract'
import { beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { listsWith, openTestPriceLists, priceActor, sourcePrice } from '../../../test/support/features/price-lists.ts'
import { print } from '../../billing/decimal.ts'
import type { Database } from '../../db/database.ts'
import { silentLog } from '../../lib/log.ts'
import { openBus } from '../../lib/redis/bus.ts'
import { openAudit } from '../audit/audit.ts'
import type { PriceLists } from './price-lists.ts'

const first = listsWith('0.1.8', {
  'gpt-x': { input_mtok: 2, output_mtok: 8, cache_read_mtok: 0.5 },
  'gpt-y': { input_mtok: 1, output_mtok: 4 },
})
const second = listsWith('0.1.9', {
  'gpt-x': { input_mtok: 1, output_mtok: 4, cache_read_mtok: 0.25 },
  'gpt-y': { input_mtok: 1, output_mtok: 400 },
  'gpt-z': { input_mtok: 3, output_mtok: 12 },
})

describeEachEngine('price lists', (open) => {
  let database: Database
  let now: number
  const clock = (): number => now

  const openNode = (shipped = first, parts: Parameters<typeof openTestPriceLists>[2] = {}): Promise<PriceLists> =>
    openTestPriceLists(database, shipped, { clock, audit: openAudit(database, clock).record, ...parts })

  /** Dollars per million prompt and answer tokens, and what a receipt calls the price. */
  const costOf = (lists: PriceLists, model: string, at = now): string | undefined => {
    const price = lists.book().find(model, at)
    if (price === undefined) return undefined
    const { input, output } = price.rates
    return `${input && print(input)} ${output && print(output)} ${price.version}`
  }
  const sync = (lists: PriceLists, rates: Readonly<Record<string, DatedPrice['rates']>>, names: string[] = []) =>
    lists.propose(
      'file',
      { prices: Object.entries(rates).map(([model, own]) => sourcePrice(model, own)), complete: false },
      { names, actor: priceActor },
    )
  const apply = (
    lists: PriceLists,
    id: number,
    more: { decisions?: Record<string, 'apply' | 'keep'>; at?: number } = {},
  ) => lists.apply(id, { decisions: more.decisions ?? {}, at: more.at, actor: priceActor })
  /** The ids of a version's changes by model. */
  const changeIds = async (lists: PriceLists, id: number): Promise<Record<string, number>> =>
    Object.fromEntries((await lists.store.changes(id)).map((change) => [change.model, change.id]))

  beforeEach(async () => {
    database = await open()
    now = Date.UTC(2026, 10, 23, 12)
  })

  it('are those of the version that started first', async () => {
    const lists = await openNode()
    expect(costOf(lists, 'gpt-x-2026')).toBe('2 8 genai-prices 0.1.8')
    expect(costOf(lists, 'unknown')).toBeUndefined()
  })

  it('stay when a newer version of the product brings others, which are a proposal', async () => {
    await openNode()
    const updated = await openNode(second)
    expect(costOf(updated, 'gpt-x')).toBe('2 8 genai-prices 0.1.8')
    expect(costOf(updated, 'gpt-z')).toBeUndefined()
    const { id, changes } = await updated.proposeShipped([])
    const doubtful = changes.filter(({ doubts }) => doubts.length > 0).map(({ model, doubts }) => [model, doubts])
    expect(changes.map(({ model }) => model).toSorted()).toEqual(['gpt-x', 'gpt-y', 'gpt-z'])
    expect(doubtful).toEqual([['gpt-y', [{ kind: 'output', reason: 'jump', factor: 100 }]]])
    await expect(apply(updated, id)).rejects.toMatchObject({ code: 'price_decisions_missing' })
    const ids = await changeIds(updated, id)
    await apply(updated, id, { decisions: { [String(ids['gpt-y'])]: 'keep' } })
    expect(['gpt-x', 'gpt-y', 'gpt-z'].map((model) => costOf(updated, model))).toEqual([
      '1 4 genai-prices 0.1.9',
      '1 4 genai-prices 0.1.8',
      '3 12 genai-prices 0.1.9',
    ])
    expect((await updated.proposeShipped([])).id).toBe(0)
    expect(costOf(await openNode(first), 'gpt-x')).toBe('1 4 genai-prices 0.1.9')
  })

  it('keep a new model of a newer version out when the operator refuses it', async () => {
    await openNode()
    const updated = await openNode(second)
    const { id } = await updated.proposeShipped([])
    const ids = await changeIds(updated, id)
    await apply(updated, id, { decisions: { [String(ids['gpt-y'])]: 'keep', [String(ids['gpt-z'])]: 'keep' } })
    expect(costOf(updated, 'gpt-z')).toBeUndefined()
    const undo = await updated.undo(id, priceActor)
    expect(undo).toBeGreaterThan(id)
    expect(costOf(updated, 'gpt-x')).toBe('2 8 genai-prices 0.1.8')
  })

  it('name other content under the same version apart', async () => {
    await openNode()
    const other = listsWith('0.1.8', { 'gpt-x': { input_mtok: 1, output_mtok: 4 } })
    const lists = await openNode(other)
    const { id } = await lists.proposeShipped([])
    const ids = await changeIds(lists, id)
    await apply(lists, id, { decisions: { [String(ids['gpt-y'])]: 'keep' } })
    expect(costOf(lists, 'gpt-x')).toBe('1 4 genai-prices 0.1.8 #2')
  })

  it('change by a sync only when it is applied, and hold a price with a mistake back', async () => {
    const lists = await openNode()
    const { id, changes } = await sync(lists, {
      'gpt-x': { input: '1.5', output: '8' },
      'gpt-y': { input: '10', output: '4' },
    })
    expect(costOf(lists, 'gpt-x')).toBe('2 8 genai-prices 0.1.8')
    expect(changes.map(({ model, decision, doubts }) => [model, decision, doubts])).toEqual([
      ['gpt-x', 'apply', []],
      ['gpt-y', undefined, expect.arrayContaining([{ kind: 'input', reason: 'jump', factor: 10 }])],
    ])
    await expect(apply(lists, id)).rejects.toMatchObject({ code: 'price_decisions_missing' })
    const ids = await changeIds(lists, id)
    await apply(lists, id, { decisions: { [String(ids['gpt-y'])]: 'keep' } })
    expect([costOf(lists, 'gpt-x'), costOf(lists, 'gpt-y')]).toEqual([`1.5 8 sync ${id}`, '1 4 genai-prices 0.1.8'])
    // Prices that the source does not state stay.
    expect(lists.book().find('gpt-x', now)?.rates.cache_read).toEqual({ digits: 5n, scale: 1 })
    expect(lists.book().find('gpt-x', now - 86_400_000)?.version).toBe('genai-prices 0.1.8')
  })

  it('leave out models that no list knows and no channel serves', async () => {
    const lists = await openNode()
    const prices = { 'own-model': { input: '1', output: '2' }, other: { input: '1', output: '2' } }
    const { id, leftOut, changes } = await sync(lists, prices, ['own-model'])
    expect([changes.map(({ model }) => model), leftOut]).toEqual([['own-model'], 1])
    await apply(lists, id)
    expect(costOf(lists, 'own-model')).toBe(`1 2 sync ${id}`)
  })

  it('change at a moment of the future, until which the price is known to hold', async () => {
    const lists = await openNode()
    const { id } = await sync(lists, { 'gpt-x': { input: '1', output: '8' } })
    const tomorrow = now / 1000 + 86_400
    await apply(lists, id, { at: tomorrow })
    expect(costOf(lists, 'gpt-x')).toBe('2 8 genai-prices 0.1.8')
    expect(lists.book().find('gpt-x', now)?.until).toBe(tomorrow * 1000)
    expect(costOf(lists, 'gpt-x', tomorrow * 1000)).toBe(`1 8 sync ${id}`)
    const before = lists.book()
    now = tomorrow * 1000
    await lists.refresh()
    expect(lists.book()).not.toBe(before)
    expect(costOf(lists, 'gpt-x')).toBe(`1 8 sync ${id}`)
  })

  it('forget a scheduled version that is discarded', async () => {
    const lists = await openNode()
    const { id } = await sync(lists, { 'gpt-x': { input: '1', output: '8' } })
    const tomorrow = now / 1000 + 86_400
    await apply(lists, id, { at: tomorrow })
    await lists.discard(id, priceActor)
    expect(costOf(lists, 'gpt-x', tomorrow * 1000)).toBe('2 8 genai-prices 0.1.8')
    await expect(lists.discard(id, priceActor)).rejects.toMatchObject({ code: 'price_version_settled' })
  })

  it('are restored by an undo, except where a later version changed them', async () => {
    const lists = await openNode()
    const one = await sync(lists, { 'gpt-x': { input: '1', output: '8' }, 'gpt-y': { input: '2', output: '4' } })
    await apply(lists, one.id)
    now += 60_000
    const two = await sync(lists, { 'gpt-y': { input: '3', output: '4' } })
    await apply(lists, two.id)
    now += 60_000
    await lists.undo(one.id, priceActor)
    expect([costOf(lists, 'gpt-x'), costOf(lists, 'gpt-y')]).toEqual(['2 8 genai-prices 0.1.8', `3 4 sync ${two.id}`])
    now += 60_000
    await lists.undo(two.id, priceActor)
    expect(costOf(lists, 'gpt-y')).toBe(`2 4 sync ${one.id}`)
    await expect(lists.undo(two.id, priceActor)).rejects.toMatchObject({ code: 'price_version_not_undoable' })
    const trail = await database.query
      .selectFrom('audit')
      .select(['action', 'object_id'])
      .where('action', '!=', 'price_list.compare')
      .orderBy('id')
      .execute()
    expect(trail.map(({ action, object_id }) => `${action} ${object_id}`)).toEqual([
      `price_list.apply ${one.id}`,
      `price_list.apply ${two.id}`,
      `price_list.undo ${one.id}`,
      `price_list.undo ${two.id}`,
    ])
  })

  it('refuse a proposal that was compared with other prices than those in force', async () => {
    const lists = await openNode()
    const stale = await sync(lists, { 'gpt-x': { input: '1', output: '8' } })
    const other = await lists.propose(
      'other file',
      { prices: [sourcePrice('gpt-x', { input: '1.9', output: '8' })], complete: false },
      { names: [], actor: priceActor },
    )
    await apply(lists, other.id)
    await expect(apply(lists, stale.id)).rejects.toMatchObject({ code: 'price_version_stale' })
    await expect(apply(lists, other.id)).rejects.toMatchObject({ code: 'price_version_settled' })
  })

  it('are the same on every node soon after one of them changes them', async () => {
    const bus = openBus({ nodeName: 'test', log: silentLog })
    const one = await openNode()
    const two = await openNode(first, { bus, isSlave: true })
    const { id } = await sync(one, { 'gpt-x': { input: '1', output: '8' } })
    await apply(one, id)
    expect(costOf(two, 'gpt-x')).toBe('2 8 genai-prices 0.1.8')
    await two.refresh()
    expect(costOf(two, 'gpt-x')).toBe(`1 8 sync ${id}`)
  })

  it('are stored once by nodes that start together', async () => {
    await Promise.all([openNode(), openNode(), openNode()])
    expect(await database.query.selectFrom('price_versions').select('status').execute()).toEqual([
      { status: 'applied' },
    ])
  })
})
