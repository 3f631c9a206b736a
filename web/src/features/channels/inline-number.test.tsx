import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { setLanguage } from '../../lib/i18n.ts'
import { fakeFetch, refused } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { readCell } from './inline-number.tsx'
import { ChannelsScreen } from './screen.tsx'
import { answers, channel } from './testing-channels.ts'

beforeEach(() => setLanguage('zh'))

const priorityCell = () => screen.findByRole('button', { name: '修改优先级：Main，当前 10' })

it('keeps priorities and weights of the table within their limits', () => {
  expect(readCell('priority', '-5000')).toBe(-999)
  expect(readCell('weight', '-3')).toBe(0)
  expect(readCell('priority', '1.5')).toBeUndefined()
})

it('saves a priority with Enter and takes it back with undo', async () => {
  const sent = fakeFetch({ ...answers(channel()), 'PUT /api/channel/': () => channel() })
  const puts = () => sent.filter((call) => call.method === 'PUT').map((call) => call.body)
  await renderConsole(<ChannelsScreen />, '/channel')
  await userEvent.click(await priorityCell())
  await userEvent.keyboard('7{Enter}')
  expect(await screen.findByText('渠道 Main 的优先级：10 → 7')).toBeTruthy()
  expect(puts()).toEqual([{ id: 1, priority: 7 }])
  expect(await screen.findByTitle('已保存')).toBeTruthy()
  expect(document.activeElement?.getAttribute('aria-label')).toContain('修改优先级：Main')
  await userEvent.click(screen.getByRole('button', { name: '撤销' }))
  expect(puts()).toEqual([
    { id: 1, priority: 7 },
    { id: 1, priority: 10 },
  ])
})

it('shows the old number where it was set again by other means', async () => {
  let kept = channel()
  fakeFetch({
    ...answers(),
    'GET /api/channel/browse': () => ({ items: [kept], total: 1, page: 1, page_size: 10 }),
    'PUT /api/channel/': ({ body }) => {
      kept = channel({ priority: (body as { priority: number }).priority })
      return kept
    },
    'POST /api/channel/batch/run': ({ body }) => {
      kept = channel({ priority: (body as { act: { priority: number } }).act.priority })
      return { done: 1, failed: [], before: [], next: null }
    },
  })
  await renderConsole(<ChannelsScreen />, '/channel')
  await userEvent.click(await priorityCell())
  await userEvent.keyboard('7{Enter}')
  await screen.findByRole('button', { name: '修改优先级：Main，当前 7' })
  await userEvent.click(screen.getByRole('checkbox', { name: '选择本页全部' }))
  await userEvent.click(screen.getByRole('button', { name: '更多' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: '设置优先级' }))
  await userEvent.type(await screen.findByRole('textbox', { name: '优先级' }), '10{Enter}')
  expect(await priorityCell()).toBeTruthy()
})

it('saves a priority without a keyboard', async () => {
  const sent = fakeFetch({ ...answers(channel()), 'PUT /api/channel/': () => channel({ priority: 7 }) })
  await renderConsole(<ChannelsScreen />, '/channel')
  await userEvent.click(await priorityCell())
  await userEvent.keyboard('7')
  await userEvent.click(screen.getByRole('button', { name: '保存' }))
  expect(await screen.findByText('渠道 Main 的优先级：10 → 7')).toBeTruthy()
  expect(sent.filter((call) => call.method === 'PUT').map((call) => call.body)).toEqual([{ id: 1, priority: 7 }])
})

it.each(['7{Escape}', '10{Enter}'])('saves nothing after %s', async (keys) => {
  const sent = fakeFetch(answers(channel()))
  await renderConsole(<ChannelsScreen />, '/channel')
  await userEvent.click(await priorityCell())
  await userEvent.keyboard(keys)
  expect(await priorityCell()).toBeTruthy()
  expect(sent.some((call) => call.method === 'PUT')).toBe(false)
})

it('shows the old number again when saving is refused', async () => {
  fakeFetch({ ...answers(channel()), 'PUT /api/channel/': () => refused('不行') })
  await renderConsole(<ChannelsScreen />, '/channel')
  await userEvent.click(await priorityCell())
  await userEvent.keyboard('7{Enter}')
  expect(await screen.findByText('不行')).toBeTruthy()
  expect(await priorityCell()).toBeTruthy()
})
