import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Channel, ChannelType } from '../../lib/api/contract.ts'
import { setLanguage } from '../../lib/i18n.ts'
import { fakeFetch, refused } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import { addModels, bodyOf, changesOf, keysOf, newChannel, valuesOf } from './form/fields.ts'
import { ChannelSheet } from './form/form.tsx'
import { useChannelFormMessages } from './form/form-messages.ts'
import { withMember } from './form/json-text.ts'
import { modelDiff } from './form/models/model-diff.ts'
import { ModelDiffPanel } from './form/models/model-diff-panel.tsx'
import { channelRules } from './form/rules.ts'
import { readCell } from './inline-number.tsx'
import { ChannelsScreen } from './screen.tsx'
import { reasonOf, speedOf } from './state.ts'
import { tagRows } from './tags/tag-rows.ts'
import { channel, idleJob, openai } from './testing-channels.ts'

const { say } = useChannelFormMessages

beforeEach(() => setLanguage('zh'))

const azure: ChannelType = {
  ...openai,
  type: 3,
  name: 'Azure',
  fields: [{ column: 'base_url', label: { zh: 'AZURE_OPENAI_ENDPOINT', en: 'AZURE_OPENAI_ENDPOINT' }, required: true }],
}

describe('the form', () => {
  const typeOf = (type: number): ChannelType | undefined => [openai, azure].find((entry) => entry.type === type)
  const rules = channelRules({ say, creating: true, typeOf, language: 'zh' })

  it('uses the required labels', () => {
    expect(rules.name('')).toBe('请填写渠道名称和渠道密钥！')
    expect(rules.key('')).toBe('请填写渠道名称和渠道密钥！')
    expect(rules.models([])).toBe('请至少选择一个模型！')
    expect(rules.mapping('[1]')).toBe('模型映射必须是合法的 JSON 格式！')
    expect(rules.mapping('{"a":1}')).toBe('模型映射必须是合法的 JSON 格式！')
    expect(rules.priority('1.5')).toBe('优先级必须是整数！')
    expect(rules.weight('-1')).toBe('权重必须是非负整数！')
    expect(rules.statusMapping('{"400":"900"}')).not.toBeNull()
    expect(rules.setting('{"proxy":"ftp://x"}')).not.toBeNull()
    expect(rules.setting('{"bills_aborted":"yes"}')).not.toBeNull()
    expect(rules.setting('{"bills_aborted":false}')).toBeNull()
    expect(rules.baseUrl('api.openai.com', newChannel)).not.toBeNull()
  })

  it('asks for the fields of a type', () => {
    expect(rules.baseUrl('', { ...newChannel, type: 3 })).toBe('请填写AZURE_OPENAI_ENDPOINT')
    expect(rules.baseUrl('', newChannel)).toBeNull()
  })

  it('keeps the stored key when none is typed', () => {
    const editing = channelRules({ say, creating: false, typeOf, language: 'zh' })
    expect(editing.key('')).toBeNull()
    expect(bodyOf(valuesOf(channel())).key).toBe('')
  })

  it('splits costs from the settings and joins them again', () => {
    const setting = JSON.stringify({ proxy: '', cost: { factor: 0.8, models: { m: { input: 1 } } } })
    const stored = channel({ setting })
    const values = valuesOf(stored)
    expect(values.costFactor).toBe('0.8')
    expect(JSON.parse(values.costPrices)).toEqual({ models: { m: { input: 1 } } })
    expect(values.setting).not.toContain('cost')
    expect(changesOf(stored, values)).toEqual({})
    const changed = changesOf(stored, { ...values, costFactor: '', costPrices: '' }).setting
    expect(JSON.parse(changed ?? '')).toEqual({ proxy: '' })
    const cheaper = changesOf(channel(), { ...valuesOf(channel()), costFactor: '0.5' }).setting
    expect(JSON.parse(cheaper ?? '')).toEqual({ cost: { factor: 0.5 } })
  })

  it('checks costs', () => {
    for (const factor of ['-1', 'x', '1e3', '1001']) expect(rules.costFactor(factor)).not.toBeNull()
    for (const factor of ['', '0', '0.85', '1000']) expect(rules.costFactor(factor)).toBeNull()
    for (const text of ['[]', '{"models":{"m":{}}}', '{"other":{}}', '{"discounts":[{"from":"tomorrow","factor":1}]}'])
      expect(rules.costPrices(text)).not.toBeNull()
    expect(rules.costPrices('{"models":{"m":{"call":0.1}},"discounts":[{"to":"2026-12-31","factor":0.9}]}')).toBeNull()
  })

  it('sends of an edit only what was changed', () => {
    const stored = channel({ models: 'a,b', group: 'default,vip', tag: 'west', setting: '{"proxy":""}' })
    expect(changesOf(stored, valuesOf(stored))).toEqual({})
    const edited = { ...valuesOf(stored), name: 'New name', tag: '', key: 'sk-new' }
    expect(changesOf(stored, edited)).toEqual({ name: 'New name', tag: '', key: 'sk-new' })
  })

  it('drops the trailing slash and fills in the version of type 18', () => {
    expect(bodyOf({ ...newChannel, baseUrl: 'https://a.b/ ' }).base_url).toBe('https://a.b')
    expect(bodyOf({ ...newChannel, type: 18 }).other).toBe('v2.1')
  })

  it('has no limit of input tokens unless one is typed', () => {
    expect([bodyOf(newChannel).max_input_tokens, valuesOf(channel()).maxInput]).toEqual([0, ''])
    const limited = valuesOf(channel({ max_input_tokens: 8192 }))
    expect([limited.maxInput, bodyOf(limited).max_input_tokens]).toEqual(['8192', 8192])
    expect([rules.maxInput(''), rules.maxInput('8192')]).toEqual([null, null])
    expect(rules.maxInput('-1')).not.toBeNull()
  })

  it('never shows a null as text', () => {
    expect(Object.values(valuesOf(channel()))).not.toContain('null')
  })

  it('adds no custom model when one of them is there already', () => {
    expect(addModels(['a'], 'b, a')).toEqual({ models: ['a'], exists: true })
    expect(addModels(['a'], 'b，c, b')).toEqual({ models: ['a', 'b', 'c'], exists: false })
  })

  it('counts one key per line that is not empty', () => {
    expect(keysOf('one\n\n two \n')).toEqual(['one', 'two'])
  })

  it('writes settings into their JSON and leaves it empty when nothing is set', () => {
    const on = withMember('{"proxy":"http://p"}', 'force_format', true)
    expect(JSON.parse(on)).toEqual({ proxy: 'http://p', force_format: true })
    expect(withMember('{"force_format":true}', 'force_format', undefined)).toBe('')
  })
})

it('compares the models of a channel with those of its upstream', () => {
  expect(modelDiff(['a', 'old'], ['a', 'new', 'new'])).toEqual({ fresh: ['new'], gone: ['old'], same: ['a'] })
})

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
  expect(reasonOf({ other_info: '{"status_reason":"401","status_time":5}' })).toEqual({ reason: '401', time: 5 })
  expect(reasonOf({ other_info: 'broken' })).toBeUndefined()
})

it('keeps priorities and weights of the table within their limits', () => {
  expect(readCell('priority', '-5000')).toBe(-999)
  expect(readCell('weight', '-3')).toBe(0)
  expect(readCell('priority', '1.5')).toBeUndefined()
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

const answers = (...items: Channel[]) => ({
  'GET /api/channel/types': () => [openai, azure],
  'GET /api/group/': () => ['default'],
  'GET /api/channel/models': () => [],
  'GET /api/channel/health': () => [],
  'GET /api/channel/jobs': () => ({ test: idleJob, balance: idleJob }),
  'GET /api/channel/browse': () => ({ items, total: items.length, page: 1, page_size: 10 }),
})
const priorityCell = () => screen.findByRole('button', { name: '修改优先级：Main，当前 10' })

describe('the screen', () => {
  it('says in the row why a channel was disabled by itself', async () => {
    const other_info = JSON.stringify({ status_reason: 'Incorrect API key provided', status_time: 5 })
    const manual = channel({ id: 2, name: 'Spare', status: 2, other_info })
    fakeFetch(answers(channel({ status: 3, other_info }), manual))
    await renderConsole(<ChannelsScreen />, '/channel')
    const [first, second] = [
      await screen.findByRole('row', { name: /Main/ }),
      screen.getByRole('row', { name: /Spare/ }),
    ]
    expect(first.textContent).toContain('Incorrect API key provided')
    expect(second.textContent).not.toContain('Incorrect API key provided')
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
    await userEvent.click(screen.getByRole('button', { name: '选择符合条件的全部 1,240 条' }))
    const bar = screen.getByRole('toolbar', { name: '已选符合条件的全部 1,240 条' })
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
    await userEvent.click(await screen.findByRole('menuitem', { name: '批量设置标签' }))
    expect(await screen.findByText('请先选择要设置标签的渠道！')).toBeTruthy()
  })

  it('sorts by id where the person wants that, and remembers it', async () => {
    const sent = fakeFetch(answers(channel()))
    const orders = () => sent.filter(({ path }) => path === '/api/channel/browse').map(({ query }) => query.sort)
    const { unmount } = await renderConsole(<ChannelsScreen />, '/channel')
    await screen.findByText('Main')
    await userEvent.click(screen.getByRole('button', { name: '批量操作' }))
    expect(orders()).not.toContain('-id')
    await userEvent.click(await screen.findByRole('menuitemcheckbox', { name: '使用ID排序', checked: false }))
    await waitFor(() => expect(orders()).toContain('-id'))
    expect(localStorage.getItem('id-sort')).toBe('true')
    unmount()
    sent.length = 0
    await renderConsole(<ChannelsScreen />, '/channel')
    await waitFor(() => expect(orders()).toContain('-id'))
  })

  it('sets no empty tag', async () => {
    const sent = fakeFetch(answers(channel()))
    await renderConsole(<ChannelsScreen />, '/channel')
    await userEvent.click(await screen.findByRole('checkbox', { name: '选择本页全部' }))
    await userEvent.click(screen.getByRole('button', { name: '批量操作' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: '批量设置标签' }))
    await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '应用' }))
    expect(await screen.findByText('标签不能为空！')).toBeTruthy()
    expect(sent.some((call) => call.path === '/api/channel/batch/tag')).toBe(false)
  })

  it('adds no model that is there already, and says so', async () => {
    fakeFetch(answers())
    await renderConsole(<ChannelsScreen />, '/channel/add')
    const custom = await screen.findByLabelText('自定义模型名称')
    await userEvent.type(custom, 'mine, gpt-4o{Enter}')
    expect(await screen.findByText('某些模型已存在！')).toBeTruthy()
    expect(screen.queryByText('mine')).toBeNull()
  })

  it('says of a service account, too, that an empty field keeps it', async () => {
    const vertex = { ...openai, type: 41, name: 'VertexAi' }
    fakeFetch({
      ...answers(),
      'GET /api/channel/types': () => [openai, vertex],
      'GET /api/channel/1': () => channel({ type: 41, key_hint: 'my-project', other: 'us-central1' }),
      'GET /api/channel/1/keys': () => [],
    })
    await renderConsole(<ChannelSheet id={1} onClose={() => undefined} />)
    const key = await screen.findByRole('textbox', { name: '密钥' })
    expect(key.getAttribute('aria-describedby')).toBeTruthy()
    expect(screen.getByText(/my-project/)).toBeTruthy()
  })

  it('asks for a key before it fetches the models of a new channel', async () => {
    const sent = fakeFetch(answers())
    await renderConsole(<ChannelsScreen />, '/channel/add')
    await userEvent.click(await screen.findByRole('button', { name: '获取模型列表' }))
    expect(await screen.findByText('请填写密钥')).toBeTruthy()
    expect(sent.some((call) => call.path === '/api/channel/fetch_models')).toBe(false)
  })

  it('keeps models that are chosen while a list is compared', async () => {
    const applied: string[][] = []
    const Form = () => {
      const [chosen, setChosen] = useState(['gpt-4o', 'old'])
      return (
        <>
          <button type="button" onClick={() => setChosen([...chosen, 'mine'])}>
            add
          </button>
          <ModelDiffPanel
            chosen={chosen}
            offered={['gpt-4o', 'gpt-5']}
            onApply={(models) => applied.push(models)}
            onClose={() => undefined}
          />
        </>
      )
    }
    await renderConsole(<Form />)
    await userEvent.click(await screen.findByRole('checkbox', { name: 'old' }))
    await userEvent.click(screen.getByRole('button', { name: 'add' }))
    await userEvent.click(screen.getByRole('button', { name: '应用，共 3 个模型' }))
    expect(applied).toEqual([['gpt-4o', 'mine', 'gpt-5']])
  })

  const offering = () =>
    fakeFetch({
      ...answers(),
      'POST /api/channel/fetch_models': () => ['gpt-4o', 'gpt-5'],
      'GET /api/price_lists/unpriced': ({ query }) =>
        (query.models ?? '').includes('gpt-5') ? [{ model: 'gpt-5', suggestions: [] }] : [],
      'POST /api/channel/': () => ({ ids: [9] }),
      'GET /api/channel/test/9': () => Response.json({ success: true, message: '', time: 0.5 }),
    })
  const openForm = async () => {
    await renderConsole(<ChannelsScreen />, '/channel/add')
    await userEvent.click(await screen.findByPlaceholderText('请输入渠道对应的鉴权密钥'))
    await userEvent.paste('sk-new')
    return screen.getByRole('dialog', { name: '创建新的渠道' })
  }

  it('replaces the untouched default list with what the provider offers, asked with what is not saved yet', async () => {
    const sent = offering()
    const form = await openForm()
    await userEvent.click(within(form).getByLabelText('API地址'))
    await userEvent.paste('https://mine.example/')
    await userEvent.click(within(form).getByRole('button', { name: '连接并读取模型' }))
    expect(await within(form).findByText('密钥可用，提供商提供 2 个模型')).toBeTruthy()
    expect(sent.find((call) => call.method === 'POST')?.body).toMatchObject({
      base_url: 'https://mine.example',
      key: 'sk-new',
    })
    expect(within(form).getByText('已选 2 个')).toBeTruthy()
    expect(within(form).queryByRole('region', { name: '上游模型列表' })).toBeNull()
    expect(await within(form).findByText('1 个模型没有价格')).toBeTruthy()
    await userEvent.click(within(form).getByLabelText(/^名称( \*)?$/))
    await userEvent.paste('Mine')
    await userEvent.click(within(form).getByRole('button', { name: '提交' }))
    await userEvent.click(await screen.findByRole('button', { name: '测试渠道' }))
    expect(await screen.findByText('渠道 Mine 测试成功，耗时 0.50 秒。')).toBeTruthy()
    expect(sent.find(({ path }) => path === '/api/channel/')?.body).toMatchObject({ models: 'gpt-4o,gpt-5' })
  })

  it('redirects a model by rows, and says before saving what the provider does not offer', async () => {
    const sent = offering()
    const form = await openForm()
    await userEvent.click(within(form).getByRole('button', { name: '连接并读取模型' }))
    const rows = await within(form).findByRole('group', { name: '模型重定向' })
    await userEvent.click(within(rows).getByRole('button', { name: '添加一行' }))
    await userEvent.type(within(rows).getByPlaceholderText('请求的模型'), 'gpt-5')
    await userEvent.type(within(rows).getByPlaceholderText('上游的模型'), 'gpt-6')
    expect(within(rows).getByText('提供商的模型列表中没有“gpt-6”')).toBeTruthy()
    await userEvent.click(within(form).getByLabelText(/^名称( \*)?$/))
    await userEvent.paste('Mine')
    await userEvent.click(within(form).getByRole('button', { name: '提交' }))
    await waitFor(() => {
      const body = sent.find(({ path }) => path === '/api/channel/')?.body as { model_mapping: string } | undefined
      expect(JSON.parse(body?.model_mapping ?? '')).toEqual({ 'gpt-5': 'gpt-6' })
    })
  })

  it('shows how a list that was touched differs, and leaves out what is not offered', async () => {
    offering()
    const form = await openForm()
    await userEvent.click(within(form).getByPlaceholderText(/输入自定义模型名称/))
    await userEvent.paste('my-own')
    await userEvent.keyboard('{Enter}')
    await userEvent.click(within(form).getByRole('button', { name: '获取模型列表' }))
    const diff = await within(form).findByRole('region', { name: '上游模型列表' })
    expect(within(diff).getByText('新增 1')).toBeTruthy()
    expect(within(diff).getByText('上游已无 2')).toBeTruthy()
    await userEvent.click(within(diff).getByRole('checkbox', { name: 'my-own' }))
    await userEvent.click(within(diff).getByRole('button', { name: '应用，共 3 个模型' }))
    expect(within(form).getByText('已选 3 个')).toBeTruthy()
  })
})
