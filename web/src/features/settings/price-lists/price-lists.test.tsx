import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import type { ListPriceChange, PriceVersion } from '../../../lib/api/contract.ts'
import { button, open, userEvent } from '../testing-settings.tsx'

const version = (more: Partial<PriceVersion>): PriceVersion => ({
  id: 2,
  name: 'sync 2',
  created_at: 1_790_000_000,
  decided_at: 0,
  effective_from: 0,
  kind: 'sync',
  source: 'litellm https://prices.test/list.json',
  status: 'proposed',
  undoes: 0,
  actor_name: 'root',
  changes: 2,
  held: 1,
  ...more,
})

const price = (model: string, input: string) => ({
  provider: 'openai',
  model,
  source: '',
  prices: [{ rates: { input, output: '8' } }],
})

const changes: ListPriceChange[] = [
  {
    id: 5,
    provider: 'openai',
    model: 'gpt-x',
    served: ['gpt-x'],
    decision: 'apply',
    doubts: [],
    before: price('gpt-x', '2'),
    after: price('gpt-x', '1.5'),
  },
  {
    id: 6,
    provider: 'openai',
    model: 'gpt-y',
    served: [],
    doubts: [{ kind: 'input', reason: 'jump', factor: 10 }],
    before: price('gpt-y', '1'),
    after: price('gpt-y', '10'),
  },
]

const answers = (status: PriceVersion['status'] = 'proposed') => ({
  'GET /api/price_lists': () => ({
    lists: { name: 'genai-prices 0.1.8, tables 1', since: 1_780_000_000 },
    compared_at: 1_790_000_000,
    versions: [version({ status })],
  }),
  'GET /api/price_lists/2': () => ({ version: version({ status }), changes }),
  'POST /api/price_lists/2/apply': () => undefined,
  'POST /api/price_lists/2/undo': () => undefined,
})

afterEach(() => void vi.restoreAllMocks())

const path = '/settings?tab=operation&prices=lists'

it('apply a proposal only when somebody decided on what is held back', async () => {
  const { sent } = await open(path, { answers: answers() })
  expect(await screen.findByText('genai-prices 0.1.8, tables 1')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: /sync 2/ }))
  const sheet = await screen.findByRole('dialog')
  const applying = await within(sheet).findByRole('button', { name: '应用' })
  expect((applying as HTMLButtonElement).disabled).toBe(true)
  expect(within(sheet).getByText('输入：原价的 10 倍')).toBeTruthy()
  // Only what is held back is listed at first.
  expect(within(sheet).queryByText('gpt-x')).toBeNull()
  await userEvent.selectOptions(within(sheet).getByRole('combobox', { name: '决定: gpt-y' }), 'keep')
  await waitFor(() => expect((applying as HTMLButtonElement).disabled).toBe(false))
  await userEvent.click(applying)
  await waitFor(() =>
    expect(sent.find(({ path: called }) => called.endsWith('/apply'))?.body).toEqual({ decisions: { 6: 'keep' } }),
  )
})

it('undo a version that was applied', async () => {
  const { sent } = await open(`${path}&version=2`, { answers: answers('applied') })
  const sheet = await screen.findByRole('dialog')
  await userEvent.click(await within(sheet).findByRole('button', { name: '撤销此版本' }))
  await waitFor(() => expect(sent.some(({ path: called }) => called.endsWith('/2/undo'))).toBe(true))
})

it('are not there for administrators', async () => {
  await open('/settings?tab=operation', { role: 10 })
  expect(screen.queryByRole('tab', { name: '价格表' })).toBeNull()
})

it('stand without buttons that save and reset ratios, unless ratios wait to be saved', async () => {
  await open(path, { answers: answers() })
  await screen.findByText('genai-prices 0.1.8, tables 1')
  expect(() => button('重置模型倍率')).toThrow()
  expect(() => button('保存：模型价格')).toThrow()
  await userEvent.click(document.getElementById('price-tab-ratios') ?? expect.fail('no tab'))
  await waitFor(() => expect(button('重置模型倍率')).toBeTruthy())
  expect(button('保存：模型价格')).toBeTruthy()
})
