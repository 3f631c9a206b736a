import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import type { ListedVideo } from '#web/lib/api/contract.ts'
import { forgetUser, storeUser } from '#web/lib/api/session.ts'
import { setLanguage } from '#web/lib/i18n.ts'
import { fakeFetch } from '#web/test/fake-fetch.ts'
import { renderConsole } from '#web/test/render-console.tsx'
import { VideosScreen } from './screen.tsx'

beforeEach(() => {
  forgetUser()
  setLanguage('en')
  storeUser({ id: 7, username: 'alice', display_name: '', role: 1, status: 1, group: 'default' })
})

const video = (more: Partial<ListedVideo> = {}): ListedVideo => ({
  id: 5,
  video_id: 'video_abc',
  model: 'sora-2',
  prompt: 'a cat',
  seconds: 8,
  size: '1280x720',
  state: 'in_progress',
  progress: 40,
  quota: 0,
  held: 400_000,
  error_code: '',
  error_message: '',
  created_at: 1_763_600_000,
  completed_at: 0,
  expires_at: 0,
  user_id: 7,
  channel_id: 0,
  ...more,
})

const page = (...items: ListedVideo[]) => ({ items, total: items.length, page: 1, page_size: 25 })

it('shows what is reserved for a video under way, which can neither be played nor deleted', async () => {
  fakeFetch({ 'GET /api/video/self/browse': () => page(video()) })
  await renderConsole(<VideosScreen />, '/videos?id=5')
  const sheet = await screen.findByRole('dialog')
  expect(within(sheet).getByText('Reserved')).toBeTruthy()
  expect(within(sheet).queryByRole('button', { name: 'Play' })).toBeNull()
  expect(within(sheet).queryByRole('button', { name: 'Delete video' })).toBeNull()
})

it('offers to play and to delete a finished one', async () => {
  const sent = fakeFetch({
    'GET /api/video/self/browse': () => page(video({ state: 'completed', progress: 100, quota: 400_000 })),
    'DELETE /api/video/self/5': () => null,
  })
  await renderConsole(<VideosScreen />, '/videos?id=5')
  const sheet = await screen.findByRole('dialog')
  expect(within(sheet).getByRole('button', { name: 'Play' })).toBeTruthy()
  await userEvent.click(within(sheet).getByRole('button', { name: 'Delete video' }))
  const question = await screen.findByRole('dialog', { name: 'Delete video “video_abc”?' })
  await userEvent.click(within(question).getByRole('button', { name: 'Delete video' }))
  await expect.poll(() => sent.some(({ method }) => method === 'DELETE')).toBe(true)
})

it('shows how to begin where there is none', async () => {
  fakeFetch({ 'GET /api/video/self/browse': () => page() })
  await renderConsole(<VideosScreen />, '/videos')
  expect(await screen.findByText('No videos in this range')).toBeTruthy()
  expect(await screen.findByText(/v1\/videos/)).toBeTruthy()
})
