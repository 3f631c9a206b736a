import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { fakeFetch } from '#web/test/fake-fetch.ts'
import { renderConsole } from '#web/test/render-console.tsx'
import { Passkeys } from './passkeys.tsx'

it('renames and removes passkeys, and says where none can be added', async () => {
  const sent = fakeFetch({
    'GET /api/user/passkey': () => [{ id: 5, name: 'Chrome · macOS', created_time: 1_763_000_000, last_used_time: 0 }],
    'PUT /api/user/passkey/5': () => undefined,
    'DELETE /api/user/passkey/5': () => undefined,
  })
  await renderConsole(<Passkeys />)
  expect(await screen.findByText(/当前浏览器或访问地址不支持通行密钥/)).toBeTruthy()
  await userEvent.click(await screen.findByRole('button', { name: '重命名 Chrome · macOS' }))
  await userEvent.clear(screen.getByLabelText('名称'))
  await userEvent.type(screen.getByLabelText('名称'), '笔记本{enter}')
  await waitFor(() => expect(sent.find(({ method }) => method === 'PUT')?.body).toEqual({ name: '笔记本' }))
  await userEvent.click(await screen.findByRole('button', { name: '移除 Chrome · macOS' }))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '移除' }))
  expect(await screen.findByText('通行密钥已移除')).toBeTruthy()
})

it('adds a passkey under the name of the device', async () => {
  vi.stubGlobal('PublicKeyCredential', () => undefined)
  const answer = { id: 'x', rawId: 'x', type: 'public-key', response: {} }
  vi.doMock('./ceremonies.ts', () => ({ makePasskey: async () => answer }))
  const sent = fakeFetch({
    'GET /api/user/passkey': () => [],
    'POST /api/user/passkey/register/begin': () => ({ challenge: 'c' }),
    'POST /api/user/passkey/register/finish': () => ({ id: 1, name: '', created_time: 1, last_used_time: 0 }),
  })
  await renderConsole(<Passkeys />)
  await userEvent.click(await screen.findByRole('button', { name: '添加通行密钥' }))
  expect(await screen.findByText('通行密钥已添加')).toBeTruthy()
  expect(sent.find(({ path }) => path.endsWith('/finish'))?.body).toMatchObject({ name: expect.any(String), answer })
  vi.doUnmock('./ceremonies.ts')
})
