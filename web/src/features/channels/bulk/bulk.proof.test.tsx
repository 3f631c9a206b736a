import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { setLanguage } from '../../../lib/i18n.ts'
import { fakeFetch } from '../../../test/fake-fetch.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { ChannelsScreen } from '../screen.tsx'
import { answers, channel } from '../testing-channels.ts'

beforeEach(() => setLanguage('zh'))

it('changes several channels and names the ones that failed', async () => {
  const sent = fakeFetch({
    ...answers(channel(), channel({ id: 2, name: 'Spare' })),
    'POST /api/channel/batch/run': () => ({
      done: 1,
      failed: [{ id: 2, name: 'Spare', reason: '锁定' }],
      before: [],
      next: null,
    }),
  })
  await renderConsole(<ChannelsScreen />, '/channel')
  await userEvent.click(await screen.findByRole('checkbox', { name: '选择本页全部' }))
  await userEvent.click(screen.getByRole('button', { name: '禁用' }))
  const summary = await screen.findByRole('dialog', { name: '1 个成功，1 个失败' })
  expect(summary.textContent).toContain('Spare')
  expect(summary.textContent).toContain('锁定')
  await userEvent.click(within(summary).getByRole('button', { name: '重试失败的 1 个' }))
  await waitFor(() =>
    expect(sent.filter(({ path }) => path === '/api/channel/batch/run').map(({ body }) => body)).toEqual([
      { which: { ids: [1, 2] }, act: { kind: 'status', status: 2 } },
      { which: { ids: [2] }, act: { kind: 'status', status: 2 } },
    ]),
  )
})

it('takes back the part of an action that succeeded, after the failures were read and tried again', async () => {
  const answersInTurn = [
    { done: 1, failed: [{ id: 2, name: 'Spare', reason: '锁定' }], before: [{ id: 1, value: 1 }], next: null },
    { done: 0, failed: [{ id: 2, name: 'Spare', reason: '锁定' }], before: [], next: null },
    { done: 1, failed: [], before: [{ id: 1, value: 2 }], next: null },
  ]
  const sent = fakeFetch({
    ...answers(channel(), channel({ id: 2, name: 'Spare' })),
    'POST /api/channel/batch/run': () => answersInTurn.shift(),
  })
  await renderConsole(<ChannelsScreen />, '/channel')
  await userEvent.click(await screen.findByRole('checkbox', { name: '选择本页全部' }))
  await userEvent.click(screen.getByRole('button', { name: '禁用' }))
  await userEvent.click(await screen.findByRole('button', { name: '重试失败的 1 个' }))
  await waitFor(() => expect(answersInTurn).toHaveLength(1))
  const summary = await screen.findByRole('dialog', { name: '1 个成功，1 个失败' })
  await userEvent.click(within(summary).getAllByRole('button', { name: '关闭' }).at(-1) as HTMLElement)
  expect(await screen.findByText('已禁用 1 个渠道')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '撤销' }))
  expect(await screen.findByText('已启用 1 个渠道')).toBeTruthy()
  expect(sent.filter(({ path }) => path === '/api/channel/batch/run').at(-1)?.body).toEqual({
    which: { ids: [1] },
    act: { kind: 'status', status: 1 },
  })
})

it('says what was done to several channels, and gives each its own status back', async () => {
  const sent = fakeFetch({
    ...answers(channel(), channel({ id: 2, name: 'Spare', status: 2 }), channel({ id: 3, name: 'Third' })),
    'POST /api/channel/batch/run': ({ body }) => {
      const { which } = body as { which: { ids: number[] } }
      const before = which.ids.map((id) => ({ id, value: id === 2 ? 2 : 1 }))
      return { done: before.length, failed: [], before, next: null }
    },
  })
  await renderConsole(<ChannelsScreen />, '/channel')
  await userEvent.click(await screen.findByRole('checkbox', { name: '选择本页全部' }))
  await userEvent.click(screen.getByRole('button', { name: '禁用' }))
  expect(await screen.findByText('已禁用 3 个渠道')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '撤销' }))
  expect(await screen.findByText('已启用 2 个渠道')).toBeTruthy()
  expect(sent.filter(({ path }) => path === '/api/channel/batch/run').map(({ body }) => body)).toEqual([
    { which: { ids: [1, 2, 3] }, act: { kind: 'status', status: 2 } },
    { which: { ids: [1, 3] }, act: { kind: 'status', status: 1 } },
  ])
})

it('deletes all channels that match the filter, after their number was typed', async () => {
  const sent = fakeFetch({
    ...answers(),
    'GET /api/channel/browse': () => ({
      items: [channel(), channel({ id: 2, name: 'Spare' })],
      total: 1240,
      page: 1,
      page_size: 10,
    }),
    'POST /api/channel/batch/run': ({ body }) => {
      const { before } = (body as { which: { before?: number } }).which
      return before === undefined
        ? { done: 100, failed: [], before: [], next: 900 }
        : { done: 1140, failed: [], before: [], next: null }
    },
  })
  await renderConsole(<ChannelsScreen />, '/channel?status=2&not=status')
  await userEvent.click(await screen.findByRole('checkbox', { name: '选择本页全部' }))
  await userEvent.click(screen.getByRole('button', { name: '选择匹配的全部 1,240 条' }))
  const bar = screen.getByRole('toolbar', { name: '已选择匹配的全部 1,240 条' })
  await userEvent.click(within(bar).getByRole('button', { name: '删除' }))
  const question = await screen.findByRole('dialog')
  expect(within(question).getByRole('button', { name: '删除渠道' }).hasAttribute('disabled')).toBe(true)
  await userEvent.type(within(question).getByLabelText('输入 1240 以确认'), '1240{Enter}')
  await waitFor(() =>
    expect(sent.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
      { which: { filter: { status: '2', not: 'status' } }, act: { kind: 'delete' } },
      { which: { filter: { status: '2', not: 'status' }, before: 900 }, act: { kind: 'delete' } },
    ]),
  )
  expect(await screen.findByText('已删除 1240 个渠道')).toBeTruthy()
})

it('selects no channel any longer that was deleted', async () => {
  let kept = [channel(), channel({ id: 2, name: 'Spare' }), channel({ id: 3, name: 'Third' })]
  const without = (ids: readonly number[]): number => {
    kept = kept.filter(({ id }) => !ids.includes(id))
    return ids.length
  }
  fakeFetch({
    ...answers(),
    'GET /api/channel/browse': () => ({ items: kept, total: kept.length, page: 1, page_size: 10 }),
    'DELETE /api/channel/2': () => without([2]),
    'POST /api/channel/batch': ({ body }) => without((body as { ids: number[] }).ids),
  })
  await renderConsole(<ChannelsScreen />, '/channel')
  await userEvent.click(await screen.findByRole('checkbox', { name: '选择本页全部' }))
  await userEvent.click(screen.getByRole('button', { name: 'Spare 的操作' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: '删除' }))
  await userEvent.click(await screen.findByRole('button', { name: '删除渠道' }))
  expect(await screen.findByRole('toolbar', { name: '已选 2 项' })).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: '批量操作' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: '删除所选渠道' }))
  await userEvent.click(await screen.findByRole('button', { name: '删除渠道' }))
  await waitFor(() => expect(kept).toEqual([]))
  await waitFor(() => expect(screen.queryByRole('toolbar')).toBeNull())
})

it('asks for a selection before a tag is set', async () => {
  fakeFetch(answers(channel()))
  await renderConsole(<ChannelsScreen />, '/channel')
  await screen.findByText('Main')
  await userEvent.click(screen.getByRole('button', { name: '批量操作' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: '设置标签' }))
  expect(await screen.findByText('请先选择要设置标签的渠道！')).toBeTruthy()
})

it('sets no empty tag', async () => {
  const sent = fakeFetch(answers(channel()))
  await renderConsole(<ChannelsScreen />, '/channel')
  await userEvent.click(await screen.findByRole('checkbox', { name: '选择本页全部' }))
  await userEvent.click(screen.getByRole('button', { name: '批量操作' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: '设置标签' }))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '应用' }))
  expect(await screen.findByText('标签不能为空！')).toBeTruthy()
  expect(sent.some((call) => call.path === '/api/channel/batch/tag')).toBe(false)
})
