import { screen, waitFor, within } from '@testing-library/react'
import setUpUser, { PointerEventsCheckLevel } from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { setLanguage } from '../../lib/i18n.ts'
import { storeUser } from '../../lib/session.ts'
import { statusStore } from '../../lib/status.ts'
import { type FakeAnswer, fakeFetch, refused } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { allSections, keysOf, optionOf } from './registry.ts'
import { SettingsScreen } from './screen.tsx'

const userEvent = setUpUser.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never })
const person = (role: number) => ({ id: 1, username: 'root', display_name: '', role, status: 1, group: 'default' })
const plainKeys = allSections.flatMap((section) => keysOf(section, 100)).filter((key) => !optionOf(key).secret)

interface Given {
  role?: number
  values?: Readonly<Record<string, string>>
  problems?: Readonly<Record<string, string>>
  secrets?: readonly string[]
  answers?: Readonly<Record<string, FakeAnswer>>
  /** The server answers no more questions once something was saved. */
  awayAfterSaving?: boolean
}

const nothingChanges = {
  models: [],
  groups: [],
  tools: [],
  tiers: [],
  quota_per_unit: { before: 500_000, after: 500_000 },
  traffic: {
    basis: 'none',
    from: 0,
    to: 0,
    receipts: 0,
    without_receipt: 0,
    calls: 0,
    charged: 0,
    current: 0,
    proposed: 0,
    models: [],
  },
}

/** A server that keeps what it is sent, on the screen at `path`. */
const open = async (path: string, given: Given = {}) => {
  const role = given.role ?? 100
  storeUser(person(role))
  const values = new Map(plainKeys.map((key) => [key, optionOf(key).print(optionOf(key).fallback)]))
  const secrets = new Set(given.secrets)
  for (const [key, value] of Object.entries(given.values ?? {})) values.set(key, value)
  const list = () => {
    if (given.awayAfterSaving && sent.some(({ method }) => method === 'PUT')) return refused('数据库忙')
    return Response.json({
      success: true,
      message: '',
      data: [...values]
        .filter(([key]) => optionOf(key).see <= role)
        .map(([key, value]) => ({ key, value, ...(given.problems?.[key] ? { problem: given.problems[key] } : {}) })),
      stored_secrets: [...secrets],
    })
  }
  const keep: FakeAnswer = ({ body }) => {
    for (const { key, value } of (body as { changes: { key: string; value: string }[] }).changes) {
      if (!optionOf(key).secret) values.set(key, value)
      else if (value === '') secrets.delete(key)
      else secrets.add(key)
    }
    return { refused: [] }
  }
  const sent = fakeFetch({
    'GET /api/option/': list,
    'PUT /api/option/batch': keep,
    'POST /api/option/price_preview': () => nothingChanges,
    'GET /api/pricing': () => Response.json({ success: true, data: [], group_ratio: {}, usable_group: {} }),
    'GET /api/status': () => statusStore.get(),
    'GET /api/system/info': () => ({
      version: 'v0.1.0',
      start_time: 1_763_000_000,
      node_name: 'one',
      node_type: 'master',
      runtime: 'Node v24',
      database: 'sqlite',
      log_database: null,
      redis: false,
    }),
    ...given.answers,
  })
  const view = await renderConsole(<SettingsScreen />, path)
  await screen.findByText('运营设置')
  const saves = () => sent.filter((call) => call.method === 'PUT').map((call) => call.body)
  return { ...view, sent, saves, values, secrets }
}

// Looking things up by role takes long on a page of this size.
const button = (name: string): HTMLButtonElement => {
  const found = [...document.querySelectorAll('button')].find((each) => nameOf(each) === name)
  if (!found) throw new Error(`no button ${name}`)
  return found
}
const nameOf = (element: Element): string | null => element.getAttribute('aria-label') ?? element.textContent
const box = (key: string): HTMLInputElement => {
  const found = document.getElementById(`option-${key}`)?.querySelector('input, textarea')
  if (!found) throw new Error(`no field of ${key}`)
  return found as HTMLInputElement
}
const group = (key: string): HTMLElement => document.getElementById(`option-${key}`) as HTMLElement
const press = (name: string) => userEvent.click(button(name))
const changed = (...changes: unknown[]) => ({ changes })

beforeEach(async () => {
  await setLanguage('zh')
})

describe('each kind of control', () => {
  it('a switch saves true or false', async () => {
    const { saves } = await open('/setting')
    await userEvent.click(box('DisplayInCurrencyEnabled'))
    await press('保存：通用设置')
    await screen.findByText('保存成功')
    expect(saves()).toEqual([changed({ key: 'DisplayInCurrencyEnabled', value: 'false', was: 'true' })])
  })

  it('a number says its bounds when it is left, and does not save beyond them', async () => {
    const { saves } = await open('/setting')
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
    await press('保存：Claude设置')
    await screen.findByText('保存成功')
    expect(saves()).toEqual([
      changed({ key: 'claude.thinking_adapter_budget_tokens_percentage', value: '0.65', was: '0.8' }),
    ])
  })

  it('an amount of quota shows what it is worth', async () => {
    await open('/setting', { values: { QuotaForNewUser: '250000' } })
    expect(screen.getByText(/等价金额：\$0\.50/)).toBeTruthy()
  })

  it('an address is refused when it is none', async () => {
    const { saves } = await open('/setting?tab=system')
    await userEvent.type(box('ServerAddress'), 'gate.example')
    await press('保存：通用设置')
    expect(await screen.findByText('空，或以 http:// 或 https:// 开头的地址')).toBeTruthy()
    expect(saves()).toEqual([])
  })

  it('a list is one entry per line, a tag list one entry per tag', async () => {
    const { saves } = await open('/setting')
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
    const { saves } = await open('/setting')
    await userEvent.click(box('DataExportDefaultTime'))
    await userEvent.click(await screen.findByRole('option', { name: '周' }))
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
    const { saves } = await open('/setting', { values: { GroupRatio: '{\n  "default": 1\n}' } })
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
    const { saves } = await open('/setting', { values: { GroupRatio: '{\n  "default": 1,\n  "vip": 1\n}' } })
    const rows = within(group('GroupRatio'))
    await userEvent.clear(rows.getByLabelText('第 2 行名称'))
    await userEvent.type(rows.getByLabelText('第 2 行名称'), 'default')
    await press('保存：分组设置')
    expect(await screen.findByText('第 3 行：default 重复出现')).toBeTruthy()
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
    expect(screen.queryByText(/不是合法的 JSON 字符串/)).toBeNull()
    await userEvent.tab()
    expect(await screen.findByText('不是合法的 JSON 字符串（第 3 行）')).toBeTruthy()
  })

  it('is not saved while it is none', async () => {
    const { saves } = await open('/setting?tab=models')
    await replace('{')
    await press('保存：Gemini设置')
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
    await press('保存：Gemini设置')
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

describe('saving', () => {
  it('says when nothing was changed', async () => {
    const { saves } = await open('/setting')
    await press('保存：通用设置')
    expect(await screen.findByText('你似乎并没有修改什么')).toBeTruthy()
    expect(saves()).toEqual([])
  })

  it('sends a section in one call and shows old and new before', async () => {
    const { saves } = await open('/setting')
    await userEvent.clear(box('RetryTimes'))
    await userEvent.type(box('RetryTimes'), '3')
    await userEvent.click(box('SelfUseModeEnabled'))
    const summary = screen.getByRole('list', { name: '修改内容：通用设置' })
    expect(summary.textContent).toContain('失败重试次数0→3')
    expect(summary.textContent).toContain('自用模式关闭→开启')
    await press('保存：通用设置')
    await screen.findByText('保存成功')
    expect(saves()).toHaveLength(1)
    await waitFor(() => expect(screen.queryByText(/项修改尚未保存/)).toBeNull())
  })

  it('shows at each field why it was refused, and keeps what was typed', async () => {
    await open('/setting', {
      answers: {
        'PUT /api/option/batch': () =>
          Response.json({
            success: false,
            message: '保存失败，请重试',
            code: 'options_refused',
            data: {
              refused: [{ key: 'RetryTimes', code: 'option_changed', message: '配置项 RetryTimes 已被他人修改' }],
            },
          }),
      },
    })
    await userEvent.clear(box('RetryTimes'))
    await userEvent.type(box('RetryTimes'), '3')
    await press('保存：通用设置')
    expect(await screen.findByText('配置项 RetryTimes 已被他人修改')).toBeTruthy()
    expect(screen.getByText('保存失败，请重试')).toBeTruthy()
    expect(box('RetryTimes').value).toBe('3')
  })

  it('says that a part failed when one section was saved and another was not', async () => {
    const { saves } = await open('/setting', {
      answers: {
        'PUT /api/option/batch': ({ body }) =>
          JSON.stringify(body).includes('RetryTimes') ? refused('数据库忙') : { refused: [] },
      },
    })
    await userEvent.clear(box('RetryTimes'))
    await userEvent.type(box('RetryTimes'), '3')
    await userEvent.click(box('DrawingEnabled'))
    await press('全部保存')
    expect(await screen.findByText('部分保存失败，请重试')).toBeTruthy()
    expect(await screen.findByText('数据库忙')).toBeTruthy()
    expect(saves()).toHaveLength(2)
    expect(screen.getByText('1 项修改尚未保存')).toBeTruthy()
  })

  it('says when what was saved could not be read again, and shows it all the same', async () => {
    const { saves } = await open('/setting', { awayAfterSaving: true })
    await userEvent.clear(box('RetryTimes'))
    await userEvent.type(box('RetryTimes'), '3')
    await press('保存：通用设置')
    expect(await screen.findByText('刷新失败')).toBeTruthy()
    expect(saves()).toHaveLength(1)
    expect(box('RetryTimes').value).toBe('3')
    expect(screen.queryByText(/项修改尚未保存/)).toBeNull()
  })

  it('saves what a switch needs before the switch', async () => {
    const { saves } = await open('/setting?tab=system')
    await userEvent.click(box('GitHubOAuthEnabled'))
    await userEvent.type(box('GitHubClientId'), 'id')
    await press('全部保存')
    await screen.findByText('保存成功')
    expect(saves()).toEqual([
      changed({ key: 'GitHubClientId', value: 'id', was: '' }),
      changed({ key: 'GitHubOAuthEnabled', value: 'true', was: 'false' }),
    ])
  })

  it('asks before password login is switched off, and not when it is switched on', async () => {
    const { saves } = await open('/setting?tab=system')
    const flip = () => userEvent.click(box('PasswordLoginEnabled'))
    await flip()
    await press('保存：配置登录注册')
    const dialog = await screen.findByRole('dialog')
    expect(dialog.textContent).toContain('取消密码登录将导致所有未绑定其他登录方式的用户（包括管理员）无法登录')
    expect(saves()).toEqual([])
    await userEvent.click(within(dialog).getByRole('button', { name: '取消' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await press('保存：配置登录注册')
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '确认保存' }))
    await screen.findByText('保存成功')
    await flip()
    await press('保存：配置登录注册')
    await waitFor(() => expect(saves()).toHaveLength(2))
  })

  it('puts the model ratios back only after asking', async () => {
    const { sent } = await open('/setting', { answers: { 'POST /api/option/rest_model_ratio': () => null } })
    await press('重置模型倍率')
    const dialog = await screen.findByRole('dialog', { name: /确认重置模型倍率？/ })
    const confirm = within(dialog).getByRole<HTMLButtonElement>('button', { name: '重置模型倍率' })
    await waitFor(() => expect(confirm.disabled).toBe(false))
    expect(sent.some((call) => call.path === '/api/option/rest_model_ratio')).toBe(false)
    await userEvent.click(confirm)
    expect(await screen.findByText('重置模型倍率成功')).toBeTruthy()
  })
})

describe('the test mail', () => {
  const send = async (answer: FakeAnswer) => {
    const view = await open('/setting?tab=system', { answers: { 'POST /api/option/test_mail': answer } })
    await press('发送测试邮件')
    await userEvent.type(await screen.findByLabelText('收件邮箱'), 'me@example.com')
    await press('发送')
    return view
  }

  it('goes to the address that was given', async () => {
    const { sent } = await send(() => null)
    expect(await screen.findByText('测试邮件已发送')).toBeTruthy()
    expect(sent.find((call) => call.method === 'POST')?.body).toEqual({ to: 'me@example.com' })
  })

  it('shows what the mail server said against it', async () => {
    await send(() => refused('535 authentication failed'))
    expect((await screen.findByRole('alert')).textContent).toBe('535 authentication failed')
  })

  it('waits until the mail settings are saved', async () => {
    await open('/setting?tab=system')
    await userEvent.type(box('SMTPAccount'), 'me')
    expect(button('发送测试邮件').disabled).toBe(true)
  })
})

describe('unsaved changes', () => {
  const dirty = async () => {
    const view = await open('/setting')
    await userEvent.click(box('SelfUseModeEnabled'))
    return view
  }

  it('are asked about before another tab opens', async () => {
    const { router } = await dirty()
    await userEvent.click(screen.getByText('其他设置'))
    const dialog = await screen.findByRole('dialog')
    await userEvent.click(within(dialog).getByRole('button', { name: '继续编辑' }))
    expect(router.state.location.search).toEqual({})
    expect(screen.getByText('1 项修改尚未保存')).toBeTruthy()
    await userEvent.click(screen.getByText('其他设置'))
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '放弃修改' }))
    await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'other' }))
    expect(screen.queryByText(/尚未保存/)).toBeNull()
  })

  it('are asked about before another page opens', async () => {
    const { router } = await dirty()
    void router.navigate({ to: '/elsewhere' as '/' })
    expect(await screen.findByRole('dialog')).toBeTruthy()
    expect(router.state.location.pathname).toBe('/setting')
  })

  it('can be taken back', async () => {
    await dirty()
    await press('撤销修改：通用设置')
    expect(screen.queryByText(/尚未保存/)).toBeNull()
  })
})

describe('the search', () => {
  it.each([
    ['sensitive words', '屏蔽词列表', 'operation'],
    ['SMTPServer', 'SMTP 服务器地址', 'system'],
    ['安全设置', 'Gemini安全设置', 'models'],
    ['upper and lower case alike', '自动禁用关键词', 'operation'],
  ])('finds by %s and jumps to the field', async (words, label, tab) => {
    const { router } = await open('/setting?tab=ratelimit')
    await userEvent.type(screen.getByPlaceholderText('搜索配置项'), words)
    await userEvent.click(await screen.findByRole('option', { name: new RegExp(label) }))
    await waitFor(() => expect(router.state.location.search).toMatchObject({ tab }))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(label)))
  })

  it('says when nothing matches', async () => {
    await open('/setting')
    await userEvent.type(screen.getByPlaceholderText('搜索配置项'), 'nothing like this')
    expect(await screen.findByText('没有符合的配置项')).toBeTruthy()
  })
})

describe('the tabs', () => {
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
    await open('/setting', { problems: { QuotaPerUnit: '数字，1 到 1000000000' } })
    expect(screen.getByText(/数据库中保存的值无法使用.*1 到 1000000000/)).toBeTruthy()
  })
})

describe('the check for updates', () => {
  const check = async (answer: FakeAnswer) => {
    await open('/setting?tab=other', { answers: { 'GET /api/system/releases': answer } })
    await press('检查更新')
  }

  it('shows what a newer version brings, cleaned', async () => {
    await check(() => ({
      configured: true,
      current: 'v0.1.0',
      newer: true,
      newest: {
        tag: 'v0.2.0',
        name: 'v0.2.0',
        notes: '**Faster**<img src=x onerror=alert(1)>',
        url: 'https://example.com/v0.2.0',
        published_at: 1_763_000_000,
      },
    }))
    expect(await screen.findByText('新版本：v0.2.0')).toBeTruthy()
    expect((await screen.findByText('Faster')).tagName).toBe('STRONG')
    expect(document.querySelector('[onerror]')).toBeNull()
    expect(screen.getByRole('link', { name: /详情/ }).getAttribute('href')).toBe('https://example.com/v0.2.0')
  })

  it('says that this is the newest', async () => {
    await check(() => ({ configured: true, current: 'v0.1.0', newer: false, newest: null }))
    expect(await screen.findByText('版本列表中还没有正式版本')).toBeTruthy()
  })

  it('says when no list is set, and where to set one', async () => {
    await check(() => ({ configured: false, current: 'v0.1.0', newer: false, newest: null }))
    expect(await screen.findByText(/尚未设置版本列表地址/)).toBeTruthy()
    expect(screen.getByRole('link', { name: '去设置' })).toBeTruthy()
  })

  it('says when it failed', async () => {
    await check(() => refused('检查更新失败，请稍后再试', 'releases_failed'))
    expect(await screen.findByText('检查更新失败，请稍后再试')).toBeTruthy()
  })
})
