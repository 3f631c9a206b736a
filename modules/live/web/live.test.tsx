import { fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import type { LivePicture } from '#web/lib/api/contract.ts'
import { storeUser } from '#web/lib/api/session.ts'
import { setLanguage } from '#web/lib/i18n.ts'
import { fakeFetch } from '#web/test/fake-fetch.ts'
import { renderConsole } from '#web/test/render-console.tsx'
import { LiveScreen } from './screen.tsx'

beforeEach(() => {
  storeUser({ id: 1, username: 'root', display_name: '', role: 100, status: 1, group: 'default' })
  setLanguage('en')
})

const at = 1_763_603_600

const picture = (): LivePicture => ({
  at,
  now: {
    calls_per_second: 47.2,
    failed_per_second: 0.1,
    calls: 2832,
    failed: 5,
    quota: 18_100_000,
    first_p50_ms: 660,
    first_p95_ms: 1610,
    running: 820,
  },
  usual: { first_p50_ms: 640, first_p95_ms: 1550 },
  minutes: Array.from({ length: 60 }, (_, index) => ({
    at: at - (59 - index) * 60,
    calls: 2800,
    failed: 5,
    quota: 1,
    first_p50_ms: 640,
    first_p95_ms: 1500,
    running: index === 40 ? 1004 : 800,
    waiting: 160,
    holds: 820,
  })),
  nodes: [
    {
      name: 'gw-1',
      pid: 41,
      version: 'v1.4.2',
      started_at: at - 86_400,
      state: 'ready',
      cpu: 0.24,
      calls_per_second: 12.1,
      running: 211,
      memory: 641_728_512,
      loop_delay_p99_ms: 0.4,
      waiting: 164,
      oldest_ms: 800,
      journal_bytes: 3_145_728,
      journal_segments: 1,
      holds: 820,
      held_quota: 30_700_000,
      database_ms: 1.2,
      redis_ms: null,
    },
  ],
  channels: {
    all: 28,
    needing_attention: 1,
    in_trouble: [
      {
        id: 4,
        name: 'DeepSeek direct',
        reasons: ['disabled', 'unpriced'],
        reason: 'key rejected',
        status: 401,
        failed_at: at - 2000,
        avoided_models: [],
        attempts: 40,
        failed: 40,
        first_ms: null,
      },
    ],
  },
  errors: [
    {
      at: at - 6,
      status: 529,
      code: 'overloaded',
      model: 'claude-sonnet-5',
      channel: 3,
      channel_name: 'Bedrock',
      request_id: 'r1',
    },
  ],
})

it('counts the workers of a node as one node', async () => {
  const { nodes, ...rest } = picture()
  const workers = nodes.flatMap((node) => [node, { ...node, name: `${node.name}/2`, pid: 42 }])
  fakeFetch({ 'GET /api/live': () => ({ ...rest, nodes: workers }) })
  await renderConsole(<LiveScreen />, '/live')
  expect(await screen.findByText('nodes: 1, processes: 2, v1.4.2')).toBeTruthy()
})

it('shows what all nodes are doing, which channels are in trouble, and why', async () => {
  fakeFetch({ 'GET /api/live': picture })
  await renderConsole(<LiveScreen />, '/live')
  expect(await screen.findByText('47.2')).toBeTruthy()
  for (const text of [
    '0.18%',
    '2,832 in the last minute',
    'peak 1,004 in the last hour',
    '$36.20',
    'Redis no response',
  ]) {
    expect(screen.getByText(text)).toBeTruthy()
  }
  const channel = screen.getByRole('row', { name: /DeepSeek direct/ })
  for (const text of ['Auto-disabled', 'No price', '401 key rejected', '0.00%'])
    expect(within(channel).getByText(text)).toBeTruthy()
  const node = screen.getByRole('row', { name: /gw-1/ })
  for (const text of ['Ready', '24%', '12.1', '612 MB', '0.4 ms']) expect(within(node).getByText(text)).toBeTruthy()
  expect(screen.getByRole('row', { name: /529/ })).toBeTruthy()
})

it('stands still while it is paused', async () => {
  fakeFetch({ 'GET /api/live': picture })
  await renderConsole(<LiveScreen />, '/live')
  fireEvent.click(await screen.findByRole('button', { name: 'Pause' }))
  expect(screen.getByText('Paused')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Resume' }))
  expect(screen.queryByText('Paused')).toBeNull()
})
