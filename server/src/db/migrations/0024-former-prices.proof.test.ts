import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { testUser } from '../../../test/support/db/rows.ts'
import { openTestOptions } from '../../../test/support/features/options.ts'
import { openShippedBook } from '../../billing/book/shipped-book.ts'
import { createPriceBook, ratiosOf } from '../../billing/prices.ts'
import { priceSettings } from '../../features/pricing/price-options.ts'
import type { Database } from '../database.ts'
import { awaitMigration, migrate } from '../migrate.ts'
import { formerPrices } from './0024-former-prices.ts'

const list = await openShippedBook()

/** The figures of a model after the decision, with price lists at hand; undefined where it may not be called. */
const figuresIn = async (database: Database, model: string) => {
  const options = await openTestOptions(database)
  const book = createPriceBook(priceSettings({ ...options.snapshot(), list }))
  const price = book.of(model, 'default', { acceptsUnpriced: false })
  return price && ratiosOf(price)
}

const used = async (open: () => Promise<Database>, rows: Readonly<Record<string, unknown>> = {}): Promise<Database> => {
  const database = await open()
  await database.query.insertInto('users').values(testUser('ann')).execute()
  for (const [key, value] of Object.entries(rows))
    await database.query
      .insertInto('options')
      .values({ key, value: JSON.stringify(value) })
      .execute()
  await formerPrices.up(database.query)
  return database
}

describeEachEngine('the first start with price lists', (open) => {
  const optionRows = (database: Database) =>
    database.query.selectFrom('options').select(['key', 'value']).orderBy('key').execute()

  it('has them on in a new database, which stores nothing, and leaves it so', async () => {
    const database = await open()
    expect(await optionRows(database)).toEqual([])
    expect(await figuresIn(database, 'claude-opus-5')).toMatchObject({ model_ratio: 2.5, completion_ratio: 5 })
    await database.query.insertInto('users').values(testUser('ann')).execute()
    await migrate(database)
    expect(await optionRows(database)).toEqual([])
  })

  it('has decided before a slave reads the options of a database that is used', async () => {
    const database = await open()
    await database.query.insertInto('users').values(testUser('ann')).execute()
    await database.query
      .deleteFrom('migrations' as 'options')
      .where('name' as 'key', '>=', '0024')
      .execute()
    const early = awaitMigration(database, { patienceMs: 50, pauseMs: 10 })
    await expect(early).rejects.toThrow('start a node of this version without NODE_TYPE=slave first')
    await migrate(database)
    await awaitMigration(database, { patienceMs: 0, pauseMs: 0 })
    expect((await openTestOptions(database)).get('PriceListsEnabled')).toBe(false)
  })

  it('changes nothing the second time, also what the operator decided since', async () => {
    const database = await used(open)
    await database.query.updateTable('options').set({ value: 'true' }).where('key', '=', 'PriceListsEnabled').execute()
    await formerPrices.up(database.query)
    expect((await openTestOptions(database)).get('PriceListsEnabled')).toBe(true)
  })

  it('leaves every price as it was in a database that is used', async () => {
    const database = await used(open)
    expect(await figuresIn(database, 'qwen-plus')).toMatchObject({ model_ratio: 10, completion_ratio: 1 })
    expect(await figuresIn(database, 'gpt-4o')).toMatchObject({
      model_ratio: 1.25,
      completion_ratio: 4,
      cache_ratio: 0.5,
    })
    expect(await figuresIn(database, 'claude-opus-5')).toBeUndefined()
  })

  it('keeps the operator’s own ratios, and those that were billed in spite of them', async () => {
    const rows = {
      ModelRatio: { 'gpt-4o': 3, 'gpt-4': 15, own: 2 },
      CompletionRatio: { 'gpt-4o': 9, 'gpt-4': 7, own: 5 },
    }
    const database = await used(open, rows)
    expect(await figuresIn(database, 'gpt-4o')).toMatchObject({ model_ratio: 3, completion_ratio: 4 })
    expect(await figuresIn(database, 'gpt-4')).toMatchObject({ model_ratio: 15, completion_ratio: 7 })
    expect(await figuresIn(database, 'own')).toMatchObject({ model_ratio: 2, completion_ratio: 5, cache_ratio: 1 })
    expect(await figuresIn(database, 'gpt-4o-mini')).toBeUndefined()
  })

  it('does not touch text that is no map', async () => {
    const database = await open()
    await database.query.insertInto('users').values(testUser('ann')).execute()
    await database.query.insertInto('options').values({ key: 'CompletionRatio', value: 'not JSON' }).execute()
    await formerPrices.up(database.query)
    const row = await database.query
      .selectFrom('options')
      .select('value')
      .where('key', '=', 'CompletionRatio')
      .executeTakeFirst()
    expect(row?.value).toBe('not JSON')
  })
})

const names = [
  'gpt-4o',
  'gpt-4-0613',
  'claude-3-opus',
  'gemini-2.5-pro-preview-05-06',
  'command-light',
  'a/claude-3',
  'own',
]
const map = fc.dictionary(
  fc.constantFrom(...names),
  fc.integer({ min: 0, max: 4000 }).map((thousandths) => thousandths / 1000),
)

/** Completion ratios that earlier versions billed whatever CompletionRatio said. */
const fixed: Readonly<Record<string, number>> = { 'gpt-4o': 4, 'claude-3-opus': 5, 'gemini-2.5-pro-preview-05-06': 8 }
const open: Readonly<Record<string, number>> = { 'gpt-4-0613': 2, 'command-light': 4, 'a/claude-3': 5, own: 1 }

describeEachEngine('any stored ratios', (openDatabase) => {
  it('bill after the first start with price lists as they did before', async () => {
    await fc.assert(
      fc.asyncProperty(map, map, map, async (modelRatio, completionRatio, cacheRatio) => {
        const database = await used(openDatabase, {
          ModelRatio: modelRatio,
          CompletionRatio: completionRatio,
          CacheRatio: cacheRatio,
        })
        for (const model of names) {
          const figures = await figuresIn(database, model)
          if (!Object.hasOwn(modelRatio, model)) expect(figures).toBeUndefined()
          else
            expect(figures).toMatchObject({
              model_ratio: modelRatio[model],
              completion_ratio: fixed[model] ?? completionRatio[model] ?? open[model],
              cache_ratio: cacheRatio[model] ?? 1,
              cache_creation_ratio: 1.25,
            })
        }
      }),
      { numRuns: 5 },
    )
  })
})
