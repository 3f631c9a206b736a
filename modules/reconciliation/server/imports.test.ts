import { expect, it, onTestFinished } from 'vitest'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { json, openTestUpstream } from '#server-test/support/gateway/upstream.ts'
import { day, firstDay, openTestReconciliation } from '../tests/compared-site.ts'

const columns = {
  day: 'date',
  model: 'model',
  calls: 'requests',
  input: 'prompt_tokens',
  cache_read: 'cached_tokens',
  output: 'completion_tokens',
  cost: 'cost',
}
const csvSource = { kind: 'csv', settings: { columns } }
const header = 'date,model,requests,prompt_tokens,cached_tokens,completion_tokens,cost'
/** 1,000 prompt tokens, 600 of them cached, and 100 more: $0.00275. */
const usage = { input: 400, cacheRead: 600, output: 100 }
const file = (...rows: readonly string[]) => ({ file: { name: 'november.csv', text: [header, ...rows].join('\n') } })

describeEachEngine('imports of reports', (open) => {
  it('do not double when they are repeated, and replace what was there', async () => {
    const desk = await openTestReconciliation(await open())
    await desk.log({ model: 'gpt-4o', usage, at: firstDay + 5 })
    const { id } = await desk.addSource(csvSource)
    const first = await desk.import(id, file('2026-11-05,gpt-4o,1,1000,600,100,0.00275'))
    const again = await desk.import(id, file('2026-11-05,gpt-4o,2,2000,1200,200,0.0055'))
    expect(again.id).toBe(first.id)
    expect([first.causes, again.causes.map(({ cause }) => cause)]).toEqual([[], ['missing_here']])
    expect((await desk.list()).items).toMatchObject([
      { id: first.id, lines: 1, theirs_cost: '0.0055', username: 'root' },
    ])
    const lines = await desk.data('GET', `/api/reconciliation/imports/${first.id}/lines?day=${firstDay}&model=gpt-4o`)
    expect(lines).toMatchObject({ total: 1, items: [{ model: 'gpt-4o', calls: 2, input: 800, cost: '0.0055' }] })
  })

  it('are deleted with their lines, and leave a trail', async () => {
    const database = await open()
    const desk = await openTestReconciliation(database)
    const { id } = await desk.addSource(csvSource)
    const made = await desk.import(id, file('2026-11-05,gpt-4o,1,1000,600,100,0.00275'))
    await desk.data('DELETE', `/api/reconciliation/imports/${made.id}`)
    expect(await desk.list()).toMatchObject({ items: [], total: 0 })
    for (const table of ['report_lines', 'report_days'] as const)
      expect(await database.query.selectFrom(table).selectAll().execute()).toEqual([])
    expect(desk.traces).toMatchObject([
      { action: 'report_source.create' },
      { action: 'report_import.create', after: { file_name: 'november.csv', from: firstDay, until: firstDay } },
      { action: 'report_import.delete', before: { lines: 1 } },
    ])
  })

  it('compare all channels of an account together, and no others', async () => {
    const desk = await openTestReconciliation(await open())
    await desk.log(
      { model: 'gpt-4o', usage, at: firstDay + 5, channel: 3 },
      { model: 'gpt-4o', usage, at: firstDay + day - 1, channel: 4 },
      { model: 'gpt-4o', usage, at: firstDay + day, channel: 3 },
      { model: 'gpt-4o', usage, at: firstDay + 5, channel: 5 },
    )
    const { id } = await desk.addSource({ ...csvSource, channel_ids: [3, 4] })
    const { days } = await desk.import(id, file('2026-11-05,gpt-4o,2,2000,1200,200,0.0055'))
    expect(days).toMatchObject([{ ours: { calls: 2, cost: '0.0055' }, causes: [] }])
  })

  it('count what the books have where the log was cleared', async () => {
    const database = await open()
    const desk = await openTestReconciliation(database)
    await desk.log({ model: 'gpt-4o', usage, at: firstDay + 5 })
    await database.query.deleteFrom('logs').execute()
    const { id } = await desk.addSource(csvSource)
    const { days } = await desk.import(id, file('2026-11-05,gpt-4o,1,1000,600,100,0.00275'))
    expect(days).toMatchObject([{ detailed: false, causes: [], ours: { calls: 1, input: 400, cache_read: 600 } }])
  })

  it('price tokens that were cached for an hour, and service tiers, as they were billed', async () => {
    const desk = await openTestReconciliation(await open())
    await desk.log(
      {
        model: 'claude-sonnet-4-6',
        usage: { input: 100, cacheWrite: 50, cacheWrite1h: 1_000, output: 10 },
        at: firstDay,
      },
      { model: 'gpt-4o', usage: { input: 1_000, output: 100, tier: 'flex' }, at: firstDay },
    )
    const { id } = await desk.addSource({ ...csvSource, settings: { columns: { ...columns, cache_write: 'written' } } })
    const text = [
      `${header},written`,
      // $3 a million, 1.25 times for five minutes, twice for an hour; $15 a million for completions.
      '2026-11-05,claude-sonnet-4-6,1,1150,0,10,0.0066375,1050',
      '2026-11-05,gpt-4o,1,1000,0,100,0.00175,0',
    ].join('\n')
    const { days } = await desk.import(id, { file: { name: 'tiers.csv', text } })
    expect(days.map(({ causes }) => causes)).toEqual([[], []])
  })

  it('name charges of no model, and models without a price', async () => {
    const desk = await openTestReconciliation(await open())
    await desk.log({ model: 'gpt-4o', usage, at: firstDay })
    const { id } = await desk.addSource(csvSource)
    const rows = [
      '2026-11-05,,,,,,0.5',
      '2026-11-05,gpt-4o,1,1000,600,100,0.00275',
      '2026-11-05,unpriced,3,10,0,10,0.1',
    ]
    const { days } = await desk.import(id, file(...rows))
    expect(days).toMatchObject([
      { model: '', causes: [{ cause: 'other_charges', amount: '0.5' }] },
      { model: 'unpriced', causes: [{ cause: 'missing_here', amount: '0.1', calls: 3 }] },
      { model: 'gpt-4o', causes: [] },
    ])
  })

  it('that fail say why, and keep what an earlier one brought', async () => {
    const desk = await openTestReconciliation(await open())
    const provider = await openTestUpstream()
    onTestFinished(() => provider.close())
    const result = { model: 'gpt-4o', num_model_requests: 1, input_tokens: 5, output_tokens: 5 }
    provider.answer = json({ data: [{ start_time: firstDay, results: [result] }], has_more: false })
    const { id } = await desk.addSource({ base_url: provider.url, key: 'sk-admin-0123456789' })
    provider.answer = (call) =>
      json(
        call.path.includes('completions')
          ? { data: [{ start_time: firstDay, results: [result] }], has_more: false }
          : { data: [], has_more: false },
      )(call)
    expect(await desk.import(id)).toMatchObject({ status: 'done', error: '', lines: 1 })
    provider.answer = json({}, 401)
    const failed = await desk.import(id)
    expect(failed).toMatchObject({ status: 'failed', lines: 1, days: [{ model: 'gpt-4o' }] })
    expect(failed.error).toBe('提供商拒绝了该密钥（状态码 401）：请检查是否为管理密钥')
    expect(JSON.stringify(desk.warnings)).not.toContain('sk-admin')
  })

  it('of the same days do not run twice at once', async () => {
    const desk = await openTestReconciliation(await open())
    const provider = await openTestUpstream()
    onTestFinished(() => provider.close())
    let release = (): void => {}
    provider.answer = (call) => {
      release = () => json({}, 401)(call)
    }
    const { id } = await desk.addSource({ base_url: provider.url, key: 'sk-admin-0123456789' })
    const body = { source_id: id, from: firstDay, until: firstDay }
    await desk.data('POST', '/api/reconciliation/imports', body)
    const second = await desk.call('POST', '/api/reconciliation/imports', body)
    expect(second.json).toMatchObject({ success: false, code: 'report_running' })
    while (provider.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    release()
  })

  it('refuse files that are too large, too long, empty, or of no source', async () => {
    const desk = await openTestReconciliation(await open())
    const { id } = await desk.addSource(csvSource)
    const refused = async (what: object) => {
      const { json: answer } = await desk.call('POST', '/api/reconciliation/imports', { source_id: id, ...what })
      return answer.code
    }
    const text = (length: number) => ({ file: { name: 'x.csv', text: 'x'.repeat(length) } })
    expect(await refused(text(9 * 1024 * 1024))).toBe('report_too_large')
    expect(await refused(text(14 * 1024 * 1024))).toBe('body_too_large')
    const row = '2026-11-05,m,1,1,0,1,1\n'
    expect(await refused({ file: { name: 'x.csv', text: `${header}\n${row.repeat(50_001)}` } })).toBe('report_too_long')
    expect(await refused(file())).toBe('report_empty')
    expect(await refused({ from: firstDay, until: firstDay })).toBe('report_source_file')
    expect(await refused(file('2026-01-01,m,1,1,0,1,1', '2026-11-05,m,1,1,0,1,1'))).toBe('report_period')
    expect(await refused(file('2026-11-05,m,many,1,0,1,1'))).toBe('report_line')
    expect(await desk.list()).toMatchObject({ total: 0 })
  })
})

describeEachEngine('sources of reports', (open) => {
  it('keep their key encrypted and show its ends only', async () => {
    const database = await open()
    const desk = await openTestReconciliation(database)
    const { id } = await desk.addSource({ key: 'sk-admin-abcdefgh-wxyz' })
    const stored = await database.query.selectFrom('report_sources').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(stored)).not.toContain('abcdefgh')
    const listed = await desk.data('GET', '/api/reconciliation/sources')
    expect(listed).toMatchObject([{ id, key_hint: 'sk-a***wxyz' }])
    expect(JSON.stringify([listed, desk.traces])).not.toContain('abcdefgh')
  })

  it('keep the key when they are saved without one, but not for another address', async () => {
    const desk = await openTestReconciliation(await open())
    const { id } = await desk.addSource({ key: 'sk-admin-abcdefgh-wxyz' })
    expect(await desk.addSource({ id, name: 'renamed' })).toMatchObject({
      id,
      name: 'renamed',
      key_hint: 'sk-a***wxyz',
    })
    await expect(desk.addSource({ id, base_url: 'https://other.example' })).rejects.toThrow('请填写该来源的密钥')
    await expect(desk.addSource({ kind: 'panel', key: 'token' })).rejects.toThrow('请填写另一面板的地址')
    await expect(desk.addSource({ base_url: 'http://169.254.169.254', key: 'k' })).rejects.toThrow('不允许访问')
  })

  it('are deleted with their imports', async () => {
    const desk = await openTestReconciliation(await open())
    const { id } = await desk.addSource(csvSource)
    await desk.import(id, file('2026-11-05,gpt-4o,1,1000,600,100,0.00275'))
    await desk.data('DELETE', `/api/reconciliation/sources/${id}`)
    expect(await desk.list()).toMatchObject({ total: 0 })
    expect(await desk.data('GET', '/api/reconciliation/sources')).toEqual([])
  })
})
