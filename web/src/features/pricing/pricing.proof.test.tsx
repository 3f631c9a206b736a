import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import type { PricingItem } from '../../lib/api/contract.ts'
import { storeUser } from '../../lib/api/session.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { fakeFetch, refused } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { formulaText } from './formula.ts'
import { pricesIn, printPrice } from './prices.ts'
import { PricingScreen } from './screen.tsx'
import { answerWith, byCall, item, open, rowOf, search, startAfresh } from './testing-pricing.tsx'

const namesShown = (): (string | null)[] =>
  screen.getAllByRole('row').flatMap((row) => row.querySelector('.mono')?.textContent ?? [])

beforeEach(startAfresh)

it('shows visitors prices of the default group, names that begin with gpt first', async () => {
  await open()
  const row = await rowOf('gpt-4o')
  expect(screen.getByText('未登录，显示默认分组的价格（倍率 1）')).toBeTruthy()
  expect(within(row).getByText('$2.50')).toBeTruthy()
  expect(within(row).getByText('$10.00')).toBeTruthy()
  expect(within(row).getByText('$1.25')).toBeTruthy()
  expect(row.textContent).toContain('按量计费')
  expect(namesShown()).toEqual(['gpt-4o', 'a-model', 'dall-e-3', 'only-vip', 'unset'])
  const drawn = await rowOf('dall-e-3')
  expect(drawn.textContent).toContain('按次计费')
  expect(within(drawn).getByText('$0.04 / 次')).toBeTruthy()
  expect(within(await rowOf('unset')).getByText('未定价')).toBeTruthy()
})

it('keeps the place of the cards while they load', async () => {
  fakeFetch({ 'GET /api/pricing': () => new Promise(() => {}) })
  const { container } = await renderConsole(<PricingScreen />, '/pricing')
  expect(container.querySelectorAll('ul[aria-hidden=true] > li')).toHaveLength(12)
  expect(screen.queryByRole('button', { name: /刷新|重试/ })).toBeNull()
})

it('says the own group of who is signed in, and shows the prices of another when it is chosen', async () => {
  storeUser({ id: 7, username: 'alice', display_name: '', role: 1, status: 1, group: 'vip' })
  const { router } = await open()
  await rowOf('gpt-4o')
  expect(screen.getByText('你的分组：vip，倍率 0.5')).toBeTruthy()
  expect(within(await rowOf('gpt-4o')).getByText('$5.00')).toBeTruthy()
  await userEvent.click(within(await rowOf('gpt-4o')).getByRole('button', { name: '查看分组 default 的价格' }))
  expect(await screen.findByText('当前查看的分组为：default，倍率为：1')).toBeTruthy()
  expect(within(await rowOf('gpt-4o')).getByText('$10.00')).toBeTruthy()
  expect(search(router)).toBe('?group=default')
  expect(within(await rowOf('only-vip')).getByText('不可用')).toBeTruthy()
  expect(within(await rowOf('gpt-4o')).queryByText('不可用')).toBeNull()
})

it('finds by name, kind of billing, group and vendor, and sorts by price with calls apart', async () => {
  const { router } = await open('/pricing?keyword=MODEL')
  await rowOf('a-model')
  expect(namesShown()).toEqual(['a-model'])
  const at = async (path: string): Promise<(string | null)[]> => {
    await router.navigate({ to: `${path}&view=table` as '/' })
    await waitFor(() => expect(search(router)).toBe(path.slice('/pricing'.length)))
    return namesShown()
  }
  await waitFor(async () => expect(await at('/pricing?type=call')).toEqual(['dall-e-3']))
  await waitFor(async () => expect(await at('/pricing?vendor=anthropic,custom')).toEqual(['a-model', 'only-vip']))
  await waitFor(async () => expect(await at('/pricing?in=default&type=usage')).toEqual(['gpt-4o', 'a-model', 'unset']))
  await waitFor(async () =>
    expect(await at('/pricing?sort=input')).toEqual(['a-model', 'gpt-4o', 'only-vip', 'dall-e-3', 'unset']),
  )
  // A model without a price comes last, whichever way is sorted.
  await waitFor(async () => expect((await at('/pricing?sort=-output')).at(-1)).toBe('unset'))
})

it('copies one name, or the selected ones', async () => {
  const user = userEvent.setup()
  const written = vi.spyOn(navigator.clipboard, 'writeText')
  await open()
  await rowOf('gpt-4o')
  await user.click(screen.getByRole('button', { name: '复制 gpt-4o' }))
  expect(written).toHaveBeenLastCalledWith('gpt-4o')
  await user.click(screen.getByRole('checkbox', { name: /gpt-4o/ }))
  await user.click(screen.getByRole('checkbox', { name: /only-vip/ }))
  await user.click(screen.getByRole('button', { name: '复制选中模型' }))
  expect(written).toHaveBeenLastCalledWith('gpt-4o,only-vip')
})

it('calculates through the server, for the size that is entered', async () => {
  const costs = [
    { group: 'default', group_ratio: 1, quota: 5000, quota_per_day: 5_000_000 },
    { group: 'vip', group_ratio: 0.5, quota: 2500, quota_per_day: 2_500_000 },
  ]
  const { sent } = await open('/pricing?calculate=gpt-4o&group=vip', { 'GET /api/pricing/estimate': () => costs })
  const table = await screen.findByRole('table', { name: '各分组费用' })
  expect(table.textContent).toContain('vip×0.5$0.005000$5.00$150.00')
  expect(screen.getByText(/\(2,000 \+ 500 × 4\) × 1\.25 × 0\.5 ÷ 500,000 = \$0\.005$/)).toBeTruthy()
  const cached = screen.getByLabelText('其中命中缓存')
  await userEvent.clear(cached)
  await userEvent.type(cached, '1500')
  await waitFor(() =>
    expect(sent.at(-1)?.query).toEqual({
      model: 'gpt-4o',
      prompt: '2000',
      cached: '1500',
      completion: '500',
      calls: '1000',
    }),
  )
  await userEvent.type(cached, '0')
  expect(await screen.findByText('不能超过输入 token 数')).toBeTruthy()
})

it('takes what is typed for another model, not for the rest of the name of this one', async () => {
  const { router } = await open('/pricing?calculate=gpt-4o', { 'GET /api/pricing/estimate': () => [] })
  const model = within(await screen.findByRole('dialog')).getByRole<HTMLInputElement>('combobox', { name: '模型名称' })
  await waitFor(() => expect(model.value).toBe('gpt-4o'))
  await userEvent.click(model)
  await userEvent.keyboard('only')
  expect(model.value).toBe('only')
  await userEvent.click(await screen.findByRole('option', { name: 'only-vip' }))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ calculate: 'only-vip' }))
})

it('leads the super admin, and nobody else, to the editor of a price', async () => {
  storeUser({ id: 1, username: 'root', display_name: '', role: 100, status: 1, group: 'default' })
  const { router, unmount } = await open()
  await rowOf('unset')
  await userEvent.click(screen.getByRole('button', { name: 'unset 的操作' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: '修改价格' }))
  await waitFor(() => expect(router.state.location.href).toBe('/setting?prices=unset&name=unset'))
  unmount()
  storeUser({ id: 7, username: 'alice', display_name: '', role: 10, status: 1, group: 'default' })
  await open()
  await rowOf('unset')
  await userEvent.click(screen.getByRole('button', { name: 'unset 的操作' }))
  await screen.findByRole('menuitem', { name: '计算费用' })
  expect(screen.queryByRole('menuitem', { name: '修改价格' })).toBeNull()
})

it('says why there is nothing, and how to try again', async () => {
  const { unmount } = await open('/pricing', { 'GET /api/pricing': answerWith([]) })
  expect(await screen.findByText('暂无可用模型')).toBeTruthy()
  unmount()
  await open('/pricing', { 'GET /api/pricing': () => refused('down') })
  expect(await screen.findByText('down')).toBeTruthy()
  expect(screen.getByRole('button', { name: '重试' })).toBeTruthy()
})

it('draws one page of a thousand models', async () => {
  const many = Array.from({ length: 1000 }, (_, index) => item(`model-${index}`))
  await open('/pricing', { 'GET /api/pricing': answerWith(many) })
  await rowOf('model-0')
  expect(namesShown()).toHaveLength(25)
  expect(screen.getByText(/1,000/)).toBeTruthy()
})

it('converts ratios to prices without drift', () => {
  const unit = { quotaPerUnit: 500_000, currency: true }
  const prices = (ratio: number, group: number, more: Partial<PricingItem> = {}) => {
    const found = pricesIn(item('m', { model_ratio: ratio, ...more }), group, unit)
    return [found.input, found.output, found.cached].map((price) => price && printPrice(price, unit, 12))
  }
  expect(prices(0.15, 1, { completion_ratio: 1 })).toEqual(['$0.30', '$0.30', '$0.15'])
  expect(prices(1.1, 1.1, { completion_ratio: 3, cache_ratio: 0.1 })).toEqual(['$2.42', '$7.26', '$0.242'])
  expect(prices(0.001, 1, { completion_ratio: 1 })).toEqual(['$0.002', '$0.002', '$0.001'])
  const units = { quotaPerUnit: 1000, currency: false }
  const call = pricesIn(item('m', byCall), 0.5, units).call
  expect(call && printPrice(call, units)).toBe('20')
})

it('writes the computation out as it is charged', () => {
  const size = { prompt: 1000, cached: 300, completion: 77 }
  const group = { ratio: 0.5, quotaPerUnit: 500_000, currency: false }
  expect(formulaText(item('m'), size, group)).toBe('(700 + 300 × 0.5 + 77 × 4) × 1.25 × 0.5')
  expect(formulaText(item('m', byCall), size, group)).toBe('0.04 × 500,000 × 0.5')
  expect(formulaText(item('m'), { prompt: 0, cached: 0, completion: 0 }, group)).toBe('(0) × 1.25 × 0.5')
  const inDollars = { ...group, currency: true }
  expect(formulaText(item('m'), size, inDollars)).toBe('(700 + 300 × 0.5 + 77 × 4) × 1.25 × 0.5 ÷ 500,000')
  expect(formulaText(item('m', byCall), size, inDollars)).toBe('$0.04 × 0.5')
})

it('speaks English', async () => {
  setLanguage('en')
  await open()
  expect((await rowOf('gpt-4o')).textContent).toContain('Per token')
  expect(screen.getByRole('heading', { name: 'Pricing' })).toBeTruthy()
})

it('shows the cost of tools and tiers in the chosen group', async () => {
  await open('/pricing?group=vip')
  await userEvent.click(await screen.findByRole('button', { name: '附加费用' }))
  const sheet = await screen.findByRole('dialog', { name: /附加费用/ })
  const rows = within(within(sheet).getByRole('table', { name: '工具' })).getAllByRole('row')
  expect(rows.map((row) => row.textContent)).toEqual([
    '工具模型名称每千次',
    'web_search其他模型$5.00',
    'web_searchgpt-4o*$12.50',
  ])
  expect(within(sheet).getByRole('table', { name: '服务层级' }).textContent).toContain('flexo3*×0.5')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
