import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { chatAddress, readChatLinks } from '../../lib/chat-links.ts'
import type { Token } from '../../lib/contract.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { fakeFetch, refused } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { usedShare } from './columns.tsx'
import { printExpiry, readExpiry } from './expiry.ts'
import { bodyOf, nameOfCopy, newToken, randomSuffix, tokenRules } from './fields.ts'
import { useTokenWords } from './messages.ts'
import { TokensScreen } from './screen.tsx'
import { siteAddress, snippet } from './snippets.ts'

const { say } = useTokenWords

beforeEach(() => setLanguage('zh'))

const token = (given: Partial<Token> = {}): Token => ({
  id: 1,
  user_id: 7,
  key: 'abc***xyz',
  status: 1,
  name: 'production',
  created_time: 1_763_600_000,
  accessed_time: 0,
  expired_time: -1,
  remain_quota: 500_000,
  unlimited_quota: false,
  model_limits_enabled: false,
  model_limits: '',
  allow_ips: '',
  used_quota: 0,
  group: '',
  DeletedAt: null,
  ...given,
})

describe('expiry', () => {
  it('reads what it prints', () => {
    const time = Math.floor(new Date(2026, 1, 28, 23, 59, 58).getTime() / 1000)
    expect(printExpiry(time)).toBe('2026-02-28 23:59:58')
    expect(readExpiry(printExpiry(time))).toBe(time)
  })

  it.each(['-1', '', '  '])('takes %j as never', (text) => expect(readExpiry(text)).toBe(-1))

  it.each(['tomorrow', '2026-02-30 00:00:00', '2026-13-01 00:00:00', '2026-01-01 24:00:00', '2026-01-01 10:61:00'])(
    'refuses %j',
    (text) => expect(readExpiry(text)).toBeUndefined(),
  )
})

describe('the form', () => {
  const rules = tokenRules(say, true)

  it('speaks in the words of the mission', () => {
    expect(rules.expiry('nonsense', newToken)).toBe('过期时间格式错误！')
    expect(rules.count(0, newToken)).toBe('数量必须是正整数！')
    expect(rules.name('', newToken)).toBe('请输入名称')
    expect(rules.name('十一个汉字的名称太长了', newToken)).toBe('名称过长，最多 30 个字节')
    expect(rules.models([], { ...newToken, limited: true })).not.toBeNull()
    expect(rules.models([], newToken)).toBeNull()
  })

  it('starts a key with 500000 units that never expires', () => {
    expect(bodyOf({ ...newToken, name: ' a ' })).toMatchObject({ name: 'a', remain_quota: 500_000, expired_time: -1 })
  })

  it('gives every key but the first a suffix of six letters and digits', () => {
    expect(nameOfCopy('ci', 0)).toBe('ci')
    expect(nameOfCopy('ci', 1)).toMatch(/^ci-[A-Za-z0-9]{6}$/)
    expect(randomSuffix()).not.toBe(randomSuffix())
  })
})

it('writes a first call for the site as clients reach it', () => {
  const address = siteAddress('https://api.example.com/', 'http://localhost')
  const code = snippet('curl', { address, key: 'sk-1', model: 'gpt-4o', ask: "it's" })
  expect(code).toContain('https://api.example.com/v1/chat/completions')
  expect(code).toContain(`it'\\''s`)
  expect(siteAddress('', 'http://localhost:3000')).toBe('http://localhost:3000')
})

it('measures the limit bar by what a key ever had', () => {
  expect(usedShare({ used_quota: 75, remain_quota: 25 })).toBe(0.75)
  expect(usedShare({ used_quota: 0, remain_quota: 0 })).toBe(0)
})

it('fills address and key into a chat link, and refuses a broken list', () => {
  expect(chatAddress('x://?u={address}&k={key}', 'https://a.b', 'sk-1')).toBe('x://?u=https%3A%2F%2Fa.b&k=sk-1')
  expect(readChatLinks([{ A: 'x' }, 'broken'])).toBeUndefined()
  expect(readChatLinks([{ A: 'x' }])).toEqual([{ name: 'A', link: 'x' }])
})

const answers = {
  'GET /api/user/models': () => ['gpt-4o'],
  'GET /api/user/self/groups': () => ({ vip: { desc: 'VIP', ratio: 2 } }),
  'GET /api/token/browse': () => ({ items: [token()], total: 1, page: 1, page_size: 10 }),
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

  it('asks to select a key before copying', async () => {
    fakeFetch(answers)
    await renderConsole(<TokensScreen />, '/token')
    await screen.findByText('production')
    await userEvent.click(screen.getByRole('button', { name: '复制所选令牌到剪贴板' }))
    expect(await screen.findByText('请至少选择一个令牌！')).toBeTruthy()
  })

  it('shows new keys with a snippet, and where it stopped when one could not be made', async () => {
    let made = 0
    fakeFetch({
      ...answers,
      'POST /api/token/': ({ body }) => {
        made += 1
        const { name } = body as { name: string }
        return made > 2 ? refused('太多了') : token({ id: made, name, key: `key${made}` })
      },
    })
    await renderConsole(<TokensScreen />, '/token?add=1')
    const form = await screen.findByRole('dialog')
    await userEvent.type(within(form).getByLabelText(/^名称/), 'ci')
    await userEvent.click(within(form).getByRole('button', { name: '10个' }))
    await userEvent.click(within(form).getByRole('button', { name: '提交' }))
    expect(await screen.findByText('sk-key1')).toBeTruthy()
    expect(screen.getByText('sk-key2')).toBeTruthy()
    expect(screen.getByText('第 3 个令牌创建失败，已停止：太多了')).toBeTruthy()
    expect(screen.getByText(/curl .*\/v1\/chat\/completions/)).toBeTruthy()
    expect(made).toBe(3)
  })

  it('keeps what was typed when saving is refused', async () => {
    fakeFetch({ ...answers, 'POST /api/token/': () => refused('名称已存在') })
    await renderConsole(<TokensScreen />, '/token?add=1')
    const form = await screen.findByRole('dialog')
    await userEvent.type(within(form).getByLabelText(/^名称/), 'ci')
    await userEvent.click(within(form).getByRole('button', { name: '提交' }))
    expect(await within(form).findByText('名称已存在')).toBeTruthy()
    expect(within(form).getByLabelText<HTMLInputElement>(/^名称/).value).toBe('ci')
  })
})
