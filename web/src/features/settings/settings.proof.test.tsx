import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { setLanguage } from '../../lib/i18n.ts'
import { type FakeAnswer, refused } from '../../test/fake-fetch.ts'
import { allSections, keysOf } from './registry.ts'
import { standardOf } from './saving/problem.ts'
import { box, button, open, press, userEvent } from './testing-settings.tsx'

beforeEach(() => {
  setLanguage('zh')
})

describe('the test mail', () => {
  const send = async (answer: FakeAnswer) => {
    const view = await open('/setting?tab=system', { answers: { 'POST /api/option/test_mail': answer } })
    await press('发送测试邮件')
    // Not in the whole page: to look for a label among all of its fields takes seconds.
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.type(await dialog.findByLabelText('收件邮箱'), 'me@example.com')
    await press('发送')
    return view
  }

  it('goes to the address that was given', async () => {
    const { sent } = await send(() => null)
    expect(await screen.findByText('测试邮件已发送')).toBeTruthy()
    expect(sent.find((call) => call.method === 'POST')?.body).toEqual({ to: 'me@example.com' })
  })

  it('shows the error of the mail server', async () => {
    await send(() => refused('535 authentication failed'))
    expect((await screen.findByRole('alert')).textContent).toBe('535 authentication failed')
  })

  it('waits until the mail settings are saved', async () => {
    await open('/setting?tab=system')
    await userEvent.type(box('SMTPAccount'), 'me')
    expect(button('发送测试邮件').disabled).toBe(true)
  })
})

describe('the essentials', () => {
  it('are the first card: options of several sections, with one button that saves them', async () => {
    const { saves } = await open('/setting')
    expect(document.querySelectorAll('[id^=option-]')).toHaveLength(8)
    await userEvent.clear(box('SystemName'))
    await userEvent.type(box('SystemName'), 'My gate')
    await userEvent.clear(box('RetryTimes'))
    await userEvent.type(box('RetryTimes'), '2')
    await press('保存：常用设置')
    await screen.findByText('保存成功')
    expect(saves().flatMap((body) => (body as { changes: unknown[] }).changes)).toEqual([
      { key: 'RetryTimes', value: '2', was: '0' },
      { key: 'SystemName', value: 'My gate', was: standardOf('SystemName') },
    ])
  })

  it('lead to prices, payment and mail, and leave what a role does not see', async () => {
    await open('/setting', { role: 10 })
    const links = within(screen.getByRole('navigation', { name: '其他常用设置' })).getAllByRole('link')
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      '/setting/prices',
      '/setting/payment',
      '/setting/mail',
    ])
    expect(screen.queryByText('保存：常用设置')).toBeNull()
  })
})

describe('the search', () => {
  it.each([
    ['sensitive words', '屏蔽词列表', 'sensitive-words'],
    ['SMTPServer', 'SMTP 服务器地址', 'mail'],
    ['安全设置', 'Gemini 安全设置', 'gemini'],
    ['stripe', '易支付商户 ID', 'payment'],
    ['epay', '易支付商户 ID', 'payment'],
    ['smtp', 'SMTP 服务器地址', 'mail'],
    ['alarm', '自动禁用关键词', 'monitoring'],
    ['matched against provider errors', '自动禁用关键词', 'monitoring'],
  ])('finds by %s and jumps to the field', async (words, label, section) => {
    const { router } = await open('/setting?tab=ratelimit')
    await userEvent.type(await screen.findByPlaceholderText('搜索配置项'), words)
    await userEvent.click(await screen.findByRole('option', { name: new RegExp(label) }))
    await waitFor(() => expect(router.state.location.pathname).toBe(`/setting/${section}`))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(label)))
  })

  it('says when nothing matches', async () => {
    await open('/setting?tab=operation')
    await userEvent.type(await screen.findByPlaceholderText('搜索配置项'), 'nothing like this')
    expect(await screen.findByText('没有符合的配置项')).toBeTruthy()
  })
})

describe('addresses', () => {
  it.each([
    ['/setting', '/setting/essentials'],
    ['/setting?tab=operation', '/setting/operation'],
    ['/setting?tab=system', '/setting/system'],
    ['/setting?prices=visual', '/setting/prices'],
    ['/setting?field=SMTPServer', '/setting/mail'],
  ])('%s leads to %s', async (old, now) => {
    const { router } = await open(old)
    await waitFor(() => expect(router.state.location.pathname).toBe(now))
    expect(router.state.location.search).not.toHaveProperty('tab')
  })

  it('of a section shows this section alone', async () => {
    await open('/setting/mail')
    expect(box('SMTPServer')).toBeTruthy()
    expect(document.getElementById('option-ServerAddress')).toBeNull()
  })
})

describe('the groups', () => {
  it.each(['operation', 'ratelimit', 'models', 'system', 'other'])('of %s draw every option of theirs', async (tab) => {
    await open(`/setting?tab=${tab}`)
    const keys = allSections.filter((section) => section.tab === tab).flatMap((section) => keysOf(section, 100))
    for (const key of keys) expect(document.getElementById(`option-${key}`), key).toBeTruthy()
  })

  it('show admins what they may see, without any way to change it', async () => {
    await open('/setting?tab=system', { role: 10 })
    expect(screen.getByText(/只有超级管理员可以修改/)).toBeTruthy()
    expect(document.getElementById('option-SMTPServer')).toBeNull()
    expect(document.getElementById('option-SMTPToken')).toBeNull()
    expect(box('PasswordLoginEnabled').disabled).toBe(true)
    expect(box('ServerAddress').readOnly).toBe(true)
    expect(screen.queryByRole('button', { name: /^保存/ })).toBeNull()
  })

  it('name a row of the database that is not in use', async () => {
    await open('/setting?tab=operation', { problems: { QuotaPerUnit: '数字，1 到 1000000000' } })
    expect(screen.getByText(/数据库中保存的值无效.*1 到 1000000000/)).toBeTruthy()
  })
})
