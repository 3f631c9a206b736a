import { beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { listsWith, openTestPriceLists } from '../../../test/support/features/price-lists.ts'
import type { Database } from '../../db/database.ts'
import { openNamedJobs } from '../../jobs/named-jobs.ts'
import { createEgressGuard } from '../../lib/security/egress.ts'
import { openComparison } from './comparison.ts'
import { openPriceSchedule } from './schedule.ts'

const shipped = listsWith('0.1.8', { 'gpt-x': { input_mtok: 2, output_mtok: 8 } })

describeEachEngine('the schedule of comparisons', (open) => {
  let database: Database
  let now: number
  let input: number

  beforeEach(async () => {
    database = await open()
    now = Date.UTC(2026, 10, 23, 12)
    input = 1.5e-6
  })

  const openNode = async (apply: 'nothing' | 'new' | 'plausible', lists = shipped) => {
    const clock = (): number => now
    const priceLists = await openTestPriceLists(database, lists, { clock })
    const text = () =>
      JSON.stringify({
        'gpt-x': { litellm_provider: 'openai', input_cost_per_token: input, output_cost_per_token: 8e-6 },
      })
    const { look } = openPriceSchedule({
      lists: priceLists,
      comparison: openComparison({
        lists: priceLists,
        names: () => [],
        egress: createEgressGuard({ allow: [], operator: true }),
        read: async () => ({ status: 200, text: text() }),
      }),
      jobs: openNamedJobs(database, clock),
      settings: () => ({
        PriceSyncSource: 'litellm',
        PriceSyncAddress: 'http://127.0.0.1/prices',
        PriceSyncHours: 24,
        PriceSyncApply: apply,
        PriceListsEnabled: true,
      }),
      clock,
      names: () => [],
      warn: (message, fields) => {
        throw new Error(message, { cause: fields?.error })
      },
    })
    return { look, priceLists, rate: () => priceLists.book().find('gpt-x', now)?.version }
  }
  const versions = async (): Promise<string[]> => {
    const rows = await database.query.selectFrom('price_versions').select(['kind', 'status']).orderBy('id').execute()
    return rows.map(({ kind, status }) => `${kind} ${status}`)
  }

  it('proposes once a period, and applies nothing without a decision', async () => {
    const { look, rate } = await openNode('nothing')
    await look()
    expect(await versions()).toEqual(['shipped applied'])
    now += 86_400_000
    await Promise.all([look(), look()])
    expect(await versions()).toEqual(['shipped applied', 'sync proposed'])
    expect(rate()).toBe('genai-prices 0.1.8')
  })

  it('applies what holds nothing back where the operator said so, and nothing else', async () => {
    const { look, rate } = await openNode('plausible')
    await look()
    now += 86_400_000
    await look()
    expect(rate()).toBe('sync 2')
    input = 1.5e-5
    now += 86_400_000
    await look()
    expect(await versions()).toEqual(['shipped applied', 'sync applied', 'sync proposed'])
    expect(rate()).toBe('sync 2')
  })

  it('proposes the lists of an update by itself, once', async () => {
    await openNode('plausible')
    const updated = await openNode('plausible', listsWith('0.1.9', { 'gpt-x': { input_mtok: 1, output_mtok: 8 } }))
    await updated.look()
    await updated.look()
    expect(await versions()).toEqual(['shipped applied', 'shipped proposed'])
    expect(updated.rate()).toBe('genai-prices 0.1.8')
  })
})
