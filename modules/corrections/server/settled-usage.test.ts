import { afterEach, beforeEach, expect, it } from 'vitest'
import { receiptOf } from '#server/billing/cost.ts'
import type { UnknownFigure } from '#server/billing/declared/unknown-members.ts'
import { createPriceBook } from '#server/billing/prices.ts'
import { noUsage, type Usage } from '#server/billing/usage.ts'
import type { Database } from '#server/db/database.ts'
import { type DeclaredUsages, openDeclaredUsages } from '#server/features/declared-usage/declared-usage.ts'
import { type LiveDeclarations, openLiveDeclarations } from '#server/features/declared-usage/live.ts'
import { priceSettings } from '#server/features/pricing/price-options.ts'
import { verifyLedger } from '#server/ledger/verify/verify.ts'
import { bookThatLearns, priceRowsOf } from '#server-test/support/billing/late-price.ts'
import { bookWith, priceOf } from '#server-test/support/billing/price.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { testOptions } from '#server-test/support/features/pricing.ts'
import { aRecord } from '#server-test/support/journal/records.ts'
import {
  newJournalDirectory,
  newToken,
  newUser,
  openTestLedger,
  type TestLedger,
} from '#server-test/support/ledger/ledger.ts'
import { type Corrections, openCorrections } from './corrections.ts'
import { correctionPrices } from './prices/correction-price.ts'

const root = { id: 1_000_000, username: 'root', ip: '192.0.2.1' }
const before = priceRowsOf({ 'gpt-6.2-astra': [{ rates: { input: '10', output: '50' } }] })
const after = priceRowsOf({
  'gpt-6.2-astra': [{ rates: { input: '10', output: '50' } }],
  'gpt-6.3-astra': [{ rates: { input: '8', output: '40' } }],
})
const learnt = Date.UTC(2026, 10, 20, 13)
const initial = testOptions({ PriceListsEnabled: true, list: bookThatLearns(before, after, learnt) })
const options = { current: initial }
/** 1.25 quota units a token of the prompt, 5 of the answer. */
const price = priceOf('gpt-4o')
const charged = 1250 + 500
const unknown = (name: string, count: number, more: Partial<UnknownFigure> = {}): UnknownFigure => ({
  kind: 'usage',
  dialect: 'openai',
  name,
  value: count,
  count,
  ...more,
})

describeEachEngine('what was charged for parts of answers that no table declared', (open) => {
  let database: Database
  let books: TestLedger
  let clock: { now: number }
  let corrections: Corrections
  let usages: DeclaredUsages
  let live: LiveDeclarations
  let told: string[]
  let user: { id: number; token: number }
  let remove: () => Promise<void>

  beforeEach(async () => {
    database = await open()
    clock = { now: Date.UTC(2026, 10, 20, 12) }
    told = []
    options.current = initial
    const journal = await newJournalDirectory()
    remove = journal.remove
    books = await openTestLedger(database, journal.directory, { now: () => clock.now })
    const audit = { record: async () => undefined }
    corrections = openCorrections({
      database,
      logDatabase: database,
      ledger: books.ledger.movements,
      prices: correctionPrices(
        () => options.current,
        () => clock.now,
      ),
      audit,
      tokensChanged: () => undefined,
      unit: () => 0,
      clock: () => clock.now,
      restMs: 0,
      failed(error) {
        throw error
      },
    })
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
      settlings: [corrections],
      tell: ({ name, calls, quota }) => told.push(`${name} ${calls} ${quota}`),
      clock: () => clock.now,
      isPriced: (model) => options.current.list?.find(model, clock.now) !== undefined,
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

  const used = async (): Promise<number> =>
    (await database.query.selectFrom('users').select('used_quota').where('id', '=', user.id).executeTakeFirstOrThrow())
      .used_quota

  const kindOf = async (name: string) => {
    const found = (await usages.list({ p: 1, page_size: 100 })).items.find((kind) => kind.name === name)
    return found ?? expect.fail(`no kind ${name}`)
  }

  it('are listed and told once, and corrected exactly once after they were declared', async () => {
    const asOutput = await charge('a', { unknown: [unknown('fresh_tokens', 200)] })
    await charge('b', { unknown: [unknown('fresh_tokens', 200), unknown('watts', 7)] })
    await charge('c', {})
    await charge('d', { tier: 'hyper' })
    expect(asOutput).toBe(charged + 200 * 5)
    await books.ledger.flush()
    await usages.work()
    await usages.work()
    expect(told.sort()).toEqual(['fresh_tokens 2 2000', `hyper 1 ${charged * 5}`, 'watts 1 35'])
    expect(await kindOf('fresh_tokens')).toMatchObject({ calls: 2, quota: 2000, request_id: 'a', model_name: 'gpt-4o' })
    const before = await used()

    clock.now += 120_000
    await usages.declare(root, (await kindOf('fresh_tokens')).id, { as: 'piece', piece: 'input' })
    for (let round = 0; round < 3; round += 1) {
      await corrections.work()
      await usages.work()
      clock.now += 120_000
    }
    // From 5 to 1.25 a token; the other figure of `b` stays as it was charged.
    expect(before - (await used())).toBe(2 * 200 * (5 - 1.25))
    expect(live.present()).toEqual({ 'usage openai fresh_tokens': { as: 'piece', piece: 'input' } })

    await usages.declare(root, (await kindOf('hyper')).id, { as: 'factor', factor: 2 })
    await usages.declare(root, (await kindOf('watts')).id, { as: 'informative' })
    await corrections.work()
    await usages.work()
    await corrections.work()
    expect(await used()).toBe(4 * charged + 2 * 250 + charged)
    expect((await verifyLedger(database)).differences).toEqual([])
  })

  it('are models of answers, too: declared as another model, or without a price of their own', async () => {
    const advised = (model: string): Partial<Usage> => ({
      models: { others: [{ place: 'iterations', model, usage: { ...noUsage, output: 1000 } }] },
    })
    const book = bookWith()
    const priced = (name: string) => book.of(name, 'default', { acceptsUnpriced: false }) ?? expect.fail(name)
    const asked = priced('gpt-4o')
    const write = async (id: string, more: Partial<Usage>): Promise<number> => {
      const receipt = receiptOf({ ...noUsage, input: 1000, output: 100, ...more }, asked, { estimated: false })
      const of = { at: clock.now, model: 'gpt-4o', userId: user.id, tokenId: user.token, channelId: 0 }
      await books.ledger.recorder.charge(aRecord(id, { ...of, quota: receipt.quota, receipt }))
      return receipt.quota
    }
    options.current = testOptions({
      ModelRatio: { 'gpt-4o': 1.25, 'gpt-4o-mini': 0.075 },
      CompletionRatio: { 'gpt-4o': 4, 'gpt-4o-mini': 4 },
    })
    const first = await write('a', advised('gpt-new'))
    const second = await write('b', advised('gpt-free'))
    const third = await write('c', { models: { served: 'gpt-answers', others: [] } })
    for (const quota of [first - charged, second - charged, third]) expect(quota).toBeGreaterThan(5000)
    await books.ledger.flush()
    await usages.work()
    expect(await kindOf('gpt-new')).toMatchObject({ kind: 'model', place: 'iterations', quota: first - charged })
    expect(await kindOf('gpt-answers')).toMatchObject({ kind: 'model', place: 'answer' })

    clock.now += 120_000
    const { id } = await kindOf('gpt-new')
    await expect(usages.declare(root, id, { as: 'factor', factor: 2 })).rejects.toMatchObject({
      code: 'invalid_parameter',
    })
    await usages.declare(root, id, { as: 'model', model: 'gpt-4o-mini' })
    await usages.declare(root, (await kindOf('gpt-free')).id, { as: 'informative' })
    await usages.declare(root, (await kindOf('gpt-answers')).id, { as: 'informative' })
    for (let round = 0; round < 6; round += 1) {
      await corrections.work()
      await usages.work()
      clock.now += 120_000
    }
    // 1000 tokens of gpt-4o-mini at 0.3 units; the others cost what was asked for.
    expect(await used()).toBe(charged + 300 + charged + charged)
    expect((await verifyLedger(database)).differences).toEqual([])
  })

  it('never cost more than was charged for them', async () => {
    const quota = await charge('a', { tier: 'hyper' })
    await books.ledger.flush()
    await usages.declare(root, (await kindOf('hyper')).id, { as: 'factor', factor: 9 })
    await corrections.work()
    expect(await used()).toBe(quota)
  })

  it('that are a whole model are corrected by themselves once it has a price', async () => {
    const provisional = createPriceBook(priceSettings(options.current)).of('gpt-6.3-astra', 'default', {
      acceptsUnpriced: false,
      at: clock.now,
    })
    if (provisional === undefined) throw new Error('no price')
    for (const id of ['a', 'b']) {
      const receipt = receiptOf({ ...noUsage, input: 1000, output: 100 }, provisional, { estimated: false })
      const of = { at: clock.now, model: 'gpt-6.3-astra', userId: user.id, tokenId: user.token, channelId: 0 }
      await books.ledger.recorder.charge(aRecord(id, { ...of, quota: receipt.quota, receipt }))
    }
    await books.ledger.flush()
    await usages.work()
    expect(told).toEqual(['gpt-6.3-astra 2 15000'])
    await expect(usages.declare(root, (await kindOf('gpt-6.3-astra')).id, { as: 'informative' })).rejects.toThrow()
    await corrections.work()
    expect(await used()).toBe(15_000)

    clock.now = learnt + 60_000
    for (let round = 0; round < 3; round += 1) {
      await usages.work()
      await corrections.work()
      clock.now += 120_000
    }
    expect(await used()).toBe(2 * (1000 * 4 + 100 * 20))
    expect(await kindOf('gpt-6.3-astra')).toMatchObject({ declaration: { as: 'priced' }, settled_calls: 2 })
    expect((await verifyLedger(database)).differences).toEqual([])
  })
})
