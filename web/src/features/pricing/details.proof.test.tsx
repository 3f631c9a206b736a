import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { FakeAnswer } from '../../test/fake-fetch.ts'
import { answerWith, item, models, open, rowOf, search, startAfresh } from './testing-pricing.tsx'

const more = [
  ...models,
  item('nobodys', { enable_groups: [] }),
  item('talks', { audio_ratio: 16, audio_completion_ratio: 2 }),
  item('hears', { audio_ratio: 3 }),
]
const openList = (path: string, answers: Readonly<Record<string, FakeAnswer>> = {}) =>
  open(path, { 'GET /api/pricing': answerWith(more), ...answers })

beforeEach(startAfresh)
afterEach(() => void vi.restoreAllMocks())

it('opens the sheet of a model over the list, with its prices in every group that serves it', async () => {
  const { router, sent } = await openList('/pricing?group=vip')
  await userEvent.click(within(await rowOf('only-vip')).getByRole('button', { name: 'only-vip' }))
  expect(search(router)).toBe('?group=vip&model=only-vip')
  const only = await screen.findByRole('dialog', { name: 'only-vip' })
  expect(within(only).getAllByRole('listitem')).toHaveLength(1)
  await router.navigate({ to: '/pricing?model=talks' as '/' })
  const sheet = await screen.findByRole('dialog', { name: 'talks' })
  const [own, vip] = within(sheet).getAllByRole('listitem')
  expect(own?.textContent).toBe(
    'default（当前查看）×1默认分组输入 / 1M$2.50输出 / 1M$10.00缓存输入 / 1M$1.25缓存写入（5 分钟） / 1M$3.125' +
      '音频输入 / 1M$40.00音频输出 / 1M$80.00',
  )
  expect(vip?.textContent).toContain('音频输出 / 1M$40.00')
  await router.navigate({ to: '/pricing?model=hears' as '/' })
  const hears = await screen.findByRole('dialog', { name: 'hears' })
  expect(hears.textContent).toContain('音频输入 / 1M$7.50')
  expect(hears.textContent).not.toContain('音频输出')
  await router.navigate({ to: '/pricing?model=talks' as '/' })
  await screen.findByRole('dialog', { name: 'talks' })
  const code = () => sheet.querySelector('pre')?.textContent
  // Code is coloured, and so follows, when there is time for it.
  const call = /^curl 'https:\/\/gate.test\/v1\/chat\/completions'[\s\S]*"model":"talks"/
  await waitFor(() => expect(code()).toMatch(call))
  await userEvent.click(within(sheet).getByRole('button', { name: 'Python' }))
  await waitFor(() => expect(code()).toContain('base_url="https://gate.test/v1"'))
  // A visitor has no session: only what is public is requested.
  expect(new Set(sent.map(({ path }) => path))).toEqual(
    new Set(['/api/pricing', '/api/pricing/history', '/api/models/cards', '/api/models/measures']),
  )
})

it('leads from the sheet of a model to the playground, and to its calculation and back', async () => {
  const { router } = await openList('/pricing', { 'GET /api/pricing/estimate': () => [] })
  const opener = within(await rowOf('only-vip')).getByRole('button', { name: 'only-vip' })
  opener.focus()
  await userEvent.keyboard('{Enter}')
  const sheet = await screen.findByRole('dialog', { name: 'only-vip' })
  const link = within(sheet).getByRole('link', { name: '在操练场试用' })
  expect(link.getAttribute('href')).toBe('/playground?model=only-vip&group=vip')
  await userEvent.click(within(sheet).getByRole('button', { name: '计算费用' }))
  await screen.findByRole('dialog', { name: /价格计算器/ })
  expect(screen.queryByRole('dialog', { name: 'only-vip' })).toBeNull()
  await userEvent.keyboard('{Escape}')
  expect(await screen.findByRole('dialog', { name: 'only-vip' })).toBeTruthy()
  await waitFor(() => expect(search(router)).toBe('?model=only-vip'))
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(opener))
})

it('says what a model costs per call, that nobody may call it, or that there is none', async () => {
  const { router } = await openList('/pricing?model=dall-e-3')
  const drawn = await screen.findByRole('dialog', { name: 'dall-e-3' })
  expect(within(drawn).getAllByRole('listitem')[1]?.textContent).toBe('vip×0.5VIP 分组每次调用$0.02')
  await router.navigate({ to: '/pricing?model=nobodys' as '/' })
  const nobodys = await screen.findByRole('dialog', { name: 'nobodys' })
  expect(within(nobodys).getByText('你的分组无法使用此模型。')).toBeTruthy()
  expect(within(nobodys).queryByRole('link', { name: '在游乐场试用' })).toBeNull()
  await router.navigate({ to: '/pricing?model=left' as '/' })
  expect(await screen.findByText('“left” 不在本站的模型列表中，可能已下架。')).toBeTruthy()
})

it('compares two to four selected models in one group', async () => {
  const user = userEvent.setup()
  const { router } = await openList('/pricing?group=vip')
  const select = async (name: string) => user.click(await screen.findByRole('checkbox', { name: `选择 ${name}` }))
  await select('gpt-4o')
  await user.click(screen.getByRole('button', { name: '对比选中模型' }))
  expect(await screen.findByText('请选择 2 至 4 个模型进行对比')).toBeTruthy()
  await select('a-model')
  await select('dall-e-3')
  await user.click(screen.getByRole('button', { name: '对比选中模型' }))
  await waitFor(() => expect(search(router)).toBe('?group=vip&compare=gpt-4o,a-model,dall-e-3'))
  const table = await screen.findByRole('table', { name: '模型对比' })
  const cells = (label: string): (string | null)[] =>
    within(within(table).getByRole('row', { name: new RegExp(`^${label}`) }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent)
  expect(cells('输入')).toEqual(['$1.25最低价的 8.33 倍', '$0.15最低', '–'])
  expect(cells('每次调用')).toEqual(['–', '–', '$0.02'])
  await user.click(within(table).getByRole('button', { name: 'a-model 的详情' }))
  await screen.findByRole('dialog', { name: 'a-model' })
  await user.keyboard('{Escape}')
  expect(await screen.findByRole('table', { name: '模型对比' })).toBeTruthy()
})

it('compares in the group that is chosen, which may not serve all of them, and names those that are gone', async () => {
  const { router } = await openList('/pricing?compare=only-vip,gpt-4o,left')
  const dialog = await screen.findByRole('dialog', { name: '模型对比' })
  expect(within(dialog).getByText('不在列表中：left')).toBeTruthy()
  const input = () => within(dialog).getByRole('row', { name: /^输入/ }).textContent
  expect(input()).toBe('输入 / 1M–$2.50')
  await userEvent.selectOptions(within(dialog).getByRole('combobox', { name: '分组' }), 'vip')
  await waitFor(() => expect(input()).toBe('输入 / 1M$1.25$1.25'))
  expect(search(router)).toBe('?compare=only-vip,gpt-4o,left&group=vip')
})

it('shows cards on a phone, which open the sheet, and compares models one under the other', async () => {
  const wide = window.matchMedia
  vi.spyOn(window, 'matchMedia').mockImplementation((query) => ({
    ...wide(query),
    matches: query.includes('max-width'),
  }))
  const { router } = await openList('/pricing')
  const card = (await screen.findByRole('button', { name: 'gpt-4o' })).closest('li')
  expect(card?.textContent).toMatch(/^gpt-4o输入 \/ 1M\$2\.50输出 \/ 1M\$10\.00$/)
  await userEvent.click(screen.getByRole('button', { name: 'gpt-4o' }))
  expect(await screen.findByRole('dialog', { name: 'gpt-4o' })).toBeTruthy()
  await router.navigate({ to: '/pricing?compare=gpt-4o,dall-e-3' as '/' })
  const compared = within(await screen.findByRole('dialog', { name: '模型对比' })).getAllByRole('listitem')
  expect(compared.map(({ textContent }) => textContent?.split('可用性')[0])).toEqual([
    'gpt-4o输入 / 1M$2.50输出 / 1M$10.00缓存输入 / 1M$1.25缓存写入（5 分钟） / 1M$3.125',
    'dall-e-3每次调用$0.04',
  ])
})
