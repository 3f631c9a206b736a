import { afterEach, beforeEach, expect, it } from 'vitest'
import { priceOf } from '../../../test/support/billing/price.ts'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { aRecord } from '../../../test/support/journal/records.ts'
import {
  newJournalDirectory,
  newToken,
  newUser,
  openTestLedger,
  type TestLedger,
} from '../../../test/support/ledger/ledger.ts'
import { receiptOf } from '../../billing/cost.ts'
import type { UnknownFigure } from '../../billing/declared/unknown-members.ts'
import { noUsage, type Usage } from '../../billing/usage.ts'
import type { Database } from '../../db/database.ts'
import { type DeclaredUsages, openDeclaredUsages } from './declared-usage.ts'
import { type LiveDeclarations, openLiveDeclarations } from './live.ts'

const root = { id: 1_000_000, username: 'root', ip: '192.0.2.1' }
const price = priceOf('gpt-4o')
const unknown = (name: string, count: number, more: Partial<UnknownFigure> = {}): UnknownFigure => ({
  kind: 'usage',
  dialect: 'openai',
  name,
  value: count,
  count,
  ...more,
})

describeEachEngine('parts of answers that no table declares', (open) => {
  let database: Database
  let books: TestLedger
  let clock: { now: number }
  let usages: DeclaredUsages
  let live: LiveDeclarations
  let told: string[]
  let settled: unknown[]
  let user: { id: number; token: number }
  let remove: () => Promise<void>

  beforeEach(async () => {
    database = await open()
    clock = { now: Date.UTC(2026, 10, 20, 12) }
    told = []
    settled = []
    const journal = await newJournalDirectory()
    remove = journal.remove
    books = await openTestLedger(database, journal.directory, { now: () => clock.now })
    const audit = { record: async () => undefined }
    live = await openLiveDeclarations({
      database,
      bus: { publish: () => undefined, subscribe: () => () => undefined } as never,
      log: { warn: () => undefined } as never,
      syncFrequencyMs: 60_000,
    })
    usages = openDeclaredUsages({
      database,
      live,
      audit,
      settlings: [{ settle: async (...about) => settled.push(about) }],
      tell: ({ name, calls, quota }) => told.push(`${name} ${calls} ${quota}`),
      clock: () => clock.now,
      isPriced: () => false,
    })
    const id = await newUser(database, books.ledger, 1_000_000)
    user = { id, token: await newToken(database, books.ledger, { userId: id, remain: 1_000_000 }) }
  })
  afterEach(async () => {
    live.close()
    await books.crash()
    await remove()
  })

  const charge = async (id: string, more: Partial<Usage>): Promise<number> => {
    const receipt = receiptOf({ ...noUsage, input: 1000, output: 100, ...more }, price, { estimated: false })
    const of = { at: clock.now, model: 'gpt-4o', userId: user.id, tokenId: user.token, channelId: 0 }
    await books.ledger.recorder.charge(aRecord(id, { ...of, quota: receipt.quota, receipt }))
    return receipt.quota
  }

  const kindOf = async (name: string) => {
    const found = (await usages.list({ p: 1, page_size: 100 })).items.find((kind) => kind.name === name)
    return found ?? expect.fail(`no kind ${name}`)
  }

  it('are listed and told once, and their calls charged anew once they were declared', async () => {
    await charge('a', { unknown: [unknown('fresh_tokens', 200)] })
    await charge('b', { unknown: [unknown('fresh_tokens', 200), unknown('watts', 7)] })
    await books.ledger.flush()
    await usages.work()
    await usages.work()
    expect(told.sort()).toEqual(['fresh_tokens 2 2000', 'watts 1 35'])
    const { id, first_time: from } = await kindOf('fresh_tokens')
    await usages.declare(root, id, { as: 'informative' })
    await usages.work()
    const declarations = { 'usage openai fresh_tokens': { as: 'informative' } }
    const once = [{ id: 0, username: 'root', ip: '' }, from, declarations, 'usage openai fresh_tokens']
    expect(settled).toEqual([once])
    // Nodes that had not read the declaration may have charged calls since.
    clock.now += 120_000
    await usages.work()
    await usages.work()
    expect(settled).toEqual([once, once])
  })

  it('wait as they were charged until something can charge them anew', async () => {
    await charge('a', { unknown: [unknown('fresh_tokens', 200)] })
    await books.ledger.flush()
    const { id } = await kindOf('fresh_tokens')
    const declaring = (settlings: Parameters<typeof openDeclaredUsages>[0]['settlings']) =>
      openDeclaredUsages({
        database,
        live,
        audit: { record: async () => undefined },
        settlings,
        tell: () => undefined,
        clock: () => clock.now,
        isPriced: () => false,
      })
    await declaring([]).declare(root, id, { as: 'informative' })
    await declaring([]).work()
    expect(await kindOf('fresh_tokens')).toMatchObject({ declaration: { as: 'informative' }, settled_calls: 0 })
    await declaring([{ settle: async (...about) => settled.push(about) }]).work()
    expect(settled).toHaveLength(1)
    expect(await kindOf('fresh_tokens')).toMatchObject({ settled_calls: 1 })
  })

  it('cannot be declared as what they are not', async () => {
    await charge('a', { tier: 'hyper' })
    await books.ledger.flush()
    const { id } = await kindOf('hyper')
    await expect(usages.declare(root, id, { as: 'piece', piece: 'input' })).rejects.toThrow()
  })

  it('list what providers state to cost otherwise, and no call is charged anew for it', async () => {
    const stated = { amount: '0.5', by: 'cost', provider: 'openrouter', model: 'openai/gpt-5.4', computed: 2000 }
    const cost = { quota: 250_000, version: 'stated', factor: '1', stated, stated_gap: 248_000 }
    const receipt = receiptOf({ ...noUsage, input: 1000, output: 100 }, price, { estimated: false })
    const of = { at: clock.now, model: 'gpt-4o', userId: user.id, tokenId: user.token, channelId: 3 }
    const record = (id: string, gap: number) => {
      const admin_info = { cost: { ...cost, stated_gap: gap } }
      return aRecord(id, { ...of, quota: receipt.quota, receipt, cost: 250_000, other: { admin_info } })
    }
    await books.ledger.recorder.charge(record('a', 248_000))
    await books.ledger.recorder.charge(record('b', -1000))
    await charge('c', {})
    await books.ledger.flush()
    await usages.work()
    await usages.work()
    expect(told).toEqual(['openai/gpt-5.4 2 249000'])
    const kind = await kindOf('openai/gpt-5.4')
    expect(kind).toMatchObject({ kind: 'cost', place: 'openrouter', calls: 2, quota: 249_000, channel_id: 3 })

    await expect(usages.declare(root, kind.id, { as: 'piece', piece: 'input' })).rejects.toThrow()
    await usages.declare(root, kind.id, { as: 'informative' })
    await usages.work()
    expect(settled).toEqual([])
  })

  it('cost later calls what was declared', () => {
    const declared = { 'usage openai fresh_tokens': { as: 'piece', piece: 'cache_read' } } as const
    const receipt = receiptOf(
      { ...noUsage, input: 1000, unknown: [unknown('fresh_tokens', 200)] },
      { ...price, declared },
      { estimated: false },
    )
    expect(receipt.provisional).toBeUndefined()
    expect(receipt.quota).toBe(1250 + 125)
  })
})
