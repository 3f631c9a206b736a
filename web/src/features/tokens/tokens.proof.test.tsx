import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { setLanguage } from '../../lib/i18n.ts'
import { fakeFetch, refused } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { readExpiry } from './fields.ts'
import { TokensScreen } from './screen.tsx'
import { testToken } from './testing-token.ts'

beforeEach(() => setLanguage('zh'))

const answers = {
  'GET /api/user/models': () => ['gpt-4o'],
  'GET /api/user/self/groups': () => ({ vip: { desc: 'VIP', ratio: 2 } }),
  'GET /api/token/browse': () => ({ items: [testToken()], total: 1, page: 1, page_size: 10 }),
}

describe('the screen', () => {
  it('shows masked keys and reveals one by a call of its own', async () => {
    const sent = fakeFetch({ ...answers, 'POST /api/token/1/key': () => ({ key: 'abcdefxyz' }) })
    await renderConsole(<TokensScreen />, '/token')
    expect(await screen.findByText('sk-abc***xyz')).toBeTruthy()
    expect(sent.some((call) => call.path.endsWith('/key'))).toBe(false)
    await userEvent.click(screen.getByRole('button', { name: '显示密钥' }))
    expect(await screen.findByText('sk-abcdefxyz')).toBeTruthy()
  })

  it('shows the recent spending of every key of the page with one call', async () => {
    const days = Array.from({ length: 14 }, (_, day) => 1_763_596_800 + day * 86_400)
    const spent = (...last: number[]) => [...new Array<number>(14 - last.length).fill(0), ...last]
    const sent = fakeFetch({
      ...answers,
      'GET /api/token/browse': () => ({
        items: [testToken(), testToken({ id: 2, name: 'spare' })],
        total: 2,
        page: 1,
        page_size: 10,
      }),
      'GET /api/token/usage': () => ({
        days,
        tokens: [{ id: 1, quota: spent(1_000_000, 500_000), count: spent(3, 1) }],
      }),
      'GET /api/token/1': () => testToken({ expired_time: Math.floor(Date.now() / 1000) + 2 * 86_400 }),
    })
    await renderConsole(<TokensScreen />, '/token')
    expect(await screen.findByRole('img', { name: /^近 14 天每日花费，最高 .*：\$2\.00$/ })).toBeTruthy()
    expect(screen.getByText('$3.00')).toBeTruthy()
    expect(screen.getByRole('img', { name: '近 14 天没有花费' })).toBeTruthy()
    const requests = sent.filter(({ path }) => path === '/api/token/usage')
    expect(requests.map(({ query }) => query.ids)).toEqual(['1,2'])
    await userEvent.click(screen.getByRole('button', { name: 'production 的操作' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: '编辑' }))
    const sheet = within(await screen.findByRole('region', { name: '使用情况' }))
    expect(await sheet.findByText('4 次调用')).toBeTruthy()
    expect(sheet.getByText(/此令牌将在 .* 过期/)).toBeTruthy()
  })

  it('gives all that match a group, or that of their owner', async () => {
    const sent = fakeFetch({
      ...answers,
      'GET /api/token/browse': () => ({ items: [testToken()], total: 40, page: 1, page_size: 10 }),
      'POST /api/token/batch/run': () => ({
        done: 39,
        failed: [{ id: 1, name: 'one', reason: '无权使用' }],
        before: [],
        next: null,
      }),
    })
    await renderConsole(<TokensScreen />, '/token?keyword=many')
    await userEvent.click(await screen.findByRole('checkbox', { name: '选择本页全部' }))
    await userEvent.click(screen.getByRole('button', { name: '选择匹配的全部 40 条' }))
    await userEvent.click(screen.getByRole('button', { name: '设置分组' }))
    await userEvent.click(await screen.findByRole('button', { name: '应用' }))
    expect(await screen.findByText('请选择分组')).toBeTruthy()
    await userEvent.click(screen.getByRole('radio', { name: '用户分组' }))
    await userEvent.click(screen.getByRole('button', { name: '应用' }))
    expect(await screen.findByText('无权使用')).toBeTruthy()
    expect(sent.find(({ path }) => path === '/api/token/batch/run')?.body).toEqual({
      which: { filter: { keyword: 'many' } },
      act: { kind: 'group', group: '' },
    })
  })

  it('asks to select a key before copying', async () => {
    fakeFetch(answers)
    await renderConsole(<TokensScreen />, '/token')
    await screen.findByText('production')
    await userEvent.click(screen.getByRole('button', { name: '复制所选令牌到剪贴板' }))
    expect(await screen.findByText('请至少选择一个令牌！')).toBeTruthy()
  })

  it('makes several with one call and shows them with a first call to paste', async () => {
    const sent = fakeFetch({
      ...answers,
      'POST /api/token/batch/create': () => [
        testToken({ id: 1, key: 'key1' }),
        testToken({ id: 2, key: 'key2', name: 'ci-2' }),
      ],
    })
    await renderConsole(<TokensScreen />, '/token?add=1')
    const form = await screen.findByRole('dialog')
    await userEvent.type(within(form).getByLabelText(/^名称/), 'ci')
    await userEvent.click(within(form).getByRole('button', { name: '10 个' }))
    await userEvent.click(within(form).getByRole('button', { name: '保存' }))
    expect(await screen.findByText('sk-key1')).toBeTruthy()
    expect(screen.getByText('sk-key2')).toBeTruthy()
    const code = (pattern: RegExp) =>
      screen.findByText((_, element) => element?.tagName === 'CODE' && pattern.test(element.textContent ?? ''))
    await code(/curl .*\/v1\/chat\/completions/)
    await userEvent.click(screen.getByText('Anthropic'))
    await code(/curl .*\/v1\/messages/)
    expect(sent.find(({ method }) => method === 'POST')?.body).toMatchObject({
      name: 'ci',
      count: 10,
      remain_quota: 500_000,
      expired_time: -1,
    })
  })

  it('takes an amount of money, fills quota and expiry in by one click, and asks for no quota of an unlimited key', async () => {
    fakeFetch(answers)
    await renderConsole(<TokensScreen />, '/token?add=1')
    const form = await screen.findByRole('dialog')
    const press = (name: string) => userEvent.click(within(form).getByRole('button', { name }))
    const quota = within(form).getByLabelText<HTMLInputElement>('额度')
    expect(quota.disabled).toBe(true)
    await userEvent.click(within(form).getByLabelText('无限额度'))
    const amounts: string[] = []
    for (const preset of ['$1.00', '$10.00', '$50.00', '$100.00', '$500.00', '$1,000.00']) {
      await press(preset)
      amounts.push(quota.value)
    }
    expect(amounts).toEqual(['$1', '$10', '$50', '$100', '$500', '$1,000'])
    await userEvent.clear(quota)
    await userEvent.type(quota, '0.05')
    expect(quota.value).toBe('$0.05')
    expect(within(form).queryByText(/25,000/)).toBeNull()
    const expiry = within(form).getByRole<HTMLInputElement>('textbox', { name: '过期时间' })
    const hours = async (name: string): Promise<number> => {
      await press(name)
      return Math.round(((readExpiry(expiry.value) ?? 0) - Date.now() / 1000) / 3600)
    }
    expect([await hours('一小时'), await hours('一天'), await hours('一个月')]).toEqual([1, 24, 720])
    await press('永不过期')
    expect(readExpiry(expiry.value)).toBe(-1)
    expect(
      within(form)
        .getAllByRole('button', { name: /^\d+ 个$/ })
        .map(({ textContent }) => textContent),
    ).toEqual(['1 个', '10 个', '20 个', '30 个', '100 个'])
    await userEvent.click(within(form).getByLabelText('无限额度'))
    expect(quota.disabled).toBe(true)
  })

  it('says that a form must not be sent twice', async () => {
    let answer = (_: unknown): void => undefined
    fakeFetch({
      ...answers,
      'POST /api/token/': () => new Promise((resolve) => (answer = resolve)),
    })
    await renderConsole(<TokensScreen />, '/token?add=1')
    const form = await screen.findByRole('dialog')
    await userEvent.type(within(form).getByLabelText(/^名称/), 'ci')
    await userEvent.click(within(form).getByRole('button', { name: '保存' }))
    await userEvent.keyboard('{Control>}{Enter}{/Control}')
    expect(await screen.findByText('提交失败，请勿重复提交！')).toBeTruthy()
    answer(testToken())
    expect(await screen.findByText('令牌已创建')).toBeTruthy()
  })

  const menu = async (entry: string): Promise<void> => {
    await screen.findByText('production')
    await userEvent.click(screen.getByRole('button', { name: 'production 的操作' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: entry }))
  }

  it('shows how to use a key, which stays masked until it is asked for', async () => {
    const sent = fakeFetch({ ...answers, 'POST /api/token/1/key': () => ({ key: 'abcdefxyz' }) })
    await renderConsole(<TokensScreen />, '/token')
    await menu('使用方法')
    const sheet = await screen.findByRole('dialog')
    expect(within(sheet).getByText(/Bearer sk-abc\*\*\*xyz/)).toBeTruthy()
    expect(sent.some(({ path }) => path.endsWith('/key'))).toBe(false)
    await userEvent.click(within(sheet).getByRole('button', { name: '显示密钥' }))
    expect(await within(sheet).findByText(/Bearer sk-abcdefxyz/)).toBeTruthy()
  })

  it('replaces a key after a question and shows the new one', async () => {
    fakeFetch({ ...answers, 'POST /api/token/1/rotate': () => testToken({ key: 'brandnew' }) })
    await renderConsole(<TokensScreen />, '/token')
    await menu('更换密钥')
    await userEvent.click(await screen.findByRole('button', { name: '更换密钥' }))
    expect(await screen.findByText('sk-brandnew')).toBeTruthy()
    expect(screen.getByText('密钥已更换')).toBeTruthy()
  })

  it('shows a key no longer that was shown and then replaced', async () => {
    let kept = testToken()
    fakeFetch({
      ...answers,
      'GET /api/token/browse': () => ({ items: [kept], total: 1, page: 1, page_size: 10 }),
      'POST /api/token/1/key': () => ({ key: 'abcdefxyz' }),
      'POST /api/token/1/rotate': () => {
        kept = testToken({ key: 'new***key' })
        return testToken({ key: 'newbrandkey' })
      },
    })
    await renderConsole(<TokensScreen />, '/token')
    await userEvent.click(await screen.findByRole('button', { name: '显示密钥' }))
    expect(await screen.findByText('sk-abcdefxyz')).toBeTruthy()
    await menu('更换密钥')
    await userEvent.click(await screen.findByRole('button', { name: '更换密钥' }))
    expect(await screen.findByText('sk-new***key')).toBeTruthy()
    expect(screen.queryByText('sk-abcdefxyz')).toBeNull()
  })

  it('copies, switches and deletes what is selected, each with one call, and takes a delete back', async () => {
    const user = userEvent.setup()
    const writeText = vi.spyOn(navigator.clipboard, 'writeText')
    const two = [testToken(), testToken({ id: 2, name: 'spare' })]
    const sent = fakeFetch({
      ...answers,
      'GET /api/token/browse': () => ({ items: two, total: 2, page: 1, page_size: 10 }),
      'POST /api/token/keys': () => two.map(({ id, name }) => ({ id, name, key: `key${id}` })),
      'POST /api/token/batch/run': ({ body }) => {
        const { which, act } = body as { which: { ids: number[] }; act: { kind: string } }
        const before = which.ids.map((id) => ({ id, value: act.kind === 'status' ? 2 : null }))
        return { done: before.length, failed: [], before, next: null }
      },
    })
    await renderConsole(<TokensScreen />, '/token')
    await screen.findByText('production')
    const selectAll = () => user.click(screen.getByRole('checkbox', { name: '选择本页全部' }))
    await selectAll()
    await user.click(screen.getByRole('button', { name: '复制所选令牌到剪贴板' }))
    await vi.waitFor(() => expect(writeText).toHaveBeenCalledWith('production    sk-key1\nspare    sk-key2'))
    await user.click(screen.getByRole('button', { name: '启用' }))
    expect(await screen.findByText('已启用 2 个令牌')).toBeTruthy()
    await selectAll()
    await user.click(screen.getByRole('button', { name: '删除' }))
    await user.click(await screen.findByRole('button', { name: '删除令牌' }))
    const said = (await screen.findByText('已删除 2 个令牌')).closest<HTMLElement>('[role="status"]')
    await user.click(within(said ?? document.body).getByRole('button', { name: '撤销' }))
    expect(await screen.findByText('已恢复 2 个令牌')).toBeTruthy()
    const runs = sent.filter(({ path }) => path === '/api/token/batch/run').map(({ body }) => body)
    const which = { ids: [1, 2] }
    expect(runs).toEqual([
      { which, act: { kind: 'status', status: 1 } },
      { which, act: { kind: 'delete' } },
      { which, act: { kind: 'restore' } },
    ])
  })

  it('keeps what was typed when saving is refused', async () => {
    fakeFetch({ ...answers, 'POST /api/token/': () => refused('名称已存在') })
    await renderConsole(<TokensScreen />, '/token?add=1')
    const form = await screen.findByRole('dialog')
    await userEvent.type(within(form).getByLabelText(/^名称/), 'ci')
    await userEvent.click(within(form).getByRole('button', { name: '保存' }))
    expect(await within(form).findByText('名称已存在')).toBeTruthy()
    expect(within(form).getByLabelText<HTMLInputElement>(/^名称/).value).toBe('ci')
  })
})
