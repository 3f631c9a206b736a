import { options as registry } from '@tollgate/contract'
import { expect, it, vi } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { admin, openTestOptions, root } from '../../../test/support/features/options.ts'
import type { Database } from '../../db/database.ts'
import { openAudit } from '../audit/audit.ts'
import type { RefusedOption, RequestedChange } from './change.ts'

const rowsOf = async (database: Database): Promise<Record<string, string>> => {
  const rows = await database.query.selectFrom('options').select(['key', 'value']).execute()
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
}

const codes = (refusals: readonly RefusedOption[]): Record<string, string> =>
  Object.fromEntries(refusals.map(({ key, error }) => [key, error.code]))

describeEachEngine('several options at once', (open) => {
  it('are saved together, audited one by one and reported to listeners once', async () => {
    const database = await open()
    const options = await openTestOptions(database, { audit: openAudit(database, Date.now).record })
    const listener = vi.fn()
    options.subscribe(listener)
    const changes = [
      { key: 'RetryTimes', text: '3', was: '0' },
      { key: 'SystemName', text: 'Gate' },
      { key: 'SMTPToken', text: 'hunter2-hunter2' },
    ]
    expect(await options.setAll(changes, root)).toEqual([])
    expect(options.get('RetryTimes')).toBe(3)
    expect(listener).toHaveBeenCalledExactlyOnceWith(options.snapshot(), ['RetryTimes', 'SMTPToken', 'SystemName'])
    expect(await rowsOf(database)).toMatchObject({ RetryTimes: '3', SystemName: 'Gate' })
    const trail = await database.query.selectFrom('audit').select(['object_id', 'after']).orderBy('id').execute()
    expect(trail.map((row) => row.object_id)).toEqual(['RetryTimes', 'SystemName', 'SMTPToken'])
    expect(JSON.stringify(trail)).not.toContain('hunter2')
  })

  it('are refused together when one of them cannot be, each with its reason', async () => {
    const database = await open()
    const options = await openTestOptions(database)
    const refused = await options.setAll(
      [
        { key: 'RetryTimes', text: '3' },
        { key: 'QuotaPerUnit', text: '0' },
        { key: 'DataExportInterval', text: '0' },
        { key: 'NoSuchOption', text: '1' },
        { key: 'GitHubOAuthEnabled', text: 'true' },
      ],
      root,
    )
    expect(codes(refused)).toEqual({
      QuotaPerUnit: 'option_invalid',
      DataExportInterval: 'option_invalid',
      NoSuchOption: 'option_unknown',
      GitHubOAuthEnabled: 'option_requires',
    })
    expect(options.get('RetryTimes')).toBe(0)
    expect(await rowsOf(database)).toEqual({})
  })

  it('change nothing when the trace of one of them cannot be written', async () => {
    const database = await open()
    let traces = 0
    const audit = async () => {
      traces += 1
      if (traces === 2) throw new Error('no audit')
    }
    const options = await openTestOptions(database, { audit })
    const changes = [
      { key: 'RetryTimes', text: '3' },
      { key: 'SystemName', text: 'Gate' },
    ]
    await expect(options.setAll(changes, root)).rejects.toThrow('no audit')
    expect([options.get('RetryTimes'), options.get('SystemName')]).toEqual([0, 'Tollgate'])
    expect(await rowsOf(database)).toEqual({})
  })

  it('may fulfil each other’s needs', async () => {
    const options = await openTestOptions(await open())
    const together = [
      { key: 'GitHubOAuthEnabled', text: 'true' },
      { key: 'GitHubClientId', text: 'id' },
    ]
    expect(await options.setAll(together, root)).toEqual([])
    const apart = [
      { key: 'LinuxDOOAuthEnabled', text: 'true' },
      { key: 'LinuxDOClientId', text: '' },
    ]
    expect(codes(await options.setAll(apart, root))).toEqual({ LinuxDOOAuthEnabled: 'option_requires' })
  })

  it('are refused to a caller who may not write one of them', async () => {
    const options = await openTestOptions(await open())
    expect(codes(await options.setAll([{ key: 'Notice', text: 'hello' }], admin))).toEqual({
      Notice: 'permission_denied',
    })
  })

  it('do not overwrite what another node saved in between', async () => {
    const database = await open()
    const here = await openTestOptions(database)
    const elsewhere = await openTestOptions(database)
    const seen = registry.GroupRatio.print(here.get('GroupRatio'))
    await elsewhere.set('GroupRatio', '{"default":1,"vip":0.5}', root)
    const mine: RequestedChange = { key: 'GroupRatio', text: '{"default":2}', was: seen }
    expect(codes(await here.setAll([mine], root))).toEqual({ GroupRatio: 'option_changed' })
    expect(here.get('GroupRatio')).toEqual({ default: 1, vip: 0.5 })
    const again = { ...mine, was: registry.GroupRatio.print(here.get('GroupRatio')) }
    expect(await here.setAll([again], root)).toEqual([])
    expect(here.get('GroupRatio')).toEqual({ default: 2 })
  })

  it('saved at the same time by two people: one succeeds, the other gets a conflict', async () => {
    const options = await openTestOptions(await open())
    const save = (text: string) => options.setAll([{ key: 'RetryTimes', text, was: '0' }], root)
    const [first, second] = await Promise.all([save('1'), save('2')])
    expect(first).toEqual([])
    expect(codes(second)).toEqual({ RetryTimes: 'option_changed' })
    expect(options.get('RetryTimes')).toBe(1)
  })

  it('write and trace nothing for what stays as it is', async () => {
    const database = await open()
    const options = await openTestOptions(database, { audit: openAudit(database, Date.now).record })
    const change = [{ key: 'RetryTimes', text: '3' }]
    await options.setAll(change, root)
    const before = options.snapshot()
    await options.setAll(change, root)
    expect(options.snapshot()).toBe(before)
    expect(await database.query.selectFrom('audit').selectAll().execute()).toHaveLength(1)
  })

  it.each([
    ['gemini.safety_settings', '{"default":"OFF","HARM_CATEGORY_HARASSMENT":"BLOCK_NONE"}', '{"default":"OFF"}'],
    ['gemini.version_settings', '{"default":"v1beta","m":"v1"}', '{"default":"v1"}'],
    ['claude.default_max_tokens', '{"default":8192,"m":4096}', '{"default":1024}'],
    ['claude.model_headers_settings', '{"m":{"anthropic-beta":["a"]}}', '{}'],
  ] as const)('replace the map %s as a whole, never merge it', async (key, first, second) => {
    const options = await openTestOptions(await open())
    await options.setAll([{ key, text: first }], root)
    expect(options.get(key)).toEqual(JSON.parse(first))
    await options.setAll([{ key, text: second }], root)
    expect(options.get(key)).toEqual(JSON.parse(second))
  })
})
