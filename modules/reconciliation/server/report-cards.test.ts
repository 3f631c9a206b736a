import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { reportCards } from './report-cards.ts'
import './tables.ts'

const now = 1_900_000_000
const day = 86_400

describeEachEngine('cards about providers’ reports', (open) => {
  let database: Database

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    for (const table of ['report_imports', 'report_sources'] as const) await database.query.deleteFrom(table).execute()
    await database.query
      .insertInto('report_sources')
      .values({
        id: 3,
        kind: 'openai',
        name: 'OpenAI account',
        channel_ids: '[]',
        base_url: '',
        key_cipher: '',
        key_hint: '',
        settings: '{}',
        created_time: now,
      })
      .execute()
  })

  const add = (id: number, ago: number, more: Record<string, unknown>) =>
    database.query
      .insertInto('report_imports')
      .values({
        id,
        source_id: 3,
        from_day: now - 20 * day - id * day,
        until_day: now - 19 * day,
        file_name: '',
        status: 'done',
        run: `run ${id}`,
        error: '',
        lines: 4,
        summary: '',
        created_time: now - ago,
        started_time: now - ago,
        finished_time: now - ago,
        username: 'root',
        ...more,
      })
      .execute()
  const compared = (ours: string, theirs: string, difference: string, causes: readonly unknown[] = []) => ({
    summary: JSON.stringify({ ours_cost: ours, theirs_cost: theirs, difference, causes }),
  })
  const cards = async () => {
    const found = await Promise.all(
      reportCards(database).map(async ({ name, read }) => (await read(now)).map((card) => ({ name, card }))),
    )
    return found.flat()
  }

  it('name what the last report of a source has more than the log', async () => {
    await add(1, 2 * day, compared('90', '200', '110'))
    await add(2, day, compared('100', '112.5', '12.5'))
    expect(await cards()).toMatchObject([
      {
        name: 'report_differs',
        card: {
          severity: 'warn',
          about: [2],
          words: {
            path: '/reconciliation/2',
            fact: { values: { source: 'OpenAI account', amount: { money: 12.5 } } },
            consequence: { values: { theirs: { money: 112.5 }, ours: { money: 100 } } },
          },
        },
      },
    ])
  })

  it('leave out small differences, explained ones and old reports, and note a cheaper one', async () => {
    await add(1, day, compared('1000', '1005', '5'))
    expect(await cards()).toEqual([])
    await add(2, day - 1, compared('100', '112', '12', [{ cause: 'day_boundary', amount: '11.5' }]))
    expect(await cards()).toEqual([])
    await add(4, day - 3, compared('100', '90', '-10'))
    expect(await cards()).toMatchObject([{ card: { severity: 'note', about: [4] } }])
    await database.query
      .updateTable('report_imports')
      .set({ started_time: now - 31 * day })
      .execute()
    expect(await cards()).toEqual([])
  })

  it('name an import that failed, and one whose node has stopped, until the next', async () => {
    await add(1, 3 * day, { status: 'failed', error: 'no key' })
    expect(await cards()).toMatchObject([{ name: 'report_failed', card: { about: [3], reason: 'no key' } }])
    await add(2, 2 * day, { status: 'running' })
    const [found] = await cards()
    expect(found).toMatchObject({ name: 'report_failed', card: { about: [3] } })
    expect(found?.card.reason).not.toBe('no key')
    await add(5, day, compared('1', '1', '0'))
    expect(await cards()).toEqual([])
  })
})
