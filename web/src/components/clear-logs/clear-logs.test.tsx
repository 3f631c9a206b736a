import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it } from 'vitest'
import { forgetUser, storeUser } from '../../lib/api/session.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { fakeFetch } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { ClearLogs } from './clear-logs.tsx'

const signIn = (role: number): void =>
  storeUser({ id: 7, username: 'alice', display_name: '', role, status: 1, group: 'default' })

beforeEach(() => {
  forgetUser()
  setLanguage('zh')
})

describe('clearing logs', () => {
  const open = async (answers: Parameters<typeof fakeFetch>[0] = {}) => {
    signIn(10)
    const sent = fakeFetch({
      'GET /api/log/clear': ({ query }) => ({ count: query.target_timestamp ? 1_234 : 0, running: null }),
      'DELETE /api/log/': () => 1_234,
      ...answers,
    })
    await renderConsole(<ClearLogs />, '/log')
    await userEvent.click(await screen.findByRole('button', { name: '清除历史日志' }))
    return sent
  }

  it('says how many rows will go before they do', async () => {
    const sent = await open()
    await userEvent.click(await screen.findByRole('button', { name: '删除 1,234 条日志' }))
    expect(await screen.findByText('1,234 条日志正在后台清理')).toBeTruthy()
    const deleted = sent.find(({ method }) => method === 'DELETE')
    const previewed = sent.filter(({ method }) => method === 'GET').map(({ query }) => query.target_timestamp)
    expect(previewed).toContain(deleted?.query.target_timestamp)
  })

  it('wants a date', async () => {
    const sent = await open()
    fireEvent.change(await screen.findByLabelText('日志记录时间'), { target: { value: '' } })
    await userEvent.click(screen.getAllByRole('button', { name: '清除历史日志' }).at(-1) as HTMLElement)
    expect(await screen.findByText('请选择日志记录时间')).toBeTruthy()
    expect(sent.some(({ method }) => method === 'DELETE')).toBe(false)
  })

  it('shows how far it is, and takes no second request meanwhile', async () => {
    signIn(10)
    fakeFetch({ 'GET /api/log/clear': () => ({ count: 0, running: { before: 5, total: 2_000, deleted: 500 } }) })
    await renderConsole(<ClearLogs />, '/log')
    expect((await screen.findByRole('button', { name: '正在清理：500 / 2,000' })).hasAttribute('disabled')).toBe(true)
  })
})
