import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { fakeFetch, refused } from '../../../test/fake-fetch.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { SessionList } from './security-sessions.tsx'
import { TwoStep } from './security-totp.tsx'

const codes = Array.from({ length: 10 }, (_, at) => `code${at}-abcde`)
const secret = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

it('sets the second factor up with a QR code, proves it, and shows the recovery codes once', async () => {
  let enabled = false
  fakeFetch({
    'GET /api/user/2fa/status': () => ({ enabled, recovery_codes_left: enabled ? 10 : 0, access_token: enabled }),
    'POST /api/user/2fa/setup': () => ({ secret, uri: `otpauth://totp/Tollgate:ada?secret=${secret}` }),
    'POST /api/user/2fa/enable': ({ body }) => {
      if ((body as { code: string }).code !== '123456') return refused('验证码错误或已被使用', 'second_factor_wrong')
      enabled = true
      return { recovery_codes: codes }
    },
  })
  await renderConsole(<TwoStep />)
  await userEvent.click(await screen.findByRole('button', { name: '启用两步验证' }))
  expect(await screen.findByRole('img', { name: '两步验证二维码' })).toBeTruthy()
  expect(screen.getByText('ABCD EFGH IJKL MNOP QRST UVWX YZ23 4567')).toBeTruthy()
  const field = screen.getByLabelText('验证码')
  await userEvent.type(field, '12345')
  await userEvent.click(screen.getByRole('button', { name: '验证并启用' }))
  expect(await screen.findByText('请输入 6 位验证码')).toBeTruthy()
  await userEvent.clear(field)
  await userEvent.type(field, '000000')
  await userEvent.click(screen.getByRole('button', { name: '验证并启用' }))
  expect(await screen.findByText('验证码错误或已被使用')).toBeTruthy()
  await userEvent.clear(field)
  await userEvent.type(field, '123456')
  await userEvent.click(screen.getByRole('button', { name: '验证并启用' }))
  for (const code of codes) expect(await screen.findByText(code)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '我已保存' }))
  await waitFor(() => expect(screen.queryByText('code0-abcde')).toBeNull())
  expect(await screen.findByText('已启用')).toBeTruthy()
  expect(screen.getByText('系统访问令牌不受两步验证保护，请妥善保管。')).toBeTruthy()
})

it('switches it off only after a question', async () => {
  const sent = fakeFetch({
    'GET /api/user/2fa/status': () => ({ enabled: true, recovery_codes_left: 2, access_token: false }),
    'POST /api/user/2fa/disable': () => undefined,
  })
  await renderConsole(<TwoStep />)
  expect(await screen.findByText('恢复码即将用完，请重新生成')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '停用' }))
  expect(sent.filter(({ method }) => method === 'POST')).toEqual([])
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '停用' }))
  expect(await screen.findByText('两步验证已停用')).toBeTruthy()
})

it('marks this device, and signs others out one by one or together', async () => {
  const session = { ip: '203.0.113.9', created_time: 1_763_000_000, last_seen_time: 1_763_000_000, expires_time: 1 }
  const agent = (system: string) => `Mozilla/5.0 (${system}) Gecko/20100101 Firefox/140.0`
  const sent = fakeFetch({
    'GET /api/user/self/sessions': () => [
      { ...session, id: 'aaa', user_agent: agent('Windows NT 10.0'), current: true },
      { ...session, id: 'bbb', user_agent: agent('X11; Linux x86_64'), current: false },
    ],
    'DELETE /api/user/self/sessions/bbb': () => undefined,
    'DELETE /api/user/self/sessions': () => ({ ended: 1 }),
  })
  await renderConsole(<SessionList />)
  const own = (await screen.findByText('Firefox · Windows')).closest('li')
  expect(own?.textContent).toContain('当前设备')
  expect(screen.queryByRole('button', { name: '退出 Firefox · Windows' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '退出 Firefox · Linux' }))
  expect(await screen.findByText('已退出该设备')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '退出其他所有设备' }))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '退出其他所有设备' }))
  expect(await screen.findByText('已退出 1 台设备')).toBeTruthy()
  expect(sent.filter(({ method }) => method === 'DELETE').map(({ path }) => path)).toEqual([
    '/api/user/self/sessions/bbb',
    '/api/user/self/sessions',
  ])
})
