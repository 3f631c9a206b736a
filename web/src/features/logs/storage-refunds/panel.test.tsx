import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { setLanguage } from '../../../lib/i18n.ts'
import { fakeFetch } from '../../../test/fake-fetch.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { StorageRefunds } from './panel.tsx'

const refund = {
  request_id: 'req-9',
  user_id: 7,
  username: 'alice',
  channel: 4,
  content_name: 'cachedContents/a',
  quota: 500,
  created_at: 1_763_600_000,
  next_at: 1_763_603_600,
  attempts: 3,
  reason: 'the charge is missing',
}

beforeEach(() => setLanguage('en'))

it('shows nothing while every refund succeeds', async () => {
  const sent = fakeFetch({ 'GET /api/storage-refunds': () => ({ items: [], total: 0 }) })
  await renderConsole(<StorageRefunds />)
  await expect.poll(() => sent.length).toBe(1)
  expect(screen.queryByText(/Refunds/)).toBeNull()
})

it('says why a refund was not made, makes it now, and gives it up after a question', async () => {
  const sent = fakeFetch({
    'GET /api/storage-refunds': () => ({ items: [refund], total: 1 }),
    'POST /api/storage-refunds/req-9/retry': () => null,
    'DELETE /api/storage-refunds/req-9': () => null,
  })
  await renderConsole(<StorageRefunds />)
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Show refunds' }))
  expect(screen.getByText('the charge is missing')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Refund request req-9 now' }))
  await expect.poll(() => sent.map(({ method }) => method)).toContain('POST')
  await user.click(screen.getByRole('button', { name: 'Dismiss the refund of request req-9' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Dismiss' }))
  await expect.poll(() => sent.map(({ method }) => method)).toContain('DELETE')
})
