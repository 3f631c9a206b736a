import { act, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { loadLanguage, setLanguage } from '../../../lib/i18n.ts'
import { refused } from '../../../test/fake-fetch.ts'
import { box, changed, open, press, userEvent } from '../testing-settings.tsx'

beforeEach(() => {
  setLanguage('zh')
})

describe('saving', () => {
  it('says when nothing was changed', async () => {
    const { saves } = await open('/setting?tab=operation')
    await press('保存：通用设置')
    expect(await screen.findByText('你似乎并没有修改什么')).toBeTruthy()
    expect(saves()).toEqual([])
  })

  it('sends a section in one call and shows old and new before', async () => {
    const { saves } = await open('/setting?tab=operation')
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
    await open('/setting?tab=operation', {
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

  it('says why in the reader’s language, with the figures that the server sent', async () => {
    await loadLanguage('ja')
    const reason = { reason: '不是合法的 JSON 字符串', reason_en: 'Not valid JSON' }
    const params = { key: 'RetryTimes', ...reason }
    await open('/setting?tab=operation', {
      answers: {
        'PUT /api/option/batch': () =>
          refused('Nothing was saved', 'options_refused', 200, {
            refused: [{ key: 'RetryTimes', code: 'option_invalid', params, message: 'The value is not valid' }],
          }),
      },
    })
    act(() => setLanguage('ja'))
    await userEvent.clear(box('RetryTimes'))
    await userEvent.type(box('RetryTimes'), '3')
    await press('保存：一般')
    expect(await screen.findByText('設定項目 RetryTimes の値が無効です：有効な JSON ではありません')).toBeTruthy()
  })

  it('says that a part failed when one section was saved and another was not', async () => {
    const { saves } = await open('/setting?tab=operation', {
      answers: {
        'PUT /api/option/batch': ({ body }) =>
          JSON.stringify(body).includes('RetryTimes') ? refused('数据库忙') : { refused: [] },
      },
    })
    await userEvent.clear(box('RetryTimes'))
    await userEvent.type(box('RetryTimes'), '3')
    await userEvent.click(box('MjForwardUrlEnabled'))
    await press('全部保存')
    expect(await screen.findByText('部分保存失败，请重试')).toBeTruthy()
    expect(await screen.findByText('数据库忙')).toBeTruthy()
    expect(saves()).toHaveLength(2)
    expect(screen.getByText('1 项修改尚未保存')).toBeTruthy()
  })

  it('says when what was saved could not be read again, and shows it all the same', async () => {
    const { saves } = await open('/setting?tab=operation', { awayAfterSaving: true })
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
    const { sent } = await open('/setting/prices', { answers: { 'POST /api/option/rest_model_ratio': () => null } })
    await screen.findByRole('button', { name: '重置模型倍率' })
    await press('重置模型倍率')
    const dialog = await screen.findByRole('dialog', { name: /确认重置模型倍率？/ })
    const confirm = within(dialog).getByRole<HTMLButtonElement>('button', { name: '重置模型倍率' })
    await waitFor(() => expect(confirm.disabled).toBe(false))
    expect(sent.some((call) => call.path === '/api/option/rest_model_ratio')).toBe(false)
    await userEvent.click(confirm)
    expect(await screen.findByText('模型倍率已重置')).toBeTruthy()
  })
})

describe('unsaved changes', () => {
  const dirty = async () => {
    const view = await open('/setting?tab=operation')
    await userEvent.click(box('SelfUseModeEnabled'))
    return view
  }

  it('go along to another section', async () => {
    const { router } = await dirty()
    await userEvent.click(screen.getByText('服务器设置', { selector: 'a' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/setting/server'))
    expect(screen.getByText('1 项修改尚未保存')).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('are asked about before another page opens', async () => {
    const { router } = await dirty()
    void router.navigate({ to: '/elsewhere' as '/' })
    const dialog = await screen.findByRole('dialog')
    expect(router.state.location.pathname).toBe('/setting/operation')
    await userEvent.click(within(dialog).getByRole('button', { name: '放弃修改' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/elsewhere'))
  })

  it('can be taken back', async () => {
    await dirty()
    await press('撤销修改：通用设置')
    expect(screen.queryByText(/尚未保存/)).toBeNull()
  })
})
