import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { LedgerTable, readLedger } from '../../../components/ledger/ledger-table.tsx'
import type { LedgerEntry, LedgerPage, User } from '../../../lib/api/contract.ts'
import { storeUser } from '../../../lib/api/session.ts'
import { setLanguage } from '../../../lib/i18n.ts'
import { fakeFetch, refused } from '../../../test/fake-fetch.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { Sessions } from './sessions.tsx'
import { Tokens } from './tokens.tsx'
import { Usage } from './usage.tsx'

beforeEach(() => {
  setLanguage('zh')
  storeUser({ id: 1, username: 'root', display_name: '', role: 100, status: 1, group: '' })
})

const entry = (id: number, fields: Partial<LedgerEntry> = {}): LedgerEntry => ({
  id,
  created_at: 1_900_000_000,
  reason: 'charge',
  amount: -500,
  balance: 1000,
  movement: `request-${id}`,
  request_id: `request-${id}`,
  actor_id: 0,
  actor_name: '',
  note: '',
  ...fields,
})

const adjusted = entry(40, {
  reason: 'adjust',
  amount: 5_000_000,
  balance: 7_500_000,
  movement: 'adjust:7:abc',
  request_id: '',
  actor_id: 1,
  actor_name: 'root',
  note: '线下充值',
})

/** Forty entries, newest first, paged as the server does. */
const ledger = (query: Record<string, string>): LedgerPage => {
  const all = [adjusted, ...Array.from({ length: 39 }, (_, index) => entry(39 - index))]
  const size = Number(query.page_size)
  const after = Number(query.after ?? 0)
  const before = Number(query.before ?? Number.POSITIVE_INFINITY)
  const fitting = after > 0 ? all.filter(({ id }) => id > after).slice(-size) : all.filter(({ id }) => id < before)
  return { items: fitting.slice(0, size), total: 40, more: after > 0 || fitting.length > size }
}

const fakes = { 'GET /api/user/7/ledger': ({ query }: { query: Record<string, string> }) => ledger(query) }

describe('the ledger', () => {
  it('shows amount, balance, actor and reason', async () => {
    fakeFetch(fakes)
    await renderConsole(<LedgerTable userId={7} />, '/user/7?tab=ledger')
    const row = (await screen.findByText('管理员调整')).closest('tr') ?? document.body
    expect(row.textContent).toContain('+$10.00')
    expect(row.textContent).toContain('$15.00')
    expect(row.textContent).toContain('线下充值')
    expect(within(row).getByRole('link', { name: 'root' }).getAttribute('href')).toBe('/user/1')
    expect(within(row).getByText('adjust:7:abc')).toBeTruthy()
  })

  it('pages by entries, forth and back', async () => {
    const sent = fakeFetch(fakes)
    const { router } = await renderConsole(<LedgerTable userId={7} />, '/user/7?tab=ledger&size=10')
    await screen.findByText('request-39')
    await userEvent.click(screen.getByRole('button', { name: '下一页' }))
    await screen.findByText('request-30')
    expect(router.state.location.search).toEqual({ tab: 'ledger', size: '10', p: '2', before: '31' })
    await userEvent.click(screen.getByRole('button', { name: '下一页' }))
    await screen.findByText('request-20')
    await userEvent.click(screen.getByRole('button', { name: '上一页' }))
    await screen.findByText('request-30')
    expect(sent.at(-1)?.query).toMatchObject({ after: '20' })
    await userEvent.click(screen.getByRole('button', { name: '上一页' }))
    await screen.findByText('request-39')
    expect(router.state.location.search).toEqual({ tab: 'ledger', size: '10' })
  })

  it('begins anew when its filter changes', async () => {
    const sent = fakeFetch(fakes)
    const { router } = await renderConsole(<LedgerTable userId={7} />, '/user/7?tab=ledger&p=2&before=31')
    await userEvent.click(await screen.findByRole('button', { name: '按类型筛选' }))
    await userEvent.click(await screen.findByLabelText('退款'))
    expect(router.state.location.search).toEqual({ tab: 'ledger', reason: 'refund' })
    await screen.findByText('request-39')
    expect(sent.at(-1)?.query).toEqual({ page_size: '25', reason: 'refund', account: 'user' })
  })

  it('is also there for what invitations earned', async () => {
    const sent = fakeFetch(fakes)
    await renderConsole(<LedgerTable userId={7} />, '/user/7?tab=ledger&account=aff')
    expect(await screen.findByRole('button', { name: '账户：邀请收益' })).toBeTruthy()
    expect(sent.at(-1)?.query.account).toBe('aff')
  })

  it('is the own one without an id', async () => {
    fakeFetch({ 'GET /api/user/self/ledger': ({ query }) => ledger(query) })
    await renderConsole(<LedgerTable />, '/topup')
    expect(await screen.findByText('request-39')).toBeTruthy()
    expect(screen.queryByRole('columnheader', { name: '操作人' })).toBeNull()
  })

  it('is read to its end for an export', async () => {
    const { rows, capped } = await readLedger(async (edge) =>
      ledger({ page_size: '15', ...(edge.before === undefined ? {} : { before: String(edge.before) }) }),
    )
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 40 }, (_, index) => 40 - index))
    expect(capped).toBe(false)
  })
})

it('shows keys masked, and offers nothing to reveal or change them', async () => {
  const token = {
    id: 3,
    user_id: 7,
    key: 'abc***xyz',
    status: 1,
    name: 'nightly',
    created_time: 5,
    accessed_time: 5,
    expired_time: -1,
    remain_quota: 0,
    unlimited_quota: true,
    model_limits_enabled: false,
    model_limits: '',
    allow_ips: '',
    used_quota: 0,
    group: '',
    DeletedAt: null,
  }
  fakeFetch({ 'GET /api/user/7/tokens': () => ({ items: [token], total: 1, page: 1, page_size: 10 }) })
  await renderConsole(<Tokens userId={7} />, '/user/7?tab=tokens')
  const row = (await screen.findByText('sk-abc***xyz')).closest('tr') ?? document.body
  // Its name leads to its page.
  expect(
    within(row)
      .queryAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['nightly'])
})

describe('usage', () => {
  it('is drawn by day and listed by model', async () => {
    const hour = Math.floor(Date.now() / 3_600_000) * 3600
    const used = { quota: 750_000, count: 12, tokens: 24_000 }
    fakeFetch({
      'GET /api/user/7/usage': () => ({
        hours: [{ at: hour, ...used }],
        models: [
          { model: 'gpt-4o', quota: 500_000, count: 4, tokens: 20_000 },
          { model: 'o3-mini', quota: 250_000, count: 8, tokens: 4000 },
        ],
        aborted: { count: 3, quota: 25_000 },
      }),
    })
    await renderConsole(<Usage userId={7} />, '/user/7?tab=usage')
    const chart = await screen.findByRole('img', { name: /^每日花费，最近 30 天，合计 \$1\.50/ })
    expect(screen.getByText('首字节前断开的请求').nextElementSibling?.textContent).toBe('$0.05 3')
    expect(chart.querySelectorAll('g')).toHaveLength(30)
    const table = screen.getByRole('table', { name: '按模型' })
    expect(within(table).getByRole('row', { name: /gpt-4o/ }).textContent).toBe('gpt-4o420k$1.0066.7%')
  })

  it('says why there is none while the dashboard is off', async () => {
    fakeFetch({ 'GET /api/user/7/usage': () => ({ hours: [], models: [], aborted: { count: 0, quota: 0 } }) })
    await renderConsole(<Usage userId={7} />, '/user/7?tab=usage')
    expect(await screen.findByText('最近 30 天没有用量')).toBeTruthy()
    expect(screen.getByText(/数据看板已关闭/)).toBeTruthy()
  })
})

describe('sessions', () => {
  const session = {
    created_time: 1_800_000_000,
    last_seen_time: 1_800_000_100,
    expires_time: 1_900_000_000,
    ip: '192.0.2.9',
    user_agent: 'A browser',
  }
  const user = { id: 7, username: 'alice' } as User

  it('are ended after a confirmation, and a refusal is shown', async () => {
    const sent = fakeFetch({
      'GET /api/user/7/sessions': () => ({ items: [session], total: 1, page: 1, page_size: 10 }),
      'DELETE /api/user/7/sessions': () => refused('无权获取同级或更高等级用户的信息'),
    })
    await renderConsole(<Sessions user={user} />, '/user/7?tab=sessions')
    expect(await screen.findByText('192.0.2.9')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: '退出所有会话' }))
    const dialog = await screen.findByRole('dialog')
    expect(dialog.textContent).toContain('alice')
    await userEvent.click(within(dialog).getByRole('button', { name: '退出所有会话' }))
    expect(await screen.findByText(/无权获取同级或更高等级用户的信息/)).toBeTruthy()
    expect(sent.filter(({ method }) => method === 'DELETE')).toHaveLength(1)
  })
})
