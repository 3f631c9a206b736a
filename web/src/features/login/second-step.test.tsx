import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { forgetUser, storedUser } from '../../lib/api/session.ts'
import { createConsoleRouter } from '../../routes.tsx'
import { fakeFetch, refused } from '../../test/fake-fetch.ts'
import '../../test/forget-notifications.ts'

const ada = { id: 4, username: 'ada', display_name: '', role: 1, status: 1, group: 'default', default_password: false }
const open = (path: string) => {
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: [path] }))
  render(<RouterProvider router={router} />)
  return router
}
const firstStep = async (): Promise<void> => {
  await userEvent.type(await screen.findByLabelText('用户名或邮箱'), 'ada')
  await userEvent.type(await screen.findByLabelText('密码'), 'correct horse')
  await userEvent.click(screen.getByRole('button', { name: '登录' }))
}
const secondStep = async (label: string, code: string): Promise<void> => {
  const field = await screen.findByLabelText(label)
  await userEvent.clear(field)
  await userEvent.type(field, code)
  await userEvent.click(screen.getByRole('button', { name: '验证' }))
}

beforeEach(forgetUser)

it('asks for the code after the password, and stores the user only then', async () => {
  const sent = fakeFetch({
    'POST /api/user/login': () => ({ require_2fa: true }),
    'POST /api/user/login/2fa': ({ body }) =>
      (body as { code: string }).code === '123456' ? ada : refused('验证码错误或已被使用', 'second_factor_wrong'),
    'GET /api/about': () => '',
  })
  const router = open('/login?next=/about')
  await firstStep()
  await secondStep('验证码', '000000')
  expect(await screen.findByText('验证码错误或已被使用')).toBeTruthy()
  expect(storedUser()).toBeUndefined()
  await secondStep('验证码', '123456')
  await waitFor(() => expect(router.state.location.pathname).toBe('/about'))
  expect(storedUser()).toMatchObject({ id: 4, username: 'ada' })
  expect(sent.filter(({ path }) => path.endsWith('/2fa'))).toHaveLength(2)
})

it('takes a recovery code instead', async () => {
  const sent = fakeFetch({
    'POST /api/user/login': () => ({ require_2fa: true }),
    'POST /api/user/login/2fa': () => ada,
    'GET /api/about': () => '',
  })
  open('/login?next=/about')
  await firstStep()
  await userEvent.click(await screen.findByRole('button', { name: '使用恢复码' }))
  await secondStep('恢复码', 'k7m2p-x4qhn')
  await waitFor(() => expect(storedUser()).toBeDefined())
  expect(sent.find(({ path }) => path.endsWith('/2fa'))?.body).toEqual({ code: 'k7m2p-x4qhn' })
})

it('starts over, and says why, when it took too long', async () => {
  fakeFetch({
    'POST /api/user/login': () => ({ require_2fa: true }),
    'POST /api/user/login/2fa': () => refused('登录已超时，请重新登录', 'second_step_expired'),
  })
  open('/login')
  await firstStep()
  await secondStep('验证码', '123456')
  expect(await screen.findByText('登录已超时，请重新登录')).toBeTruthy()
  expect(screen.getByLabelText('用户名或邮箱')).toBeTruthy()
})

it('begins at the second step for users who return from a login provider', async () => {
  fakeFetch({})
  open('/login?step=2fa')
  expect(await screen.findByLabelText('验证码')).toBeTruthy()
})
