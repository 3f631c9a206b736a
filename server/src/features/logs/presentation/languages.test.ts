import { errorText } from '@tollgate/contract'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../../test/support/db/databases.ts'
import { now, openTestLogs, type TestLogs } from '../../../../test/support/features/logs.ts'
import type { Database } from '../../../db/database.ts'
import { eventRecorder } from '../events.ts'

describeEachEngine('the usage log in the language of its reader', (open) => {
  let database: Database
  let logs: TestLogs

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    logs = await openTestLogs(database)
  })

  it('shows sentences in the language of the reader, and those of earlier versions as they are', async () => {
    const record = eventRecorder(
      logs.store,
      () => 500_000,
      () => now * 1000,
    )
    await record({
      userId: 7,
      username: 'alice',
      type: 1,
      text: { code: 'code_redeemed', params: { amount: 1_000_000, id: 3 } },
    })
    await logs.write({
      user_id: 7,
      type: 1,
      content: '通过兑换码充值 ＄1.000000 额度，兑换码ID 2',
      created_at: now - 1,
    })
    await logs.write({ user_id: 7, type: 1, content: '模型测试', created_at: now - 2 })
    await logs.write({
      user_id: 7,
      type: 1,
      content: 'kept',
      other: '{"text":{"code":"of_a_later_version","params":{},"unit":0}}',
      created_at: now - 3,
    })
    const texts = async (language: string | undefined, path: string): Promise<string[]> => {
      const headers: Record<string, string> = language === undefined ? {} : { 'accept-language': language }
      const { json } = await logs.user('GET', path, undefined, headers)
      const data = json.data as { content: string }[] | { items: { content: string }[] }
      return (Array.isArray(data) ? data : data.items).map(({ content }) => content)
    }
    const old = '通过兑换码充值 ＄1.000000 额度，兑换码ID 2'
    const [zh, en] = ['通过兑换码充值 ＄2.000000 额度，兑换码ID 3', 'Redeemed a code: $2.000000, code id 3']
    for (const path of ['/api/log/self?type=1', '/api/log/self/search?keyword=1']) {
      expect(await texts(undefined, path)).toEqual([zh, old, '模型测试', 'kept'])
      expect(await texts('zh-CN', path)).toEqual([zh, old, '模型测试', 'kept'])
      expect(await texts('en-US,en;q=0.9', path)).toEqual([en, old, 'Channel test', 'kept'])
    }
    for (const [language, text] of [
      ['zh', zh],
      ['en', en],
    ] as const) {
      for (const format of ['csv', 'json']) {
        const path = `/api/log/self/export?type=1&format=${format}`
        const file = await logs.user('GET', path, undefined, { 'accept-language': language })
        expect(file.text).toContain(text)
      }
    }
  })

  it('shows our errors in the language of the reader, and those of upstreams as they came', async () => {
    const failed = (content: string, other: object, at: number) =>
      logs.write({ user_id: 7, type: 5, content, other: JSON.stringify(other), created_at: now - at })
    const params = { group: 'vip', model: 'gpt-4o' }
    const zh = '当前分组 vip 下对于模型 gpt-4o 无可用渠道'
    await failed(zh, { status: 503, error_text: { code: 'no_available_channel', params } }, 0)
    await failed(zh, { status: 503, error_code: 'no_available_channel' }, 1)
    await failed('上游说', { status: 500, error_text: { code: 'of_a_later_version', params: {} } }, 2)
    const en = errorText('no_available_channel', 'en', params)
    expect(en).toContain('vip')
    const contents = async (language: string, path: string): Promise<string[]> => {
      const { json } = await logs.user('GET', path, undefined, { 'accept-language': language })
      return (json.data as { items: { content: string }[] }).items.map(({ content }) => content)
    }
    expect(await contents('zh-CN', '/api/log/self?type=5')).toEqual([zh, zh, '上游说'])
    expect(await contents('en', '/api/log/self?type=5')).toEqual([en, zh, '上游说'])
    for (const format of ['csv', 'json']) {
      const path = `/api/log/self/export?type=5&format=${format}`
      expect((await logs.user('GET', path, undefined, { 'accept-language': 'en' })).text).toContain(en)
      expect((await logs.user('GET', path)).text).not.toContain(en)
    }
  })
})
