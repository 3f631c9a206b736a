import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import type { ModelCard } from '../../../lib/api/contract.ts'
import { storeUser } from '../../../lib/api/session.ts'
import { setLanguage } from '../../../lib/i18n.ts'
import { createQueryClient } from '../../../lib/query.ts'
import { fakeFetch } from '../../../test/fake-fetch.ts'
import { renderConsole } from '../../../test/render-console.tsx'
import { answerWith, item, startAfresh } from '../testing-pricing.tsx'
import { ModelScreen } from './screen.tsx'

const name = 'deepseek-ai/DeepSeek-V3'
const card: ModelCard = {
  model: name,
  maker: 'DeepSeek',
  description: 'Open weights.',
  kind: 'chat',
  context: 128_000,
  max_output: 8192,
  takes: ['text'],
  can: ['tools'],
  knowledge: '2024-07',
  retires: '2026-12-31',
  replaced_by: '',
  tags: [],
  hidden: false,
  endpoints: ['/v1/chat/completions'],
  edited: true,
}
const figures = { first_p50: 920, first_p95: 2000, speed: 84, uptime: 0.9994, days: [1, null] }
const channel = { channel_id: 3, name: 'Direct', type: 43, calls: 30, ...figures }

const open = (path = `/pricing/model/${name}`, measures: readonly unknown[] = [{ model: name, ...figures }]) => {
  const sent = fakeFetch({
    'GET /api/pricing': answerWith([item(name)]),
    'GET /api/models/cards': () => [card],
    'GET /api/models/measures': () => measures,
    'GET /api/models/use': () => ({
      channels: [channel, { ...channel, channel_id: 4, name: '', type: 0, calls: 10, uptime: null }],
      users: [{ user_id: 7, username: 'alice', calls: 40, quota: 500_000 }],
      refused: [{ cause: 'quota', calls: 1 }],
      calls: 40,
      quota: 500_000,
    }),
    'GET /api/pricing/history': () => [],
    'DELETE /api/models/card': () => ({ ...card, edited: false }),
    'PUT /api/models/card': () => card,
  })
  const view = renderConsole(<ModelScreen />, path, createQueryClient(), '/pricing/model/$')
  return view.then((rendered) => ({ ...rendered, sent }))
}
const signIn = (role: number): void =>
  storeUser({ id: 1, username: 'root', display_name: '', role, status: 1, group: 'default' })

beforeEach(() => {
  startAfresh()
  setLanguage('en')
})

it('shows prices, facts and measures of a model whose name has a slash', async () => {
  await open()
  expect(await screen.findByRole('heading', { level: 1, name: new RegExp(name) })).toBeTruthy()
  const rows = within(screen.getByRole('table', { name: 'Price' })).getAllByRole('row')
  expect(rows[1]?.textContent).toBe('Input$2.50$1.25')
  expect(screen.getByText('up to 2024-07')).toBeTruthy()
  expect(screen.getByText('2026-12-31')).toBeTruthy()
  expect(screen.getByRole('table', { name: 'Speed and uptime' }).textContent).toContain(
    'All channels0.92 s2.00 s84 tok/s',
  )
  expect(screen.queryByRole('button', { name: 'Edit card' })).toBeNull()
})

it('shows ratios on demand', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Show ratios' }))
  const rows = within(screen.getByRole('table', { name: 'Price' })).getAllByRole('row')
  expect(rows[0]?.textContent).toBe('ItemRatioGroup default ×1Group vip ×0.5')
  expect(rows[2]?.textContent).toBe('Output4$10.00$5.00')
})

it('shows operators each channel, deleted ones too, and who uses it', async () => {
  signIn(10)
  await open()
  const speed = await screen.findByRole('table', { name: 'Speed and uptime' })
  expect(within(speed).getByRole('link', { name: 'Direct' }).getAttribute('href')).toBe('/channel/edit/3')
  expect(speed.textContent).toContain('75.0%')
  expect(speed.textContent).toContain('Deleted channel #4')
  expect(screen.getByText('Refused before routing: no balance 1')).toBeTruthy()
  const users = screen.getByRole('table', { name: 'Top users' })
  expect(within(users).getByRole('link', { name: 'alice' }).getAttribute('href')).toBe('/user/7')
  expect(users.textContent).toContain('$1.00')
})

it('takes what operators say, and goes back to the facts', async () => {
  signIn(10)
  const { sent } = await open(`/pricing/model/${name}?edit=1`)
  const sheet = await screen.findByRole('dialog', { name: `Edit ${name}` })
  const about = within(sheet).getByLabelText('Description')
  await userEvent.clear(about)
  await userEvent.type(about, 'Ours.')
  await userEvent.click(within(sheet).getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(sent.find(({ method }) => method === 'PUT')?.body).toMatchObject({ model: name, description: 'Ours.' }),
  )
})

it('says that there is no such model', async () => {
  await open('/pricing/model/nothing/here')
  expect(await screen.findByRole('heading', { name: 'Model not found' })).toBeTruthy()
})

it('says nothing about calls to visitors where their speed is not public', async () => {
  await open(undefined, [])
  expect(await screen.findByRole('heading', { level: 1, name: new RegExp(name) })).toBeTruthy()
  expect(screen.queryByText('No calls in the last 30 days')).toBeNull()
  expect(screen.queryByText('Uptime')).toBeNull()
})
