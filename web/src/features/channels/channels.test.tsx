import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { setLanguage } from '../../lib/i18n.ts'
import { fakeFetch } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { ChannelsScreen } from './screen.tsx'
import { reasonOf, speedOf } from './state.ts'
import { tagRows } from './tags/tag-rows.ts'
import { answers, channel } from './testing-channels.ts'

beforeEach(() => setLanguage('zh'))

it('names the speed of an answer at the required bounds', () => {
  expect([0, 1, 1000, 1001, 3000, 3001, 5000, 5001].map(speedOf)).toEqual([
    'untested',
    'good',
    'good',
    'fair',
    'fair',
    'slow',
    'slow',
    'bad',
  ])
})

it('reads why a channel was disabled, and nothing from broken text', () => {
  const disabled_cause = { text: '401' }
  expect(reasonOf({ disabled_cause, other_info: '{"status_time":5}' })).toEqual({ reason: '401', time: 5 })
  expect(reasonOf({ disabled_cause, other_info: 'broken' })).toEqual({ reason: '401', time: 0 })
  expect(reasonOf({ other_info: '{"status_time":5}' })).toBeUndefined()
})

it('averages only tested channels of a tag and keeps those without one', () => {
  const rows = tagRows([
    channel({ tag: 'b', response_time: 400, priority: 1, used_quota: 3, group: 'default,vip' }),
    channel({ tag: 'b', response_time: 0, priority: 2, used_quota: 4, group: 'vip,eu' }),
    channel({ tag: null }),
    channel({ tag: 'a', status: 2 }),
  ])
  expect(rows.map((row) => row.tag)).toEqual(['a', 'b', ''])
  expect(rows[1]).toMatchObject({ response_time: 400, priority: undefined, weight: 5, enabled: 2 })
  expect(rows[1]).toMatchObject({ groups: 'default,vip,eu', used_quota: 7, channels: { length: 2 } })
})

it('says in the row why a channel was disabled by itself', async () => {
  const disabled = { other_info: '{"status_time":5}', disabled_cause: { text: 'Incorrect API key provided' } }
  const manual = channel({ id: 2, name: 'Spare', status: 2, ...disabled })
  fakeFetch(answers(channel({ status: 3, ...disabled }), manual))
  await renderConsole(<ChannelsScreen />, '/channel')
  const [first, second] = [await screen.findByRole('row', { name: /Main/ }), screen.getByRole('row', { name: /Spare/ })]
  expect(first.textContent).toContain('Incorrect API key provided')
  expect(second.textContent).not.toContain('Incorrect API key provided')
})

it('calls no type unknown before the types are here', async () => {
  const types = Promise.withResolvers<unknown>()
  const { 'GET /api/channel/types': list, ...others } = answers(channel({ type: 999 }))
  fakeFetch({ ...others, 'GET /api/channel/types': () => types.promise })
  await renderConsole(<ChannelsScreen />, '/channel')
  const row = await screen.findByRole('row', { name: /Main/ })
  expect(row.textContent).not.toContain('未知类型')
  types.resolve(list())
  await waitFor(() => expect(row.textContent).toContain('未知类型'))
})

it('counts the channels of each type when they are looked at, and asks for those that are not', async () => {
  const sent = fakeFetch({
    ...answers(channel()),
    'GET /api/channel/facets': ({ query: { facet } }) => ({
      values: facet === 'tag' ? [{ value: 'west', count: 1000 }] : [{ value: '1', count: 7 }],
      capped: facet === 'tag',
    }),
  })
  await renderConsole(<ChannelsScreen />, '/channel?status=2')
  await userEvent.click(await screen.findByRole('button', { name: '按标签筛选' }))
  expect(await screen.findByText('1,000+')).toBeTruthy()
  expect(sent.find(({ path }) => path === '/api/channel/facets')?.query).toEqual({ status: '2', facet: 'tag' })
  await userEvent.selectOptions(screen.getByRole('combobox', { name: '标签的条件' }), '不是')
  await userEvent.click(screen.getByRole('checkbox', { name: 'west' }))
  await screen.findByRole('button', { name: '标签 不是：west' })
  const request = sent.filter(({ path }) => path === '/api/channel/browse').at(-1)
  expect(request?.query).toMatchObject({ status: '2', tag: 'west', not: 'tag' })
})

it('finds tags by what their channels are, and shows each found tag whole', async () => {
  const all = [
    channel({ tag: 'west', name: 'Main' }),
    channel({ id: 2, tag: 'west', name: 'Spare', group: 'vip' }),
    channel({ id: 3, tag: 'east', name: 'Other' }),
    channel({ id: 4, tag: 'spares', name: 'Far' }),
    channel({ id: 5, name: 'Spare too' }),
    channel({ id: 6, name: 'Loose' }),
  ]
  const search = ({ query: { keyword = '' } }: { query: Record<string, string> }) =>
    all.filter(({ name }) => name.includes(keyword))
  fakeFetch({ ...answers(...all), 'GET /api/channel/search': search })
  const { router } = await renderConsole(<ChannelsScreen />, '/channel?tags=1&keyword=Spare')
  const row = (name: RegExp) => screen.findByRole('row', { name })
  expect((await row(/^west/)).textContent).toContain('2 个渠道')
  expect((await row(/^spares/)).textContent).toContain('1 个渠道')
  expect((await row(/^未设置标签/)).textContent).toContain('1 个渠道')
  expect(screen.queryByText('east')).toBeNull()
  await router.navigate({ to: '/channel', search: { tags: '1', group: 'vip' } } as never)
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2))
  expect((await row(/^west/)).textContent).toContain('2 个渠道')
})

it('sorts by id where the person wants that, and remembers it', async () => {
  const sent = fakeFetch(answers(channel()))
  const orders = () => sent.filter(({ path }) => path === '/api/channel/browse').map(({ query }) => query.sort)
  const { unmount } = await renderConsole(<ChannelsScreen />, '/channel')
  await screen.findByText('Main')
  await userEvent.click(screen.getByRole('button', { name: '批量操作' }))
  expect(orders()).not.toContain('-id')
  await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: '按 ID 排序', checked: false }))
  await waitFor(() => expect(orders()).toContain('-id'))
  expect(localStorage.getItem('id-sort')).toBe('true')
  unmount()
  sent.length = 0
  await renderConsole(<ChannelsScreen />, '/channel')
  await waitFor(() => expect(orders()).toContain('-id'))
})

it('marks a channel that fails its calls, and a test that failed, and lists what needs attention', async () => {
  setLanguage('en')
  const failed = channel({ test_time: 1_763_603_600, test_status: 503, response_time: 350 })
  const sent = fakeFetch({
    ...answers(failed),
    'GET /api/channel/attention': () => [
      { channel_id: 1, reasons: ['failing', 'unpriced'] },
      { channel_id: 7, reasons: ['unpriced'] },
    ],
  })
  await renderConsole(<ChannelsScreen />, '/channel?status=1')
  expect(await screen.findByText('1 failing · 2 without price')).toBeTruthy()
  const row = screen.getByRole('row', { name: /Main/ })
  expect(row.textContent).toContain('Failing')
  expect(row.textContent).not.toContain('Enabled')
  expect(screen.getByText('failed 503 · 0.35 s').dataset.speed).toBe('bad')
  await userEvent.click(screen.getByRole('button', { name: '2' }))
  await waitFor(() => {
    const { query } = sent.filter(({ path }) => path === '/api/channel/browse').at(-1) ?? {}
    expect(query).toMatchObject({ attention: '1' })
    expect(query).not.toHaveProperty('status')
  })
})
