import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Redemption } from '#web/lib/api/contract.ts'
import { storeUser } from '#web/lib/api/session.ts'
import { setLanguage } from '#web/lib/i18n.ts'
import { fakeFetch, refused } from '#web/test/fake-fetch.ts'
import { renderConsole } from '#web/test/render-console.tsx'
import { nameOr, newRedemption, printExpiry, readExpiry, redemptionRules } from './fields.ts'
import { useRedemptionMessages } from './messages.ts'
import { RedemptionsScreen } from './screen.tsx'
import { isExpired } from './status.tsx'

const { say } = useRedemptionMessages

beforeEach(() => {
  setLanguage('zh')
  storeUser({ id: 1, username: 'root', display_name: '', role: 100, status: 1, group: '' })
})

const code = (fields: Partial<Redemption> = {}): Redemption => ({
  id: 1,
  user_id: 1,
  creator: 'root',
  key: 'abcd****wxyz',
  status: 1,
  name: 'gift',
  quota: 500_000,
  created_time: 1_763_600_000,
  redeemed_time: 0,
  used_user_id: 0,
  used_username: '',
  expired_time: 0,
  batch_id: 'batch00001',
  count: 0,
  DeletedAt: null,
  ...fields,
})

const used = code({
  id: 2,
  name: 'spent',
  status: 3,
  used_user_id: 7,
  used_username: 'alice',
  redeemed_time: 1_763_700_000,
})
const answers = (...codes: Redemption[]) => ({
  'GET /api/redemption/search': () => ({ items: codes, total: codes.length, page: 1, page_size: 10 }),
})

describe('the form', () => {
  const rules = redemptionRules(say, { creating: true })

  it('starts with one code of 100000 units', () => {
    expect(newRedemption).toMatchObject({ quota: 100_000, count: 1, name: '' })
  })

  it('checks what it is given', () => {
    expect(rules.name('')).toBeNull()
    expect(rules.name('额'.repeat(20))).toBeNull()
    expect(rules.name('额'.repeat(21))).toBe('名称最多 20 个字符')
    expect(redemptionRules(say, { creating: false }).name(' ')).toBe('请输入名称')
    expect(rules.quota(0)).toBe('金额必须大于 0')
    expect([0, 1, 100, 101].map((count) => rules.count(count) === null)).toEqual([false, true, true, false])
    expect(rules.expiry('2020-01-01T00:00')).toBe('过期时间不能早于当前时间')
    expect(rules.expiry('')).toBeNull()
  })

  it('names codes after their quota where the form has no name', () => {
    expect(nameOr('  ', '$0.20')).toBe('$0.20')
    expect(nameOr(' mine ', '$0.20')).toBe('mine')
  })

  it('reads the expiry that it prints', () => {
    const time = Math.floor(new Date(2027, 1, 28, 23, 59).getTime() / 1000)
    expect(printExpiry(time)).toBe('2027-02-28 23:59')
    expect(readExpiry(printExpiry(time))).toBe(time)
    expect([printExpiry(0), readExpiry('')]).toEqual(['', 0])
  })
})

it('takes only unused codes past their time for expired', () => {
  expect(isExpired(code({ expired_time: 100 }), 100)).toBe(true)
  expect(isExpired(code({ expired_time: 101 }), 100)).toBe(false)
  expect(isExpired(code({ expired_time: 0 }), 100)).toBe(false)
  expect(isExpired(code({ status: 3, expired_time: 1 }), 100)).toBe(false)
})

describe('the screen', () => {
  it('shows masked codes and reveals one by a call of its own', async () => {
    const sent = fakeFetch({
      ...answers(code()),
      'POST /api/redemption/keys': () => [{ id: 1, name: 'gift', key: 'f'.repeat(32) }],
    })
    await renderConsole(<RedemptionsScreen />, '/redemption')
    expect(await screen.findByText('abcd****wxyz')).toBeTruthy()
    expect(sent.some(({ path }) => path.endsWith('/keys'))).toBe(false)
    await userEvent.click(screen.getByRole('button', { name: '查看' }))
    expect(await screen.findByText('f'.repeat(32))).toBeTruthy()
    expect(sent.find(({ path }) => path.endsWith('/keys'))?.body).toEqual({ ids: [1] })
  })

  it('copies the selected codes with their names, and asks to select one first', async () => {
    fakeFetch({
      ...answers(code(), used),
      'POST /api/redemption/keys': ({ body }) =>
        (body as { ids: number[] }).ids.map((id) => ({ id, name: `n${id}`, key: `k${id}` })),
    })
    await renderConsole(<RedemptionsScreen />, '/redemption')
    await screen.findByText('gift')
    const person = userEvent.setup()
    const copy = screen.getByRole('button', { name: '复制所选兑换码到剪贴板' })
    await person.click(copy)
    expect(await screen.findByText('请至少选择一个兑换码！')).toBeTruthy()
    await person.click(screen.getByLabelText('选择本页全部'))
    await person.click(copy)
    await vi.waitFor(async () => expect(await navigator.clipboard.readText()).toBe('n1    k1\nn2    k2'))
  })

  it('offers neither editing nor enabling of used codes', async () => {
    fakeFetch(answers(used))
    await renderConsole(<RedemptionsScreen />, '/redemption')
    await userEvent.click(await screen.findByRole('button', { name: 'spent #2 的操作' }))
    for (const name of ['编辑', '启用']) {
      const entry = await screen.findByRole('menuitem', { name })
      expect(entry.hasAttribute('disabled') || entry.getAttribute('data-disabled') === 'true').toBe(true)
    }
    expect(screen.getByRole('link', { name: 'alice' }).getAttribute('href')).toContain('/user/7')
  })

  it('makes codes named after their quota, and shows them for downloading', async () => {
    const sent = fakeFetch({ ...answers(), 'POST /api/redemption/': () => ['aaaa', 'bbbb'] })
    await renderConsole(<RedemptionsScreen />, '/redemption?add=1')
    const form = await screen.findByRole('dialog')
    await userEvent.clear(within(form).getByLabelText('生成数量'))
    await userEvent.type(within(form).getByLabelText('生成数量'), '2')
    await userEvent.click(within(form).getByRole('button', { name: '提交' }))
    expect(await screen.findByText('aaaa')).toBeTruthy()
    expect(screen.getByText('bbbb')).toBeTruthy()
    expect(screen.getByText('兑换码创建成功')).toBeTruthy()
    expect(sent.find(({ method }) => method === 'POST')?.body).toEqual({
      name: '$0.20',
      quota: 100_000,
      count: 2,
      expired_time: 0,
    })
  })

  it('keeps what was typed when the server refuses', async () => {
    fakeFetch({ ...answers(), 'POST /api/redemption/': () => refused('兑换码名称长度必须在1-20之间') })
    await renderConsole(<RedemptionsScreen />, '/redemption?add=1')
    const form = await screen.findByRole('dialog')
    await userEvent.type(within(form).getByLabelText('名称'), 'mine')
    await userEvent.click(within(form).getByRole('button', { name: '提交' }))
    expect(await within(form).findByText('兑换码名称长度必须在1-20之间')).toBeTruthy()
    expect(within(form).getByLabelText<HTMLInputElement>('名称').value).toBe('mine')
  })

  it('asks before it deletes, and says what went wrong with which code', async () => {
    fakeFetch({
      ...answers(code()),
      'POST /api/redemption/batch/run': () => ({
        done: 0,
        failed: [{ id: 1, name: 'gift', reason: '记录不存在' }],
        before: [],
        next: null,
      }),
    })
    await renderConsole(<RedemptionsScreen />, '/redemption')
    await userEvent.click(await screen.findByRole('button', { name: 'gift #1 的操作' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: '删除' }))
    const question = await screen.findByRole('dialog')
    expect(within(question).getByText('确定是否要删除此兑换码？')).toBeTruthy()
    await userEvent.click(within(question).getByRole('button', { name: '删除' }))
    const summary = await screen.findByRole('dialog', { name: '0 个成功，1 个失败' })
    expect(summary.textContent).toContain('gift 记录不存在')
  })
})
