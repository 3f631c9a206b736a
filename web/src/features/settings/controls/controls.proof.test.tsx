import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { setLanguage } from '../../../lib/i18n.ts'
import { box, changed, group, open, press, userEvent } from '../testing-settings.tsx'

beforeEach(() => {
  setLanguage('zh')
})

describe('each kind of control', () => {
  it('a switch saves true or false', async () => {
    const { saves } = await open('/setting?tab=operation')
    await userEvent.click(box('DisplayInCurrencyEnabled'))
    await press('保存：通用设置')
    await screen.findByText('保存成功')
    expect(saves()).toEqual([changed({ key: 'DisplayInCurrencyEnabled', value: 'false', was: 'true' })])
  })

  it('a number says its bounds when it is left, and does not save beyond them', async () => {
    const { saves } = await open('/setting?tab=operation')
    const field = box('DataExportInterval')
    await userEvent.clear(field)
    await userEvent.type(field, '0')
    await userEvent.tab()
    expect(await screen.findByText('整数，1 到 1440')).toBeTruthy()
    await press('保存：数据看板设置')
    expect(saves()).toEqual([])
    await userEvent.clear(field)
    await userEvent.type(field, '15')
    await press('保存：数据看板设置')
    await screen.findByText('保存成功')
    expect(saves()).toEqual([changed({ key: 'DataExportInterval', value: '15', was: '5' })])
  })

  it('a decimal keeps its digits', async () => {
    const { saves } = await open('/setting?tab=models')
    const field = box('claude.thinking_adapter_budget_tokens_percentage')
    await userEvent.clear(field)
    await userEvent.type(field, '0.65')
    await press('保存：Claude 设置')
    await screen.findByText('保存成功')
    expect(saves()).toEqual([
      changed({ key: 'claude.thinking_adapter_budget_tokens_percentage', value: '0.65', was: '0.8' }),
    ])
  })

  it('an amount of quota shows what it is worth', async () => {
    await open('/setting?tab=operation', { values: { QuotaForNewUser: '250000' } })
    expect(screen.getByText(/折合 \$0\.50/)).toBeTruthy()
  })

  it('an address is refused when it is none', async () => {
    const { saves } = await open('/setting?tab=system')
    await userEvent.type(box('ServerAddress'), 'gate.example')
    await press('保存：服务器设置')
    expect(await screen.findByText('留空，或以 http:// 或 https:// 开头的 URL')).toBeTruthy()
    expect(saves()).toEqual([])
  })

  it('a list is one entry per line, a tag list one entry per tag', async () => {
    const { saves } = await open('/setting?tab=operation')
    await userEvent.type(box('SensitiveWords'), '{enter}another')
    await press('保存：屏蔽词过滤设置')
    await screen.findByText('保存成功')
    expect(saves()).toEqual([
      changed({ key: 'SensitiveWords', value: 'test_sensitive\nanother', was: 'test_sensitive' }),
    ])
  })

  it('tags are joined by commas', async () => {
    const { saves } = await open('/setting?tab=system', { values: { EmailDomainWhitelist: 'gmail.com' } })
    await userEvent.type(box('EmailDomainWhitelist'), 'example.com{enter}')
    await press('保存：配置邮箱域名白名单')
    await screen.findByText('保存成功')
    expect(saves()).toEqual([
      changed({ key: 'EmailDomainWhitelist', value: 'gmail.com,example.com', was: 'gmail.com' }),
    ])
  })

  it('a choice offers its values by name', async () => {
    const { saves } = await open('/setting?tab=operation')
    await userEvent.selectOptions(box('DataExportDefaultTime'), '周')
    await press('保存：数据看板设置')
    await screen.findByText('保存成功')
    expect(saves()).toEqual([changed({ key: 'DataExportDefaultTime', value: 'week', was: 'hour' })])
  })

  it('a long text shows a cleaned preview while it is typed', async () => {
    await open('/setting?tab=other', { values: { Footer: '<b>Footer</b><script>alert(1)</script>' } })
    const preview = screen.getByRole('region', { name: '预览: 页脚' })
    await waitFor(() => expect(within(preview).getByText('Footer').tagName).toBe('B'))
    expect(preview.querySelector('script')).toBeNull()
  })

  it('groups are rows of name and ratio', async () => {
    const { saves } = await open('/setting?tab=operation', { values: { GroupRatio: '{\n  "default": 1\n}' } })
    const rows = within(group('GroupRatio'))
    await userEvent.click(rows.getByText('添加一行'))
    await userEvent.type(rows.getByLabelText('第 2 行名称'), 'vip')
    await userEvent.type(rows.getByLabelText('第 2 行内容'), '0.5')
    await press('保存：分组设置')
    await userEvent.click(await screen.findByRole('button', { name: '确认保存' }))
    await screen.findByText('保存成功')
    expect(saves()).toEqual([
      changed({ key: 'GroupRatio', value: '{\n  "default": 1,\n  "vip": 0.5\n}', was: '{\n  "default": 1\n}' }),
    ])
  })

  it('a group named twice is not saved', async () => {
    const { saves } = await open('/setting?tab=operation', {
      values: { GroupRatio: '{\n  "default": 1,\n  "vip": 1\n}' },
    })
    const rows = within(group('GroupRatio'))
    await userEvent.clear(rows.getByLabelText('第 2 行名称'))
    await userEvent.type(rows.getByLabelText('第 2 行名称'), 'default')
    await press('保存：分组设置')
    expect(await screen.findByText('第 3 行：default 重复')).toBeTruthy()
    expect(saves()).toEqual([])
  })
})

describe('JSON', () => {
  const field = () => box('gemini.safety_settings')
  const replace = async (text: string) => {
    await userEvent.clear(field())
    await userEvent.click(field())
    await userEvent.paste(text)
  }

  it('is checked when it is left, and names the line', async () => {
    await open('/setting?tab=models')
    await replace('{\n  "default": "OFF",\n}')
    expect(screen.queryByText(/JSON 有误/)).toBeNull()
    await userEvent.tab()
    expect(await screen.findByText(/JSON 有误：第 3 行/)).toBeTruthy()
  })

  it('is not saved while it is none', async () => {
    const { saves } = await open('/setting?tab=models')
    await replace('{')
    await press('保存：Gemini 设置')
    expect(await screen.findByText('请检查输入')).toBeTruthy()
    expect(saves()).toEqual([])
  })

  it('says which line holds what is not allowed', async () => {
    await open('/setting?tab=models')
    await replace('{\n  "default": "OFF",\n  "X": "not upper"\n}')
    await userEvent.tab()
    expect(await screen.findByText(/^第 3 行，X: /)).toBeTruthy()
  })

  it('that only looks different is no change', async () => {
    const { saves } = await open('/setting?tab=models')
    await replace('{"default":"OFF","HARM_CATEGORY_CIVIC_INTEGRITY":"BLOCK_NONE"}')
    await press('保存：Gemini 设置')
    expect(await screen.findByText('你似乎并没有修改什么')).toBeTruthy()
    expect(saves()).toEqual([])
  })
})

describe('secrets', () => {
  it('say that one is stored, and stay when the field is left empty', async () => {
    const { saves } = await open('/setting?tab=system', { secrets: ['SMTPToken'] })
    const input = box('SMTPToken')
    expect(input.value).toBe('')
    expect(within(document.getElementById('option-SMTPToken') as HTMLElement).getByText('已保存')).toBeTruthy()
    await userEvent.type(box('SMTPAccount'), 'me@example.com')
    await press('保存：配置 SMTP')
    await screen.findByText('保存成功')
    expect(saves()).toEqual([changed({ key: 'SMTPAccount', value: 'me@example.com', was: '' })])
  })

  it('are replaced by typing and removed by an act of its own', async () => {
    const { saves } = await open('/setting?tab=system', { secrets: ['SMTPToken', 'EpayKey'] })
    await userEvent.type(box('SMTPToken'), 'hunter2')
    const mail = screen.getByRole('list', { name: '修改内容：配置 SMTP' })
    expect(mail.textContent).toContain('已更换')
    expect(mail.textContent).not.toContain('hunter2')
    const key = document.getElementById('option-EpayKey') as HTMLElement
    await userEvent.click(within(key).getByRole('button', { name: '清除已保存的值' }))
    await press('全部保存')
    await screen.findByText('保存成功')
    expect(saves()).toEqual([changed({ key: 'EpayKey', value: '' }), changed({ key: 'SMTPToken', value: 'hunter2' })])
    await waitFor(() => expect(within(key).getByText('未设置')).toBeTruthy())
  })
})
