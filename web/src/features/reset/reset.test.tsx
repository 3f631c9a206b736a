import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { forgetUser } from '../../lib/api/session.ts'
import { createConsoleRouter } from '../../routes.tsx'
import { fakeFetch, refused } from '../../test/fake-fetch.ts'
import '../../test/forget-notifications.ts'

const open = (path: string) => {
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: [path] }))
  render(<RouterProvider router={router} />)
  return router
}
const type = async (label: string, text: string): Promise<void> =>
  userEvent.type(await screen.findByLabelText(label), text)
const press = async (name: string | RegExp): Promise<void> =>
  userEvent.click(await screen.findByRole('button', { name }))
const link = '/user/reset?email=alice%2Bx%40example.com&token=a-token'

beforeEach(forgetUser)

it('requests a link, reveals no accounts, and waits before the next try', async () => {
  const sent = fakeFetch({ 'GET /api/reset_password': () => undefined })
  open('/reset')
  await press('发送重置链接')
  expect(await screen.findByText('请输入邮箱！')).toBeTruthy()
  expect(sent).toEqual([])
  await type('邮箱地址', 'alice@example.com')
  await press('发送重置链接')
  expect(await screen.findByText(/如果该邮箱已绑定账户，重置邮件已发送/)).toBeTruthy()
  expect(((await screen.findByRole('button', { name: /^重新发送 \((30|29)\)$/ })) as HTMLButtonElement).disabled).toBe(
    true,
  )
  expect(sent.map(({ query }) => query)).toEqual([{ email: 'alice@example.com' }])
})

it('shows why no mail can be sent', async () => {
  fakeFetch({ 'GET /api/reset_password': () => refused('SMTP 服务器未配置', 'mail_not_configured') })
  open('/reset')
  await type('邮箱地址', 'alice@example.com')
  await press('发送重置链接')
  expect(await screen.findByText('SMTP 服务器未配置')).toBeTruthy()
  expect((screen.getByRole('button', { name: '发送重置链接' }) as HTMLButtonElement).disabled).toBe(false)
})

it('sets the password that was chosen', async () => {
  const sent = fakeFetch({ 'POST /api/user/reset': () => '' })
  open(link)
  expect(((await screen.findByLabelText('邮箱地址')) as HTMLInputElement).value).toBe('alice+x@example.com')
  await type('新密码', 'short')
  await press('重置密码')
  expect(await screen.findByText('密码长度不得小于 8 位！')).toBeTruthy()
  await type('新密码', ' but longer')
  await type('确认新密码', 'another')
  await press('重置密码')
  expect(await screen.findByText('两次输入的密码不一致！')).toBeTruthy()
  await userEvent.clear(screen.getByLabelText('确认新密码'))
  await type('确认新密码', 'short but longer')
  await press('重置密码')
  expect(await screen.findByText('密码已重置')).toBeTruthy()
  expect(sent.map(({ body }) => body)).toEqual([
    { email: 'alice+x@example.com', token: 'a-token', password: 'short but longer' },
  ])
})

it('shows and copies the password that the server made', async () => {
  const user = userEvent.setup()
  const sent = fakeFetch({ 'POST /api/user/reset': () => 'Made9Password' })
  open(link)
  await user.click(await screen.findByRole('button', { name: '生成随机密码' }))
  expect(((await screen.findByLabelText('你的新密码')) as HTMLInputElement).value).toBe('Made9Password')
  expect(await screen.findByText('密码已重置并已复制到剪贴板！')).toBeTruthy()
  expect(await navigator.clipboard.readText()).toBe('Made9Password')
  expect(sent.map(({ body }) => body)).toEqual([{ email: 'alice+x@example.com', token: 'a-token' }])
})

it('says when the link is no longer valid, or is none', async () => {
  fakeFetch({ 'POST /api/user/reset': () => refused('重置链接非法或已过期', 'reset_link_invalid') })
  open(link)
  await press('生成随机密码')
  expect(await screen.findByText('重置链接非法或已过期')).toBeTruthy()
  expect(screen.getByRole('link', { name: '重新发送重置链接' })).toBeTruthy()
})

it('sends people with half a link back to the beginning', async () => {
  fakeFetch({})
  const router = open('/user/reset?email=alice@example.com')
  expect(await screen.findByText('无效的重置链接，请重新发起密码重置')).toBeTruthy()
  await userEvent.click(screen.getByRole('link', { name: '重新发送重置链接' }))
  expect(await screen.findByRole('button', { name: '发送重置链接' })).toBeTruthy()
  expect(router.state.location.pathname).toBe('/reset')
})
