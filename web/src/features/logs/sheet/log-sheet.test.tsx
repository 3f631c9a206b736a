import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
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

describe('the sheet of a call', () => {
  it('opens the row that the address names and moves with the arrow keys', async () => {
    signInAs(10)
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
      ...logAnswers,
      'GET /api/log/': () =>
        testPage([
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
    expect(within(sheet).getByRole('table', { name: '收据' }).textContent).toContain('$0.040000')
    await userEvent.keyboard('{ArrowRight}')
    expect(await screen.findByRole('dialog', { name: 'gpt-4o-mini' })).toBeTruthy()
    expect(router.state.location.search).toMatchObject({ request: 'req-2' })
  })

  it('names the program that made a call, and no row where it is not known', async () => {
    signInAs(1)
    fakeFetch({
      ...logAnswers,
      'GET /api/log/self': () =>
        testPage([
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
    signInAs(10)
    const cost = { quota: 10_000, version: 'genai-prices 0.1.8', factor: '0.85' }
    fakeFetch({
      ...logAnswers,
      'GET /api/log/': () =>
        testPage([
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

  it('says that the provider stated the cost, and what prices give where the two differ', async () => {
    signInAs(10)
    const stated = { amount: '0.5', by: 'cost', provider: 'openrouter', model: 'openai/gpt-5.4', computed: 2000 }
    const cost = { quota: 250_000, version: 'stated', factor: '1', stated, stated_gap: 248_000 }
    fakeFetch({
      ...logAnswers,
      'GET /api/log/': () =>
        testPage([testLog({ id: 1, request_id: 'req-1', quota: 300_000, other: { admin_info: { cost } } })]),
      'GET /api/log/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
    })
    await renderConsole(<LogsScreen />, '/log?request=req-1')
    expect(await screen.findByText('openrouter 给出的金额')).toBeTruthy()
    const { textContent } = screen.getByRole('dialog')
    expect(textContent).toContain('$0.500000')
    expect(textContent).toContain('按价格计算')
    expect(textContent).toContain('$0.004')
  })

  it('prices pictures by the picture', async () => {
    signInAs(10)
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
      ...logAnswers,
      'GET /api/log/': () => testPage([testLog({ id: 1, request_id: 'req-1', other: { receipt } })]),
      'GET /api/log/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
    })
    await renderConsole(<LogsScreen />, '/log?request=req-1')
    const shown = (await screen.findByRole('table', { name: '收据' })).textContent
    for (const text of ['图片', '每张单价', '$0.009', '$0.027000']) expect(shown).toContain(text)
  })

  it('shows what tools of the provider and its service tier cost', async () => {
    signInAs(10)
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
      ...logAnswers,
      'GET /api/log/': () =>
        testPage([
          testLog({ id: 1, request_id: 'req-1', other: { receipt, parameters: { temperature: 0.2, tools: 3 } } }),
        ]),
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
    signInAs(10)
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
      ...logAnswers,
      'GET /api/log/': () => testPage([testLog({ id: 1, request_id: 'req-1', other: { receipt } })]),
      'GET /api/log/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
    })
    await renderConsole(<LogsScreen />, '/log?request=req-1')
    expect((await screen.findByRole('note')).textContent).toBe(
      '上游返回的部分用量超出此请求的可能范围，未计费：输入 Token 400,000,000, 联网搜索 0.5。',
    )
  })

  it('shows administrators the user of a row', async () => {
    signInAs(10)
    fakeFetch({
      ...logAnswers,
      'GET /api/log/': () => testPage([testLog({ user_id: 9, username: 'bob' })]),
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
})

describe('a call with a deadline', () => {
  it('says how it was made and what that saved', async () => {
    signInAs(1)
    const lane = { lane: 'flex' as const, deadline: 1_796_083_200, standard: 100_000, saved: 50_000 }
    fakeFetch({
      ...logAnswers,
      'GET /api/log/self': () => testPage([testLog({ request_id: 'timed', other: { lane } })]),
      'GET /api/log/self/stat': () => ({ quota: 1, rpm: 2, tpm: 3 }),
    })
    await renderConsole(<LogsScreen />, '/log?request=timed')
    const sheet = await screen.findByRole('dialog')
    expect((await within(sheet).findByText(/Flex 层级/)).textContent).toMatch(/标准价.*\$0\.2.*节省.*\$0\.1/)
  })
})
