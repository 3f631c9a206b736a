import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ChannelHealth, ChannelJob, ModelHealth } from '../../../lib/api/contract.ts'
import { setLanguage } from '../../../lib/i18n.ts'
import { fakeFetch, lines, refused } from '../../../test/fake-fetch.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { KeyList } from '../keys/key-list.tsx'
import { ChannelsScreen } from '../screen.tsx'
import { channel, idleJob, openai } from '../testing-channels.ts'
import { p95Text, rateText, rateTone } from './health.ts'

beforeEach(() => setLanguage('zh'))

const kinds = { ok: 8, slow: 1, auth: 0, quota: 0, rate_limited: 0, server_error: 1, timeout: 0, other: 2 }
const figures = {
  calls: 10,
  success_rate: 0.9,
  p95_ms: 3000,
  p95_exceeded: false,
  first_content_ms: 620,
  quota: 250_000,
  kinds,
  last_error: 'overloaded',
  last_error_time: 1_763_600_000,
}
const health: ChannelHealth = {
  channel_id: 1,
  ...figures,
  points: Array.from({ length: 48 }, (_, index) => ({
    time: index * 1800,
    answered: index,
    failed: index % 5 === 0 ? 1 : 0,
  })),
  avoided: 1,
}
const model = (name: string, more: Partial<ModelHealth> = {}): ModelHealth => ({
  model: name,
  ...figures,
  state: 'closed',
  until: 0,
  ...more,
})
const untouched = {
  calls: 0,
  success_rate: null,
  p95_ms: null,
  p95_exceeded: false,
  first_content_ms: null,
  quota: 0,
  last_error: '',
  kinds: { ...kinds, other: 0 },
}

const answers = (jobs: { test?: Partial<ChannelJob> } = {}) => ({
  'GET /api/channel/types': () => [openai],
  'GET /api/group/': () => ['default'],
  'GET /api/channel/models': () => [],
  'GET /api/channel/browse': () => ({ items: [channel()], total: 1, page: 1, page_size: 10 }),
  'GET /api/channel/health': () => [health],
  'GET /api/channel/jobs': () => ({ test: { ...idleJob, ...jobs.test }, balance: idleJob }),
})

describe('a success rate', () => {
  it.each([
    [null, '—', undefined],
    [1, '100.00%', undefined],
    [0.9999, '99.99%', undefined],
    [0.985, '98.50%', 'warn'],
    [0.5, '50.00%', 'bad'],
    [0, '0.00%', 'bad'],
  ])('%d reads %s', (rate, text, tone) => {
    expect(rateText(rate)).toBe(text)
    expect(rateTone(rate)).toBe(tone)
  })
})

describe('the P95 duration', () => {
  it.each([
    [{ p95_ms: 100, p95_exceeded: false }, '≤ 0.10 s'],
    [{ p95_ms: 60_000, p95_exceeded: true }, '> 60.00 s'],
    [{ p95_ms: null, p95_exceeded: false }, '—'],
  ])('%j reads %s', (found, text) => expect(p95Text(found)).toBe(text))
})

describe('health in the list', () => {
  it('describes the sparkline as text, and opens the channel beside the list', async () => {
    fakeFetch({
      ...answers(),
      'GET /api/channel/1': () => channel(),
      'PUT /api/channel/': () => channel({ status: 2 }),
      'GET /api/log/': () => ({ items: [], total: 0, page: 1, page_size: 10 }),
      'GET /api/channel/1/health': () => ({
        ...health,
        models: [
          model('gpt-4o', { state: 'open', until: 1_763_600_030 }),
          model('o3', { state: 'resting', until: 1_763_600_030 }),
          model('never', untouched),
        ],
      }),
    })
    await renderConsole(<ChannelsScreen />, '/channel')
    expect(await screen.findByText('1 个模型冷却中')).toBeTruthy()
    await userEvent.click(
      screen.getByRole('button', { name: /^查看 Main 的健康状况：近 24 小时 10 次调用，成功率 90.00%/ }),
    )
    const sheet = await screen.findByRole('dialog', { name: 'Main' })
    expect(await within(sheet).findByText(/^冷却中，/)).toBeTruthy()
    expect(within(sheet).getByText(/^限流，冷却至/)).toBeTruthy()
    expect(within(sheet).getAllByText('overloaded').length).toBeGreaterThan(0)
    expect(within(sheet).getByText('另有 1 个模型近 24 小时没有调用')).toBeTruthy()
    expect(within(sheet).getAllByText('≤ 3.00 s').length).toBeGreaterThan(0)
    expect(within(sheet).getByRole('link', { name: '1 / 1 可用' })).toBeTruthy()
    expect(within(sheet).getByRole('link', { name: '渠道页面' }).getAttribute('href')).toBe('/channel/1')
    await userEvent.click(within(sheet).getByRole('button', { name: '禁用' }))
    expect(await screen.findByText('已禁用“Main”')).toBeTruthy()
  })

  it('asks for the balance again and says so', async () => {
    const sent = fakeFetch({ ...answers(), 'GET /api/channel/update_balance/1': () => ({}) })
    await renderConsole(<ChannelsScreen />, '/channel')
    await userEvent.click(await screen.findByRole('button', { name: '更新 Main 的余额' }))
    expect(await screen.findByText('渠道 Main 余额更新成功！')).toBeTruthy()
    expect(sent.some(({ path }) => path === '/api/channel/update_balance/1')).toBe(true)
  })
})

describe('work on all channels', () => {
  it('asks first, and says when it runs already', async () => {
    fakeFetch({ ...answers(), 'GET /api/channel/test': () => refused('测试已在运行中') })
    await renderConsole(<ChannelsScreen />, '/channel')
    await screen.findByText('Main')
    await userEvent.click(screen.getByRole('button', { name: '批量操作' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: '测试所有渠道' }))
    await userEvent.click(await screen.findByRole('button', { name: '开始测试' }))
    expect(await screen.findByText('测试已在运行中')).toBeTruthy()
  })

  it('shows what became of the channels, even when all of it took less than a look', async () => {
    let isOver = false
    const over = { ...idleJob, started_time: 1, finished_time: 1, done: 1, total: 1, failed: 1, disabled: 1 }
    fakeFetch({
      ...answers(),
      'GET /api/channel/test': () => {
        isOver = true
      },
      'GET /api/channel/jobs': () => ({ test: isOver ? over : idleJob, balance: idleJob }),
      'GET /api/channel/browse': () => ({
        items: [channel({ status: isOver ? 3 : 1 })],
        total: 1,
        page: 1,
        page_size: 10,
      }),
    })
    await renderConsole(<ChannelsScreen />, '/channel')
    await screen.findByText('Main')
    await userEvent.click(screen.getByRole('button', { name: '批量操作' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: '测试所有渠道' }))
    await userEvent.click(await screen.findByRole('button', { name: '开始测试' }))
    expect(await screen.findByText('1 个自动禁用')).toBeTruthy()
    const [row] = await screen.findAllByText('自动禁用')
    expect(row).toBeTruthy()
  })

  it('shows the progress, also of a job started by another user, and stops on demand', async () => {
    const sent = fakeFetch({
      ...answers({ test: { running: true, started_time: 1, done: 3, total: 9, failed: 1 } }),
      'POST /api/channel/jobs/stop': () => undefined,
    })
    await renderConsole(<ChannelsScreen />, '/channel')
    expect(await screen.findByText('3 / 9')).toBeTruthy()
    expect(screen.getByText('1 个失败')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '停止' }))
    expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({ job: 'test' })
  })
})

describe('the test panel', () => {
  it('tests the models of several channels, tries failed ones again and disables what fails', async () => {
    let broken = true
    const sent = fakeFetch({
      ...answers(),
      'GET /api/channel/browse': () => ({
        items: [channel(), channel({ id: 2, name: 'Spare', models: 'o3' })],
        total: 2,
        page: 1,
        page_size: 10,
      }),
      'POST /api/channel/test/many': ({ body }) =>
        lines(
          ...(body as { rows: { id: number; model: string }[] }).rows.flatMap((row) => [
            { ...row, state: 'running' },
            row.id === 1
              ? { ...row, state: 'ok', time: 1.5, first_content_time: null, answer: 'hi there' }
              : broken
                ? { ...row, state: 'failed', error: 'status code 503: down' }
                : { ...row, state: 'ok', time: 2, first_content_time: 0.4, answer: '' },
          ]),
        ),
      'PUT /api/channel/': () => channel(),
    })
    await renderConsole(<ChannelsScreen />, '/channel')
    await userEvent.click(await screen.findByRole('checkbox', { name: '选择本页全部' }))
    await userEvent.click(screen.getByRole('button', { name: '测试所选渠道' }))
    const panel = await screen.findByRole('dialog', { name: '测试 2 个渠道' })
    await userEvent.click(within(panel).getByRole('button', { name: '测试全部' }))
    expect(await within(panel).findByText('2 / 2，1 个失败')).toBeTruthy()
    expect(within(panel).getByText('status code 503: down')).toBeTruthy()
    expect(within(panel).getByText('hi there')).toBeTruthy()
    await userEvent.click(within(panel).getByRole('button', { name: '禁用失败的 1 个渠道' }))
    expect(sent.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([{ id: 2, status: 2 }])
    expect(within(panel).queryByRole('button', { name: '禁用失败的 1 个渠道' })).toBeNull()
    broken = false
    await userEvent.click(within(panel).getByRole('button', { name: '重试失败的 1 个' }))
    expect(await within(panel).findByText('2 / 2，0 个失败')).toBeTruthy()
    expect(within(panel).getByText('首字 0.40 秒')).toBeTruthy()
    await userEvent.click(within(panel).getByText('所有模型'))
    expect(within(panel).getByRole('button', { name: '测试 Main 的 gpt-4o-mini' })).toBeTruthy()
  })
})

describe('the keys of a channel', () => {
  const requests = { kind: 'requests', most: 50, left: 7, resets_at: 1_763_600_000 }
  const limits = [
    { model: 'gpt-4o', used_up_until: 0, limits: [requests] },
    { model: 'o3', used_up_until: 1_763_600_000, limits: [{ ...requests, left: 0 }] },
    { model: 'o4', used_up_until: 0, limits: [{ ...requests, left: 49 }] },
  ]
  const keys = [
    { id: 'k1', hint: '…0001', status: 1, reason: '', status_time: 0, rests_until: 0, limits: [] },
    { id: 'k2', hint: '…0002', status: 3, reason: 'bad key', status_time: 1_763_600_000, rests_until: 0, limits: [] },
    { id: 'k3', hint: '…0003', status: 1, reason: '', status_time: 0, rests_until: 1_763_600_000, limits },
  ]

  it('stand in the form with their states; removing one asks first and does not submit the form', async () => {
    const sent = fakeFetch({
      ...answers(),
      'GET /api/channel/1/keys': () => keys,
      'POST /api/channel/1/key': () => ({ key: 'sk-whole' }),
      'PUT /api/channel/1/keys': () => keys,
      'POST /api/channel/1/keys/remove': () => keys,
    })
    let submitted = 0
    await renderConsole(
      <form onSubmit={() => (submitted += 1)}>
        <KeyList channelId={1} canAdd />
      </form>,
    )
    const list = await screen.findByRole('region', { name: '3 个密钥' })
    expect(within(list).getByText('自动禁用')).toBeTruthy()
    expect(within(list).getByText(/^冷却至/)).toBeTruthy()
    expect(within(list).getByText(/^已用完，到/)).toBeTruthy()
    expect(within(list).getByText(/^请求：剩余 7 \/ 50，/)).toBeTruthy()
    expect(within(list).queryByText('o4')).toBeNull()
    await userEvent.click(within(list).getByRole('button', { name: '显示其余 1 个模型' }))
    expect(within(list).getByText('o4')).toBeTruthy()
    await userEvent.click(within(list).getByRole('button', { name: '显示密钥 …0001' }))
    expect(await within(list).findByText('sk-whole')).toBeTruthy()
    await userEvent.click(within(list).getByRole('button', { name: '启用密钥 …0002' }))
    await userEvent.click(within(list).getByRole('button', { name: '移除密钥 …0003' }))
    await userEvent.click(await screen.findByRole('button', { name: '移除密钥' }))
    const changes = sent.filter(({ method }) => method !== 'GET').map(({ path, body }) => [path, body])
    expect(changes).toEqual([
      ['/api/channel/1/key', { key_id: 'k1' }],
      ['/api/channel/1/keys', { key_id: 'k2', status: 1 }],
      ['/api/channel/1/keys/remove', { key_id: 'k3' }],
    ])
    expect(submitted).toBe(0)
  })
})

describe('tags', () => {
  it('show their channels, and ask before a number is set for all of them', async () => {
    const sent = fakeFetch({
      ...answers(),
      'GET /api/channel/search': () => [
        channel({ tag: 'eu', priority: 1 }),
        channel({ id: 2, name: 'Spare', tag: 'eu', priority: 2 }),
      ],
      'PUT /api/channel/tag': () => undefined,
      'POST /api/channel/batch/run': () => ({ done: 1, failed: [], next: null }),
    })
    await renderConsole(<ChannelsScreen />, '/channel?tags=1')
    await userEvent.click(await screen.findByRole('button', { name: '2 个渠道：eu' }))
    expect(screen.getByRole('button', { name: 'Spare' })).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '修改标签 eu 的优先级，当前 多个值' }))
    await userEvent.keyboard('7{Enter}')
    expect(await screen.findByText('将此标签下所有渠道的优先级设为 7？')).toBeTruthy()
    expect(sent.some(({ method }) => method === 'PUT')).toBe(false)
    await userEvent.click(screen.getByRole('button', { name: '修改 2 个渠道' }))
    expect(await screen.findByText('标签 eu 的 2 个渠道的优先级：多个值 → 7')).toBeTruthy()
    expect(sent.find(({ method }) => method === 'PUT')?.body).toEqual({ tag: 'eu', priority: 7 })
    await userEvent.click(screen.getByRole('button', { name: '撤销' }))
    await waitFor(() =>
      expect(sent.filter(({ path }) => path === '/api/channel/batch/run').map(({ body }) => body)).toEqual([
        { which: { ids: [1] }, act: { kind: 'priority', priority: 1 } },
        { which: { ids: [2] }, act: { kind: 'priority', priority: 2 } },
      ]),
    )
  })
})
