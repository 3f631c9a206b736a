import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { forgetUser } from '../../../lib/api/session.ts'
import { setLanguage } from '../../../lib/i18n.ts'
import { fakeFetch } from '../../../test/fake-fetch.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { LogsScreen } from '../screen.tsx'
import { logAnswers, signInAs, testLog, testPage } from '../testing-log.ts'

beforeEach(() => {
  forgetUser()
  setLanguage('zh')
})

describe('a sorted list', () => {
  it('says that only the newest were sorted', async () => {
    signInAs(1)
    fakeFetch({
      ...logAnswers,
      'GET /api/log/self': () => ({ ...testPage([testLog()]), sorted_among: 50_000 }),
      'GET /api/log/self/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
    })
    await renderConsole(<LogsScreen />, '/log?sort=-quota&range=all')
    expect(await screen.findByText(/仅对最新的 50,000 条排序/)).toBeTruthy()
  })
})

describe('a filter that no index knows', () => {
  it('says since when entries were looked through', async () => {
    signInAs(1)
    fakeFetch({
      ...logAnswers,
      'GET /api/log/self': () => ({ ...testPage([testLog()]), looked_from: 1_700_000_000 }),
      'GET /api/log/self/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
    })
    await renderConsole(<LogsScreen />, '/log?end=interrupted&range=all')
    expect(await screen.findByText(/此筛选较慢，仅搜索到 2023 年 11 月 1\d 日 /)).toBeTruthy()
  })
})

describe('a range that reaches back beyond what is kept', () => {
  it('says how many days rows are kept', async () => {
    signInAs(1)
    fakeFetch({
      ...logAnswers,
      'GET /api/log/self': () => ({ ...testPage([testLog()]), kept_days: { charged: 400, failed: 30 } }),
      'GET /api/log/self/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
    })
    await renderConsole(<LogsScreen />, '/log?range=all')
    expect(await screen.findByText('更早的日志已按保留期限删除。保留天数：消费 400 · 错误 30。')).toBeTruthy()
  })
})

describe('a range with archived months', () => {
  it.each([
    [undefined, '同时搜索了 3 个已归档的月份。'],
    ['too_long', '部分已归档的月份未能及时读取。缩小时间范围可查看全部。'],
    ['unavailable', '暂时无法读取归档，仅显示未归档的日志。'],
  ])('says how they were read: %s', async (problem, note) => {
    signInAs(1)
    fakeFetch({
      ...logAnswers,
      'GET /api/log/self': () => ({ ...testPage([testLog()]), archive: { months: 3, ...(problem && { problem }) } }),
      'GET /api/log/self/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
    })
    await renderConsole(<LogsScreen />, '/log?range=all')
    expect(await screen.findByText(note)).toBeTruthy()
  })
})
