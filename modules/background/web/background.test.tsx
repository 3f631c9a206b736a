import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import type { ListedBackground } from '#web/lib/api/contract.ts'
import { forgetUser, storeUser } from '#web/lib/api/session.ts'
import { setLanguage } from '#web/lib/i18n.ts'
import { fakeFetch } from '#web/test/fake-fetch.ts'
import { renderConsole } from '#web/test/render-console.tsx'
import { BackgroundScreen } from './screen.tsx'

beforeEach(() => {
  forgetUser()
  setLanguage('en')
  storeUser({ id: 7, username: 'alice', display_name: '', role: 1, status: 1, group: 'default' })
})

const row: ListedBackground = {
  id: 5,
  response_id: 'resp_abc',
  request_id: 'request_abc',
  model: 'gpt-4o',
  state: 'in_progress',
  attempts: 2,
  streamed: false,
  created_at: 1_763_600_000,
  deadline_at: 0,
  user_id: 7,
}

const page = (...items: ListedBackground[]) => ({ items, total: items.length, page: 1, page_size: 25 })

it('shows a response under way with the way to its earlier attempts, and cancels it after a question', async () => {
  const sent = fakeFetch({
    'GET /api/background/self/browse': () => page(row),
    'POST /api/background/self/5/cancel': () => null,
  })
  await renderConsole(<BackgroundScreen />, '/background?id=5')
  const sheet = await screen.findByRole('dialog')
  expect(within(sheet).getByRole('link', { name: 'View earlier attempts' }).getAttribute('href')).toContain(
    'request=request_abc',
  )
  await userEvent.click(within(sheet).getByRole('button', { name: 'Cancel response' }))
  const question = await screen.findByRole('dialog', { name: 'Cancel response “resp_abc”?' })
  await userEvent.click(within(question).getByRole('button', { name: 'Cancel response' }))
  await expect.poll(() => sent.some(({ path }) => path === '/api/background/self/5/cancel')).toBe(true)
})

it('offers no second cancellation', async () => {
  fakeFetch({ 'GET /api/background/self/browse': () => page({ ...row, state: 'cancelling' }) })
  await renderConsole(<BackgroundScreen />, '/background?id=5')
  const sheet = await screen.findByRole('dialog')
  expect(within(sheet).getByText('Cancelling')).toBeTruthy()
  expect(within(sheet).queryByRole('button', { name: 'Cancel response' })).toBeNull()
})

it('shows how to begin where there is none', async () => {
  fakeFetch({ 'GET /api/background/self/browse': () => page() })
  await renderConsole(<BackgroundScreen />, '/background')
  expect(await screen.findByText('No background responses under way')).toBeTruthy()
  expect(await screen.findByText(/v1\/responses/)).toBeTruthy()
})
