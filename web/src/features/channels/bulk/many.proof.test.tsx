import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { setLanguage } from '../../../lib/i18n.ts'
import { type FakeAnswer, fakeFetch, lines, refused } from '../../../test/fake-fetch.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { ChannelsScreen } from '../screen.tsx'
import { channel, idleJob, openai } from '../testing-channels.ts'

beforeEach(() => setLanguage('zh'))

const all = Array.from({ length: 12 }, (_, index) =>
  channel({ id: 12 - index, name: `c${12 - index}`, models: 'a,old' }),
)

/** A server with 12 channels that match, in pages. */
const answers: Record<string, FakeAnswer> = {
  'GET /api/channel/types': () => [openai],
  'GET /api/group/': () => ['default', 'vip', 'eu'],
  'GET /api/channel/health': () => [],
  'GET /api/channel/jobs': () => ({ test: idleJob, balance: idleJob }),
  'GET /api/channel/browse': ({ query }) => {
    const size = Number(query.page_size)
    const from = (Number(query.p) - 1) * size
    return { items: all.slice(from, from + size), total: all.length, page: Number(query.p), page_size: size }
  },
}

const openWithAll = async (): Promise<HTMLElement> => {
  await renderConsole(<ChannelsScreen />, '/channel?status=2&not=status&size=10')
  await userEvent.click(await screen.findByRole('checkbox', { name: '选择本页全部' }))
  await userEvent.click(screen.getByRole('button', { name: '选择匹配的全部 12 条' }))
  return screen.getByRole('toolbar', { name: '已选择匹配的全部 12 条' })
}
const chooseMore = async (bar: HTMLElement, entry: string): Promise<void> => {
  await userEvent.click(within(bar).getByRole('button', { name: '更多' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: entry }))
}
type Rows = { rows: { id: number; model: string }[] }

it('tests all channels that match in one call, and shows what failed among them', async () => {
  const sent = fakeFetch({
    ...answers,
    'POST /api/channel/test/many': ({ body }) =>
      lines(
        ...(body as Rows).rows.map((row) =>
          row.id === 7
            ? { ...row, state: 'failed', error: 'status code 503: down' }
            : { ...row, state: 'ok', time: 1, first_content_time: null, answer: '' },
        ),
      ),
  })
  const bar = await openWithAll()
  await userEvent.click(within(bar).getByRole('button', { name: '测试所选渠道' }))
  const panel = await screen.findByRole('dialog', { name: '测试 12 个渠道' })
  await userEvent.click(within(panel).getByRole('button', { name: '测试全部' }))
  expect(await within(panel).findByText('12 / 12，1 个失败')).toBeTruthy()
  await userEvent.click(within(panel).getByRole('button', { name: '只看失败的' }))
  expect(
    within(panel)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([expect.stringContaining('c7')])
  const requests = sent.filter(({ path }) => path === '/api/channel/test/many')
  expect(requests.map(({ body }) => (body as Rows).rows.length)).toEqual([12])
  const read = sent.filter(({ path, query }) => path === '/api/channel/browse' && query.page_size === '100')
  expect(read.map(({ query }) => [query.p, query.status, query.not, query.sort])).toEqual([['1', '2', 'status', '-id']])
})

it('says why none was tested when the call is refused, and tries them again', async () => {
  let isBroken = true
  fakeFetch({
    ...answers,
    'POST /api/channel/test/many': ({ body }) => {
      const ok = (body as Rows).rows.map((row) => ({
        ...row,
        state: 'ok',
        time: 1,
        first_content_time: null,
        answer: '',
      }))
      return isBroken ? refused('不行') : lines(...ok)
    },
  })
  const bar = await openWithAll()
  await userEvent.click(within(bar).getByRole('button', { name: '测试所选渠道' }))
  const panel = await screen.findByRole('dialog', { name: '测试 12 个渠道' })
  await userEvent.click(within(panel).getByRole('button', { name: '测试全部' }))
  expect(await within(panel).findByText('12 / 12，12 个失败')).toBeTruthy()
  isBroken = false
  await userEvent.click(within(panel).getByRole('button', { name: '重试失败的 12 个' }))
  expect(await within(panel).findByText('12 / 12，0 个失败')).toBeTruthy()
})

it('gives all that match other groups', async () => {
  const sent = fakeFetch({
    ...answers,
    'POST /api/channel/batch/run': () => ({ done: 12, failed: [], before: [], next: null }),
  })
  await chooseMore(await openWithAll(), '设置分组')
  const dialog = await screen.findByRole('dialog', { name: '设置分组' })
  await userEvent.click(within(dialog).getByRole('button', { name: '应用' }))
  expect(await within(dialog).findByText('请选择分组')).toBeTruthy()
  await userEvent.click(await within(dialog).findByRole('checkbox', { name: 'vip' }))
  await userEvent.click(within(dialog).getByRole('checkbox', { name: 'eu' }))
  await userEvent.click(within(dialog).getByRole('button', { name: '应用' }))
  expect(await screen.findByText('已将 12 个渠道的分组设为 vip,eu')).toBeTruthy()
  expect(sent.find(({ path }) => path === '/api/channel/batch/run')?.body).toEqual({
    which: { filter: { status: '2', not: 'status' } },
    act: { kind: 'group', group: 'vip,eu' },
  })
})

it('compares all that match with their upstreams, asks the failed ones again, and applies what is ticked', async () => {
  let isDown = true
  const offer = (id: number) => {
    if (id === 7 && isDown) return { id, error: 'status code: 503' }
    return { id, models: id > 10 || id === 7 ? ['a', 'new', 'other'] : ['a', 'old'] }
  }
  const sent = fakeFetch({
    ...answers,
    'POST /api/channel/fetch_models/many': ({ body }) => lines(...(body as { ids: number[] }).ids.map(offer)),
    'POST /api/channel/batch/models': ({ body }) => {
      const { rows } = body as { rows: { id: number }[] }
      const failed = rows.length === 3 ? [{ id: 7, name: 'c7', reason: '锁定' }] : []
      return { done: rows.length - failed.length, failed, before: [], next: null }
    },
  })
  await chooseMore(await openWithAll(), '更新模型列表')
  const panel = await screen.findByRole('dialog', { name: '更新 12 个渠道的模型列表' })
  expect(await within(panel).findByText('12 / 12，1 个失败')).toBeTruthy()
  expect(within(panel).getByText('status code: 503')).toBeTruthy()
  expect(within(panel).getByText('9 个渠道没有变化')).toBeTruthy()
  isDown = false
  await userEvent.click(within(panel).getByRole('button', { name: '重试失败的 1 个' }))
  expect(await within(panel).findByText('3 个渠道有变化')).toBeTruthy()
  await userEvent.click(within(panel).getByText('c12'))
  await userEvent.click(await within(panel).findByRole('checkbox', { name: 'other' }))
  await userEvent.click(within(panel).getByRole('button', { name: '移除上游已无的模型' }))
  await userEvent.click(within(panel).getByRole('button', { name: '应用到 3 个渠道' }))
  const summary = await screen.findByRole('dialog', { name: '2 个成功，1 个失败' })
  await userEvent.click(within(summary).getByRole('button', { name: '重试失败的 1 个' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const changes = sent.filter(({ path }) => path === '/api/channel/batch/models').map(({ body }) => (body as Rows).rows)
  const whole = { add: ['new', 'other'], remove: ['old'] }
  expect(changes).toEqual([
    [
      { id: 12, add: ['new'], remove: ['old'] },
      { id: 11, ...whole },
      { id: 7, ...whole },
    ],
    [{ id: 7, ...whole }],
  ])
})
