import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ClearLogs } from '../../components/clear-logs/clear-logs.tsx'
import { forgetUser, storeUser } from '../../lib/api/session.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { fakeFetch } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { logColumns } from './columns.tsx'
import { useLogMessages } from './messages.ts'
import { cachedShare, firstTokenPace, tokensPerSecond, totalPace } from './other.ts'
import { reasonOf, spanOf } from './receipt/waterfall.tsx'
import { keyName, resultOf } from './result.ts'
import { LogsScreen } from './screen.tsx'
import { detailsText } from './sheet/details.ts'
import { testLog } from './testing-log.ts'

const { say } = useLogMessages

const signIn = (role: number): void =>
  storeUser({ id: 7, username: 'alice', display_name: '', role, status: 1, group: 'default' })

beforeEach(() => {
  forgetUser()
  setLanguage('zh')
})

it('rates durations at the required bounds', () => {
  expect([100_999, 101_000, 299_999, 300_000].map(totalPace)).toEqual(['good', 'warn', 'warn', 'bad'])
  expect([2_999, 3_000, 9_999, 10_000].map(firstTokenPace)).toEqual(['good', 'warn', 'warn', 'bad'])
})

it('counts the speed of a stream from its first token', () => {
  const log = testLog({ is_stream: true, completion_tokens: 100, other: { frt: 1000, duration_ms: 3000 } })
  expect(tokensPerSecond(log)).toBe(50)
})

it('keeps a short try visible in the waterfall and inside its track', () => {
  const try1 = { channel: 1, started_ms: 9999, duration_ms: 1, status: 429, error: 'busy' }
  const { start, width } = spanOf(try1, 10_000)
  expect(width).toBeGreaterThan(0.5)
  expect(start + width).toBeLessThanOrEqual(100)
})

it.each([
  ['upstream status 429: {"error":{"message":"slow down","code":"busy"}}', 'slow down'],
  ['upstream status 502: <html>', 'upstream status 502: <html>'],
  ['connection refused', 'connection refused'],
])('finds the sentence in what an upstream answered: %s', (error, sentence) => expect(reasonOf(error)).toBe(sentence))

it('says status, code and cause of a failed request', () => {
  const log = testLog({ type: 5, content: 'busy', other: { status: 429, error_code: 'rate_limit_exceeded' } })
  expect(detailsText(log, say)).toBe('429 rate_limit_exceeded · busy')
})

describe('columns', () => {
  const ids = (isAdmin: boolean): string[] => logColumns(say, { isAdmin }).map((column) => column.id)

  it('show channel, user and retries to admins only', () => {
    expect(ids(true)).toEqual(expect.arrayContaining(['channel', 'username', 'retry']))
    for (const id of ['channel', 'username', 'retry']) expect(ids(false)).not.toContain(id)
  })
})

const page = (items: unknown[]) => ({ items, total: items.length, page: 1, page_size: 10 })
const common = {
  'GET /api/user/models': () => ['gpt-4o'],
  'GET /api/user/self/groups': () => ({ vip: { desc: 'VIP', ratio: 0.8 } }),
  'GET /api/token/browse': () => page([]),
}

describe('the result of a row', () => {
  const of = (log: Parameters<typeof testLog>[0]) => {
    const { tone, label, cause } = resultOf(testLog(log), say)
    return [tone, label, cause].join(' | ')
  }

  it('is success, with the number of retries', () => {
    const tries = [1, 2].map((channel) => ({ channel, started_ms: 0, duration_ms: 1, status: 200, error: '' }))
    expect(of({})).toBe('good | 成功 | ')
    expect(of({ other: { admin_info: { attempts: tries } } })).toBe('good | 成功 | 重试 1 次')
  })

  it('is a failure with the status and the cause, and how often it was repeated', () => {
    expect(of({ type: 5, content: 'x', other: { status: 429, error_code: 'rate_limit_exceeded' } })).toBe(
      'bad | 失败 429 | 触发限流',
    )
    expect(of({ type: 5, content: 'strange', other: { status: 500, error_code: 'odd', repeated: 3 } })).toBe(
      'bad | 失败 500 | 3 次 · strange',
    )
  })

  it('is cancelled where the client left, charged or not, and incomplete where the provider broke off', () => {
    expect(of({ other: { end: 'client_gone' } })).toBe('off | 已取消 | 客户端断开')
    expect(of({ type: 5, other: { end: 'client_gone', status: 499 } })).toBe('off | 已取消 | 客户端断开')
    expect(of({ other: { end: 'upstream_broke' } })).toBe('warn | 未完成 | 上游中断')
  })

  it('is the kind of an entry that is no call', () => {
    expect(of({ type: 1, content: 'topped up' })).toBe('info | 充值 | topped up')
  })
})

it('names tests of channels, which have no key', () => {
  expect(keyName(testLog({ token_id: 0, token_name: '模型测试' }), say)).toBe('测试')
  expect(keyName(testLog({ token_name: '模型测试' }), say)).toBe('模型测试')
})

it('knows which part of the input came from a cache', () => {
  expect(cachedShare(testLog({ prompt_tokens: 100, other: { cache_tokens: 94 } }))).toBe(0.94)
  expect(cachedShare(testLog({ prompt_tokens: 100 }))).toBeUndefined()
})

describe('the screen', () => {
  it('asks an ordinary user only for what is theirs', async () => {
    signIn(1)
    const sent = fakeFetch({
      ...common,
      'GET /api/log/self': () => page([testLog()]),
      'GET /api/log/self/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
    })
    await renderConsole(<LogsScreen />, '/log?model_name=gpt-4o')
    expect(await screen.findByText('gpt-4o')).toBeTruthy()
    expect(sent.some((call) => call.path === '/api/log/')).toBe(false)
    const list = sent.find((call) => call.path === '/api/log/self')
    expect(list?.query.model_name).toBe('gpt-4o')
    expect(Number(list?.query.end_timestamp)).toBeGreaterThan(Number(list?.query.start_timestamp))
    expect(list?.query).not.toHaveProperty('range')
  })

  it('reads again by itself where that is wished, and waits while the reader has scrolled down', async () => {
    signIn(1)
    const sent = fakeFetch({
      ...common,
      'GET /api/log/self': () => page([testLog()]),
      'GET /api/log/self/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
    })
    await renderConsole(<LogsScreen />, '/log')
    const scrollTo = (top: number): void => {
      vi.stubGlobal('scrollY', top)
      act(() => void window.dispatchEvent(new Event('scroll')))
    }
    await userEvent.click(await screen.findByRole('button', { name: '实时' }))
    scrollTo(400)
    expect(await screen.findByRole('button', { name: '已暂停' })).toBeTruthy()
    scrollTo(0)
    expect(await screen.findByRole('button', { name: '实时', pressed: true })).toBeTruthy()
    const before = sent.filter(({ path }) => path === '/api/log/self').length
    await waitFor(() => expect(sent.filter(({ path }) => path === '/api/log/self').length).toBeGreaterThan(before))
  })

  it('opens the row that the address names and moves with the arrow keys', async () => {
    signIn(10)
    const receipt = {
      mode: 'call' as const,
      lines: [{ item: 'call', quantity: 1, price: '1' }],
      model_ratio: '0',
      model_price: '0.04',
      group_ratio: '1',
      quota_per_unit: '500000',
      quota: 20_000,
      estimated: false,
    }
    const attempts = [
      { channel: 3, channel_name: 'Spare', started_ms: 0, duration_ms: 20, status: 429, error: 'rate limited' },
      {
        channel: 4,
        channel_name: 'Main',
        started_ms: 21,
        duration_ms: 900,
        status: 200,
        error: '',
        request_id: 'upstream-7',
      },
    ]
    fakeFetch({
      ...common,
      'GET /api/log/': () =>
        page([
          testLog({ id: 1, request_id: 'req-1', other: { receipt, admin_info: { attempts } } }),
          testLog({ id: 2, request_id: 'req-2', model_name: 'gpt-4o-mini' }),
        ]),
      'GET /api/log/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
    })
    const { router } = await renderConsole(<LogsScreen />, '/log?request=req-1')
    expect(await screen.findByText('rate limited')).toBeTruthy()
    const sheet = screen.getByRole('dialog')
    expect(within(sheet).getByText('upstream-7')).toBeTruthy()
    expect(within(sheet).getByRole('button', { name: /提供商请求 ID/ })).toBeTruthy()
    expect(within(sheet).getByRole('table', { name: '收据' }).textContent).toContain('20,000 单位')
    expect(within(sheet).getByRole('table', { name: '收据' }).textContent).toContain('$0.040000')
    await userEvent.keyboard('{ArrowRight}')
    expect(await screen.findByRole('dialog', { name: 'gpt-4o-mini' })).toBeTruthy()
    expect(router.state.location.search).toMatchObject({ request: 'req-2' })
  })

  it('names the program that made a call, and no row where it is not known', async () => {
    signIn(1)
    fakeFetch({
      ...common,
      'GET /api/log/self': () =>
        page([
          testLog({ id: 1, request_id: 'req-1', other: { client: 'Claude Code' } }),
          testLog({ id: 2, request_id: 'req-2', model_name: 'gpt-4o-mini' }),
        ]),
      'GET /api/log/self/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
    })
    await renderConsole(<LogsScreen />, '/log?request=req-1')
    const sheet = within(await screen.findByRole('dialog'))
    expect((await sheet.findByText('客户端')).nextElementSibling?.textContent).toBe('Claude Code')
    await userEvent.keyboard('{ArrowRight}')
    const next = within(await screen.findByRole('dialog', { name: 'gpt-4o-mini' }))
    expect(next.queryByText('客户端')).toBeNull()
  })

  it('shows operators what a call cost upstream, and says where that is not known', async () => {
    signIn(10)
    const cost = { quota: 10_000, version: 'genai-prices 0.1.8', factor: '0.85' }
    fakeFetch({
      ...common,
      'GET /api/log/': () =>
        page([
          testLog({ id: 1, request_id: 'req-1', quota: 15_000, other: { admin_info: { cost } } }),
          testLog({ id: 2, request_id: 'req-2' }),
        ]),
      'GET /api/log/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
    })
    await renderConsole(<LogsScreen />, '/log?request=req-1')
    expect(await screen.findByText('genai-prices 0.1.8')).toBeTruthy()
    const sheet = screen.getByRole('dialog')
    expect(sheet.textContent).toContain('× 0.85')
    expect(sheet.textContent).toContain('33.3%')
    await userEvent.keyboard('{ArrowRight}')
    expect(await screen.findByText(/^成本未知/)).toBeTruthy()
  })

  it('prices pictures by the picture', async () => {
    signIn(10)
    const receipt = {
      mode: 'tokens' as const,
      lines: [{ item: 'image', quantity: 3, price: '562.5' }],
      model_ratio: '8',
      group_ratio: '1',
      quota_per_unit: '500000',
      quota: 13_500,
      estimated: false,
    }
    fakeFetch({
      ...common,
      'GET /api/log/': () => page([testLog({ id: 1, request_id: 'req-1', other: { receipt } })]),
      'GET /api/log/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
    })
    await renderConsole(<LogsScreen />, '/log?request=req-1')
    const shown = (await screen.findByRole('table', { name: '收据' })).textContent
    for (const text of ['图片', '每张单价', '$0.009', '$0.027000']) expect(shown).toContain(text)
  })

  it('shows what tools of the provider and its service tier cost', async () => {
    signIn(10)
    const receipt = {
      mode: 'tokens' as const,
      lines: [{ item: 'input', quantity: 1000, price: '1' }],
      model_ratio: '1.25',
      group_ratio: '1',
      quota_per_unit: '500000',
      quota: 10_625,
      estimated: false,
      tier: { name: 'flex', ratio: '0.5' },
      tools: [
        { tool: 'web_search', quantity: 2, price: '10' },
        { tool: 'web_fetch', quantity: 1, price: '0' },
      ],
    }
    fakeFetch({
      ...common,
      'GET /api/log/': () =>
        page([testLog({ id: 1, request_id: 'req-1', other: { receipt, parameters: { temperature: 0.2, tools: 3 } } })]),
      'GET /api/log/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
    })
    await renderConsole(<LogsScreen />, '/log?request=req-1')
    const text = (await screen.findByRole('table', { name: '收据' })).textContent
    expect(text).toContain('输入1,000$2.50× 0.5 × 1$0.001250')
    expect(text).toContain('联网搜索2$10.00 / 千次× 1$0.020000')
    expect(text).not.toContain('网页抓取')
    expect(screen.getByText(/服务层级 flex：token 价格 × 0\.5。/)).toBeTruthy()
    expect(screen.getByRole('heading', { name: '请求参数' }).nextElementSibling?.textContent).toBe(
      'temperature0.2tools3',
    )
  })

  it('shows what the upstream reported and was not billed', async () => {
    signIn(10)
    const receipt = {
      mode: 'tokens' as const,
      lines: [{ item: 'input', quantity: 1, price: '1' }],
      model_ratio: '1',
      group_ratio: '1',
      quota_per_unit: '500000',
      quota: 1,
      estimated: true,
      disputed: { prompt_tokens: 400_000_000, web_search: 0.5 },
    }
    fakeFetch({
      ...common,
      'GET /api/log/': () => page([testLog({ id: 1, request_id: 'req-1', other: { receipt } })]),
      'GET /api/log/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
    })
    await renderConsole(<LogsScreen />, '/log?request=req-1')
    expect((await screen.findByRole('note')).textContent).toBe(
      '上游返回的部分用量超出此请求可能的范围，未按其计费：输入 Token 400,000,000, 联网搜索 0.5。',
    )
  })

  it('shows administrators the user of a row', async () => {
    signIn(10)
    fakeFetch({
      ...common,
      'GET /api/log/': () => page([testLog({ user_id: 9, username: 'bob' })]),
      'GET /api/log/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
      'GET /api/user/9': () => ({ id: 9, username: 'bob', quota: 500_000, used_quota: 250_000, request_count: 12_345 }),
    })
    await renderConsole(<LogsScreen />, '/log?request=req-1')
    await userEvent.click(await screen.findByRole('button', { name: '查看用户 bob' }))
    expect(await screen.findByText('$1.00')).toBeTruthy()
    expect(screen.getByText('用户信息').parentElement?.textContent).toMatch(
      /用户名bob余额\$1\.00花费\$0\.50请求次数12\.3k/,
    )
  })

  it('goes on after the last row of a page when it is turned, and counts off where it was jumped to', async () => {
    signIn(10)
    const sent = fakeFetch({
      ...common,
      'GET /api/log/': ({ query }) => ({
        ...page([testLog({ id: Number(query.p), request_id: `req-${query.p}` })]),
        total: 10_000,
        total_capped: true,
        next: `17636.${query.p}`,
      }),
      'GET /api/log/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
      'GET /api/log/clear': () => ({ count: 0, running: null }),
    })
    await renderConsole(<LogsScreen />, '/log?p=4&size=10')
    const pages = () => sent.filter(({ path }) => path === '/api/log/').map(({ query }) => [query.p, query.after])
    await screen.findByText(/第 31–31 条/)
    await userEvent.click(screen.getByRole('button', { name: '下一页' }))
    await screen.findByText(/第 41–41 条/)
    await userEvent.click(screen.getByRole('button', { name: '下一页' }))
    await screen.findByText(/第 51–51 条/)
    expect(pages()).toEqual([
      ['4', undefined],
      ['5', '17636.4'],
      ['6', '17636.5'],
    ])
  })

  it('saves everything that fits as the server makes it, with the filters in force', async () => {
    signIn(1)
    const sent = fakeFetch({
      ...common,
      'GET /api/log/self': () => page([testLog()]),
      'GET /api/log/self/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
      'GET /api/log/self/export': () =>
        new Response('id', { headers: { 'content-disposition': 'attachment; filename="logs.csv"' } }),
    })
    await renderConsole(<LogsScreen />, '/log?group=vip&type=2')
    await userEvent.click(await screen.findByRole('button', { name: '导出' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: '导出全部结果 CSV' }))
    expect(await screen.findByText('导出完成')).toBeTruthy()
    const request = sent.find(({ path }) => path === '/api/log/self/export')
    expect(request?.query).toMatchObject({ group: 'vip', type: '2', format: 'csv' })
    expect(request?.query).not.toHaveProperty('p')
    expect(request?.headers.get('New-API-User')).toBe('7')
  })

  it('suggests what there is, counted with the other filters, and means it exactly', async () => {
    signIn(1)
    const sent = fakeFetch({
      ...common,
      'GET /api/log/self': () => page([testLog()]),
      'GET /api/log/self/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
      'GET /api/log/self/facets': () => ({ values: [{ value: 'claude', count: 1234 }], capped: false }),
    })
    const { router } = await renderConsole(<LogsScreen />, '/log?group=vip')
    await userEvent.click(await screen.findByRole('button', { name: '按模型筛选' }))
    await userEvent.click(await screen.findByRole('combobox', { name: '模型' }))
    await screen.findByText('1,234')
    const options = within(screen.getByRole('listbox')).getAllByRole('option')
    expect(options.map(({ textContent }) => textContent)).toEqual(['claude1,234', 'gpt-4o0'])
    expect(sent.find(({ path }) => path === '/api/log/self/facets')?.query).toMatchObject({
      facet: 'model_name',
      group: 'vip',
    })
    await userEvent.click(options[0] as HTMLElement)
    await vi.waitFor(() => expect(router.state.location.search).toMatchObject({ model_name: '"claude"' }))
  })

  it('is narrowed to a program, by its chip or by a cell of its column', async () => {
    signIn(1)
    const sent = fakeFetch({
      ...common,
      'GET /api/log/self': () => page([testLog({ other: { client: 'Codex' } })]),
      'GET /api/log/self/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
      'GET /api/log/self/facets': () => ({ values: [{ value: 'Claude Code', count: 41 }], capped: true }),
    })
    const { router } = await renderConsole(<LogsScreen />, '/log?group=vip')
    await userEvent.click(await screen.findByRole('button', { name: '按客户端筛选' }))
    await userEvent.click(await screen.findByRole('combobox', { name: '客户端' }))
    const options = await within(await screen.findByRole('listbox')).findAllByRole('option')
    expect(options[0]?.textContent).toContain('Claude Code')
    expect(options[1]?.textContent).toContain('Codex')
    expect(sent.find(({ path }) => path === '/api/log/self/facets')?.query).toMatchObject({
      facet: 'client',
      group: 'vip',
    })
    await userEvent.click(options[0] as HTMLElement)
    await vi.waitFor(() => expect(router.state.location.search).toMatchObject({ client: 'Claude Code' }))
    await vi.waitFor(() =>
      expect(sent.findLast(({ path }) => path === '/api/log/self')?.query.client).toBe('Claude Code'),
    )
    const [column] = logColumns(say, { isAdmin: false }).filter(({ id }) => id === 'client')
    expect(column?.filters?.(testLog({ other: { client: 'Codex' } }))).toEqual([{ facet: 'client', value: 'Codex' }])
  })

  it('says that only the newest were sorted', async () => {
    signIn(1)
    fakeFetch({
      ...common,
      'GET /api/log/self': () => ({ ...page([testLog()]), sorted_among: 50_000 }),
      'GET /api/log/self/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
    })
    await renderConsole(<LogsScreen />, '/log?sort=-quota&range=all')
    expect(await screen.findByText(/只在最新的 50,000 条中排序/)).toBeTruthy()
  })
})

describe('a filter that no index knows', () => {
  it('says since when entries were looked through', async () => {
    signIn(1)
    fakeFetch({
      ...common,
      'GET /api/log/self': () => ({ ...page([testLog()]), looked_from: 1_700_000_000 }),
      'GET /api/log/self/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
    })
    await renderConsole(<LogsScreen />, '/log?end=interrupted&range=all')
    expect(await screen.findByText(/此筛选没有索引，只查找了 2023 年 11 月 1\d 日 .* 之后的日志/)).toBeTruthy()
  })
})

describe('a range that reaches back beyond what is kept', () => {
  it('says how many days rows are kept', async () => {
    signIn(1)
    fakeFetch({
      ...common,
      'GET /api/log/self': () => ({ ...page([testLog()]), kept_days: { charged: 400, failed: 30 } }),
      'GET /api/log/self/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
    })
    await renderConsole(<LogsScreen />, '/log?range=all')
    expect(await screen.findByText('更早的日志已按设置清理，保留天数：消费 400 · 错误 30。')).toBeTruthy()
  })
})

describe('a range with archived months', () => {
  it.each([
    [undefined, '范围内已归档的月份也一并搜索：3 个。'],
    ['too_long', '已归档的月份未能在限时内全部读完，缩小时间范围可得到完整结果。'],
    ['unavailable', '目前无法读取已归档的月份，只显示数据库中的日志。'],
  ])('says how they were read: %s', async (problem, note) => {
    signIn(1)
    fakeFetch({
      ...common,
      'GET /api/log/self': () => ({ ...page([testLog()]), archive: { months: 3, ...(problem && { problem }) } }),
      'GET /api/log/self/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
    })
    await renderConsole(<LogsScreen />, '/log?range=all')
    expect(await screen.findByText(note)).toBeTruthy()
  })
})

describe('clearing logs', () => {
  const open = async (answers: Parameters<typeof fakeFetch>[0] = {}) => {
    signIn(10)
    const sent = fakeFetch({
      'GET /api/log/clear': ({ query }) => ({ count: query.target_timestamp ? 1_234 : 0, running: null }),
      'DELETE /api/log/': () => 1_234,
      ...answers,
    })
    await renderConsole(<ClearLogs />, '/log')
    await userEvent.click(await screen.findByRole('button', { name: '清除历史日志' }))
    return sent
  }

  it('says how many rows will go before they do', async () => {
    const sent = await open()
    await userEvent.click(await screen.findByRole('button', { name: '删除 1,234 条日志' }))
    expect(await screen.findByText('1,234 条日志正在后台清理')).toBeTruthy()
    const deleted = sent.find(({ method }) => method === 'DELETE')
    const previewed = sent.filter(({ method }) => method === 'GET').map(({ query }) => query.target_timestamp)
    expect(previewed).toContain(deleted?.query.target_timestamp)
  })

  it('wants a date', async () => {
    const sent = await open()
    fireEvent.change(await screen.findByLabelText('日志记录时间'), { target: { value: '' } })
    await userEvent.click(screen.getAllByRole('button', { name: '清除历史日志' }).at(-1) as HTMLElement)
    expect(await screen.findByText('请选择日志记录时间')).toBeTruthy()
    expect(sent.some(({ method }) => method === 'DELETE')).toBe(false)
  })

  it('shows how far it is, and takes no second request meanwhile', async () => {
    signIn(10)
    fakeFetch({ 'GET /api/log/clear': () => ({ count: 0, running: { before: 5, total: 2_000, deleted: 500 } }) })
    await renderConsole(<ClearLogs />, '/log')
    expect((await screen.findByRole('button', { name: '正在清理：500 / 2,000' })).hasAttribute('disabled')).toBe(true)
  })
})
