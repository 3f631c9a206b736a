import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { now, openTestLogs, type TestLogs } from '../../../test/support/features/logs.ts'
import type { Database } from '../../db/database.ts'

/** The rows without the last line, which has the sums. */
const readCsv = (text: string): Record<string, string>[] => readLines(text).slice(0, -1)

/** Reads CSV the way a spreadsheet does. */
const readLines = (text: string): Record<string, string>[] => {
  const lines: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n|$)/g)) {
    lines.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'))
    if (end === '\r\n') lines.push([])
    if (end === '') break
  }
  const [names = [], ...rows] = lines.filter((line) => line.length > 1)
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])))
}

describeEachEngine('an export', (open) => {
  let database: Database
  let logs: TestLogs

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    logs = await openTestLogs(database)
  })

  it('holds every row that fits, once, newest first, with everything that the log shows', async () => {
    const quotas = Array.from({ length: 2_345 }, (_, index) => index * 7)
    await logs.write(
      ...quotas.map((quota, index) => ({ quota, created_at: now - (index % 50), model_name: `m-${index % 2}` })),
      { type: 5, quota: 0, content: 'failed', other: '{"status":503,"error_code":"busy","client":"Codex"}' },
    )
    const { text, headers } = await logs.admin('GET', '/api/log/export?type=2')
    expect(headers.get('content-disposition')).toBe('attachment; filename="logs.csv"')
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const rows = readCsv(text.replace('\uFEFF', ''))
    expect(rows).toHaveLength(quotas.length)
    expect(rows[0]?.client).toBe('')
    expect(new Set(rows.map(({ request_id }) => request_id)).size).toBe(quotas.length)
    expect(rows.reduce((sum, row) => sum + Number(row.quota), 0)).toBe(quotas.reduce((sum, quota) => sum + quota, 0))
    expect(rows.map(({ time }) => time)).toEqual(
      rows
        .map(({ time }) => time)
        .toSorted()
        .reverse(),
    )
    const half = readCsv((await logs.admin('GET', '/api/log/export?model_name=m-1&type=2')).text)
    expect(half).toHaveLength(1_172)
    const failed = readCsv((await logs.admin('GET', '/api/log/export?type=5')).text)
    expect(failed).toMatchObject([
      { type: 'error', status: '503', error_code: 'busy', content: 'failed', client: 'Codex' },
    ])
  })

  it('gives the same rows as JSON, and an empty list where there are none', async () => {
    await logs.write(
      ...Array.from({ length: 1_500 }, () => ({ other: '{"model_ratio":2,"admin_info":{"cause":"x"}}' })),
    )
    const rows = JSON.parse((await logs.admin('GET', '/api/log/export?format=json')).text)
    expect(rows).toHaveLength(1_500)
    expect(rows[0]).toMatchObject({ channel_name: 'channel 9', other: { model_ratio: 2, admin_info: { cause: 'x' } } })
    const none = await logs.admin('GET', '/api/log/export?format=json&group=nothing')
    expect(JSON.parse(none.text)).toEqual([])
  })

  it('has cost and margin for operators, empty where the cost is not known', async () => {
    const cost = { quota: 130, version: 'list 1', factor: '0.5' }
    await logs.write(
      { quota: 100, created_at: now, other: JSON.stringify({ admin_info: { cost } }) },
      { quota: 100, created_at: now - 1, other: '{"admin_info":{}}' },
    )
    const rows = readCsv((await logs.admin('GET', '/api/log/export')).text)
    expect(rows.map((row) => [row.quota, row.cost, row.margin])).toEqual([
      ['100', '130', '-30'],
      ['100', '', ''],
    ])
  })

  it('has the amount in dollars, milliseconds, and the sums in its last line', async () => {
    await logs.write(
      { user_id: 7, quota: 100, prompt_tokens: 7, use_time: 3, created_at: now, other: '{"duration_ms":2718}' },
      { user_id: 7, quota: 250_001, prompt_tokens: 5, use_time: 4, created_at: now - 1, other: '' },
    )
    const lines = readLines((await logs.user('GET', '/api/log/self/export')).text.replace('\uFEFF', ''))
    expect(lines.map((line) => [line.amount_usd, line.duration_ms, line.prompt_tokens, line.quota])).toEqual([
      ['0.000200', '2718', '7', '100'],
      ['0.500002', '4000', '5', '250001'],
      ['0.500202', '', '12', '250101'],
    ])
    expect(lines.at(-1)?.id).toBe('total')
  })

  it('has the chosen columns alone, and never those of the operator for users', async () => {
    await logs.write({ user_id: 7, quota: 100, model_name: 'm' })
    const { text } = await logs.user('GET', '/api/log/self/export?columns=model_name,margin,quota,nothing')
    expect(text).toBe('model_name,quota\r\nm,100\r\ntotal,100\r\n')
  })

  it('keeps to users what is theirs, without what is for the operator', async () => {
    const cost = { quota: 1, version: 'secret list', factor: '1' }
    const attempts = [{ channel: 4, started_ms: 0, duration_ms: 1, status: 200, error: '', request_id: 'req_upstream' }]
    const other = JSON.stringify({ admin_info: { use_channel: ['4', '5'], cause: 'secret cause', cost, attempts } })
    await logs.write({ user_id: 7, channel_id: 4, other }, { user_id: 8, content: 'somebody else' })
    for (const format of ['csv', 'json']) {
      const { text } = await logs.user('GET', `/api/log/self/export?format=${format}&username=alice`)
      expect(text).not.toContain('secret cause')
      expect(text).not.toContain('secret list')
      expect(text).not.toContain('req_upstream')
      expect(text).not.toContain('cost')
      expect(text).not.toContain('somebody else')
      expect(text).not.toContain('channel 4')
    }
    const [row = {}] = readCsv((await logs.user('GET', '/api/log/self/export')).text.replace('\uFEFF', ''))
    expect(Object.keys(row)).not.toContain('channel')
    expect(Object.keys(row)).not.toContain('retry')
    expect(Object.keys(row)).not.toContain('username')
    expect(Object.keys(row)).not.toContain('margin')
  })

  it.each(['=cmd()', '+1', '-1', '@SUM(A1)', '\tx', '\rx', '＝1'])('lets no spreadsheet run %j', async (content) => {
    await logs.write({ content, token_name: content, model_name: content })
    const [row] = readCsv((await logs.admin('GET', '/api/log/export')).text.replace('\uFEFF', ''))
    expect(row?.content).toBe(`'${content}`)
    expect(row?.token_name).toBe(`'${content}`)
    expect(row?.model_name).toBe(`'${content}`)
  })

  it('keeps commas, quotes and line breaks', async () => {
    const content = 'a "quoted", line\r\nand\nanother'
    await logs.write({ content })
    const [row] = readCsv((await logs.admin('GET', '/api/log/export')).text.replace('\uFEFF', ''))
    expect(row?.content).toBe(content)
  })

  it('is made once at a time for each caller', async () => {
    await logs.write({})
    const first = logs.admin('GET', '/api/log/export')
    const second = await logs.admin('GET', '/api/log/export')
    expect(second.json).toMatchObject({ success: false, code: 'export_running' })
    await first
    expect((await logs.admin('GET', '/api/log/export')).status).toBe(200)
  })
})
