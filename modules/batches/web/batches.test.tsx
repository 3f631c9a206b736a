import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import type { ListedBatch } from '#web/lib/api/contract.ts'
import { forgetUser, storeUser } from '#web/lib/api/session.ts'
import { setLanguage } from '#web/lib/i18n.ts'
import { fakeFetch } from '#web/test/fake-fetch.ts'
import { renderConsole } from '#web/test/render-console.tsx'
import { BatchesScreen } from './screen.tsx'

beforeEach(() => {
  forgetUser()
  setLanguage('en')
  storeUser({ id: 7, username: 'alice', display_name: '', role: 1, status: 1, group: 'default' })
})

const batch = (more: Partial<ListedBatch> = {}): ListedBatch => ({
  id: 5,
  batch_id: 'batch_abc',
  form: 'openai',
  endpoint: '/v1/chat/completions',
  models: ['gpt-4o'],
  state: 'in_progress',
  total: 20,
  succeeded: 8,
  failed: 2,
  skipped: 0,
  quota: 50_000,
  created_at: 1_763_600_000,
  started_at: 1_763_600_001,
  ended_at: 0,
  expires_at: 1_763_686_400,
  errors: [],
  files: [],
  retries: false,
  user_id: 7,
  ...more,
})

const page = (...items: ListedBatch[]) => ({ items, total: items.length, page: 1, page_size: 25 })

it('shows the progress of a batch, and cancels it after a question', async () => {
  const sent = fakeFetch({
    'GET /api/batch/self/browse': () => page(batch()),
    'POST /api/batch/self/5/cancel': () => null,
  })
  await renderConsole(<BatchesScreen />, '/batches?id=5')
  const sheet = await screen.findByRole('dialog')
  expect(within(sheet).getByText('10 / 20')).toBeTruthy()
  expect(within(sheet).getByText('2 failed')).toBeTruthy()
  await userEvent.click(within(sheet).getByRole('button', { name: 'Cancel batch' }))
  const question = await screen.findByRole('dialog', { name: 'Cancel batch “batch_abc”?' })
  await userEvent.click(within(question).getByRole('button', { name: 'Cancel batch' }))
  await expect.poll(() => sent.some(({ path }) => path === '/api/batch/self/5/cancel')).toBe(true)
})

it('makes a new batch of the requests without success, and says its id', async () => {
  const ended = batch({ state: 'completed', succeeded: 18, ended_at: 1_763_600_100, files: ['output'], retries: true })
  fakeFetch({
    'GET /api/batch/self/browse': () => page(ended),
    'POST /api/batch/self/5/retry': () => ({ id: 6, batch_id: 'batch_def' }),
  })
  await renderConsole(<BatchesScreen />, '/batches?id=5')
  const sheet = await screen.findByRole('dialog')
  expect(within(sheet).getByRole('button', { name: 'Download results' })).toBeTruthy()
  await userEvent.click(within(sheet).getByRole('button', { name: 'Retry unsuccessful requests' }))
  expect(await screen.findByText('Created batch batch_def')).toBeTruthy()
})

it('shows how to begin where there is none', async () => {
  fakeFetch({ 'GET /api/batch/self/browse': () => page() })
  await renderConsole(<BatchesScreen />, '/batches')
  expect(await screen.findByText('No batches in this range')).toBeTruthy()
  expect(await screen.findByText(/purpose=batch/)).toBeTruthy()
})
