import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sessionStore, storeUser } from '../../lib/api/session.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { createConsoleRouter } from '../../routes.tsx'
import { fakeFetch } from '../../test/fake-fetch.ts'
import '../../test/forget-notifications.ts'

const operator = { id: 1, username: 'root', display_name: '', role: 100, status: 1, group: 'default' }

const openAt = async (path: string, neighbours: object, role = operator.role) => {
  const sent = fakeFetch({
    'GET /api/notice': () => '',
    'GET /api/about': () => '**us** details',
    'GET /api/system/neighbours': () => neighbours,
  })
  storeUser({ ...operator, role })
  render(<RouterProvider router={createConsoleRouter(createMemoryHistory({ initialEntries: [path] }))} />)
  await screen.findByRole('main')
  return sent
}
const asked = (sent: readonly { readonly path: string }[]): boolean =>
  sent.some(({ path }) => path.startsWith('/api/system/neighbours'))

beforeEach(() => setLanguage('en'))
afterEach(() => {
  cleanup()
  sessionStore.set(undefined)
})

it.each(['/about', '/nowhere'])(
  'an operator reads at %s that this gateway refuses calls, and how to mend it',
  async (path) => {
    await openAt(path, { node: 'b', serving: 'a', refusing: ['b'] })
    const notice = await screen.findByRole('alert', { name: 'Two gateways share one database' })
    expect(notice.textContent).toContain('This gateway (b) is refusing requests: a uses the same database')
    expect(notice.textContent).toContain('REDIS_CONN_STRING')
  },
)

it('an operator reads that others refuse calls', async () => {
  await openAt('/about', { node: 'a', serving: '', refusing: ['b', 'c'] })
  const notice = await screen.findByRole('alert', { name: 'Two gateways share one database' })
  expect(notice.textContent).toContain('refusing requests: b, c.')
})

it('says nothing where all is well, and asks nothing for users', async () => {
  const sent = await openAt('/about', { node: 'a', serving: '', refusing: [] })
  await waitFor(() => expect(asked(sent)).toBe(true))
  expect(screen.queryByRole('alert', { name: 'Two gateways share one database' })).toBeNull()
  cleanup()
  const ofUser = await openAt('/about', { node: 'b', serving: 'a', refusing: ['b'] }, 1)
  await screen.findByText('us')
  expect(asked(ofUser)).toBe(false)
})
