import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { forgetUser, storedUser, storeUser } from '../../lib/api/session.ts'
import { createConsoleRouter } from '../../routes.tsx'
import { fakeFetch, refused } from '../../test/fake-fetch.ts'
import '../../test/forget-notifications.ts'

const root = { id: 1, username: 'root', display_name: 'Root', role: 100, status: 1, group: 'default' }
const open = (path: string) => {
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: [path] }))
  render(<RouterProvider router={router} />)
  return router
}
const login = async (username: string, password: string): Promise<void> => {
  if (username) await userEvent.type(await screen.findByLabelText('用户名或邮箱'), username)
  if (password) await userEvent.type(await screen.findByLabelText('密码'), password)
  await userEvent.click(await screen.findByRole('button', { name: '登录' }))
}

beforeEach(forgetUser)

it('sends visitors to the login page and brings them back to where they wanted to go', async () => {
  fakeFetch({
    'GET /api/session': () => null,
    'POST /api/user/login': () => ({ ...root, default_password: false }),
    'GET /api/about': () => '',
  })
  const router = open('/personal')
  await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
  expect(router.state.location.search).toEqual({ next: '/personal' })
  await login('root', 'correct horse')
  await waitFor(() => expect(router.state.location.pathname).toBe('/personal'))
  expect(JSON.parse(localStorage.getItem('user') ?? '')).toMatchObject({ id: 1, username: 'root', role: 100 })
})

it('asks for both fields before it calls', async () => {
  const sent = fakeFetch({})
  open('/login')
  await login('root', '')
  expect(await screen.findByText('请输入用户名和密码！')).toBeTruthy()
  expect(sent.filter((call) => call.path.endsWith('/login'))).toEqual([])
})

it('shows the server’s refusal and lets the person try again', async () => {
  fakeFetch({ 'POST /api/user/login': () => refused('用户名或密码错误，或用户已被封禁', 'credentials_wrong') })
  open('/login')
  await login('root', 'wrong')
  expect(await screen.findByText('用户名或密码错误，或用户已被封禁')).toBeTruthy()
  expect((screen.getByRole('button', { name: '登录' }) as HTMLButtonElement).disabled).toBe(false)
  expect(storedUser()).toBeUndefined()
})

it.each([
  ['registered', '注册成功！'],
  ['loggedOut', '注销成功！'],
  ['deleted', '账户已删除！'],
])('says what brought people here: %s', async (done, text) => {
  open(`/login?done=${done}`)
  expect((await screen.findByRole('status')).textContent).toBe(text)
})

it('says that the session has expired', async () => {
  fakeFetch({})
  open('/login?expired=true')
  expect(await screen.findByText('未登录或登录已过期，请重新登录！')).toBeTruthy()
})

it('warns after a login with the initial password', async () => {
  fakeFetch({
    'POST /api/user/login': () => ({ ...root, default_password: true }),
    'GET /api/about': () => '',
  })
  open('/login?next=/about')
  await login('root', '123456')
  expect(await screen.findByText('你正在使用默认密码！')).toBeTruthy()
})

it('shows people without the role that they have no access', async () => {
  storeUser({ ...root, role: 1 })
  fakeFetch({ 'GET /api/session': () => ({ ...root, role: 1 }) })
  open('/user')
  expect(await screen.findByText('没有访问权限')).toBeTruthy()
})
