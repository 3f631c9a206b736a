import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../../test/support/db/databases.ts'
import { now, openTestLogs, type TestLogs } from '../../../../test/support/features/logs.ts'
import type { Database } from '../../../db/database.ts'

interface Page {
  items: { content: string }[]
  total: number
  total_capped?: boolean
  looked_from?: number
  next?: string
}

const minute = 60
const ended = (end: string) => JSON.stringify({ client: end === 'done' ? 'curl' : 'Codex', end })

describeEachEngine('a filter that neither an index nor the sums know', (open) => {
  let database: Database
  let logs: TestLogs

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    logs = await openTestLogs(database, { most: { ofTime: 6, ofFilter: 3 } })
    // The newest is a minute old; every fourth broke off, and users call in turns.
    await logs.charge(
      ...Array.from({ length: 24 }, (_, index) => ({
        created_at: now - (index + 1) * minute,
        user_id: index % 2 === 0 ? 7 : 9,
        content: `row ${index}`,
        type: 2,
        quota: 1,
        model_name: 'gpt-4o',
        other: ended(index % 4 === 0 ? 'interrupted' : 'done'),
      })),
    )
  })

  const read = async <T>(path: string): Promise<T> => (await logs.admin('GET', path)).json.data as T
  const page = (query: string): Promise<Page> => read(`/api/log/?${query}`)
  const shown = ({ items }: Page) => items.map(({ content }) => content)

  it.each(['end=interrupted', 'client=Codex'])(
    'is looked for among the newest rows only, and says so: %s',
    async (query) => {
      const found = await page(query)
      expect(shown(found)).toEqual(['row 0', 'row 4'])
      expect(found).toMatchObject({ looked_from: now - 7 * minute, total: 2, total_capped: true })
      expect(found.next).toBeUndefined()
    },
  )

  it('goes on where the range ends earlier', async () => {
    const found = await page(`end=interrupted&end_timestamp=${now - 7 * minute - 1}`)
    expect(shown(found)).toEqual(['row 8', 'row 12'])
    expect(found.looked_from).toBe(now - 14 * minute)
    const last = await page(`end=interrupted&end_timestamp=${now - 20 * minute}`)
    expect(shown(last)).toEqual(['row 20'])
    expect(last).not.toHaveProperty('looked_from')
    expect(last).not.toHaveProperty('total_capped')
  })

  it('says nothing of it where the page is full, and goes on after it', async () => {
    const first = await page('end=interrupted&page_size=1')
    expect(shown(first)).toEqual(['row 0'])
    expect(first).not.toHaveProperty('looked_from')
    const second = await page(`end=interrupted&page_size=2&p=2&after=${first.next}`)
    expect(shown(second)).toEqual(['row 4'])
    expect(second.looked_from).toBe(now - 7 * minute)
  })

  it('is looked for among fewer rows of a user, which may lie anywhere', async () => {
    const found = await page('end=interrupted&username=alicia')
    expect(shown(found)).toEqual(['row 0', 'row 4'])
    expect(found.looked_from).toBe(now - 7 * minute)
    expect((await page('end=interrupted&username=bob')).items).toEqual([])
  })

  it('is summed, counted and drawn as far as it is looked for', async () => {
    expect(await read('/api/log/stat?end=interrupted')).toMatchObject({ quota: 2 })
    const chart = await read<{ starts: number[]; done: number[]; capped: boolean }>(
      '/api/log/volume?end=interrupted&zone=UTC',
    )
    expect(chart.capped).toBe(true)
    expect(Math.min(...chart.starts)).toBeGreaterThan(now - 8 * minute)
    expect(chart.done.reduce((sum, count) => sum + count, 0)).toBe(2)
    expect(await read('/api/log/facets?end=interrupted&facet=username')).toEqual({
      values: [{ value: 'user 7', count: 2 }],
      capped: true,
    })
  })

  it('is in a file to its end, each row once', async () => {
    const { text } = await logs.admin('GET', '/api/log/export?end=interrupted&format=json')
    const rows = JSON.parse(text) as { content: string }[]
    expect(rows.map(({ content }) => content)).toEqual([0, 4, 8, 12, 16, 20].map((row) => `row ${row}`))
  })

  it('is whole where an index or the sums know it', async () => {
    for (const query of ['', 'username=alicia', 'type=2&model_name=gpt-4o', 'model_name=gpt', 'group=default'])
      expect(await page(query)).not.toHaveProperty('looked_from')
  })
})
