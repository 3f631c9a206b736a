import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { storeUser } from '../../lib/api/session.ts'
import { type FakeAnswer, fakeFetch } from '../../test/fake-fetch.ts'
import { renderConsole } from '../../test/render-console.tsx'
import type { PriceSuggestion } from './adopt-prices.ts'
import { UnpricedModels } from './unpriced-models.tsx'
import type { UnpricedModel } from './use-unpriced.ts'

const like: PriceSuggestion = {
  model: 'gpt-x',
  provider: 'openai',
  version: 'list 1',
  ratio: 1,
  completion_ratio: 4,
  cache_ratio: 0.1,
  price: { rates: { input: '2', output: '8', cache_read: '0.2' } },
}
const models: UnpricedModel[] = [
  { model: 'gpt-x-new', suggestions: [like] },
  { model: 'other', suggestions: [{ ...like, model: 'o', ratio: 2, cache_ratio: undefined }] },
  { model: 'odd', suggestions: [] },
]
const stored = [
  { key: 'ModelRatio', value: '{"mine":7}' },
  { key: 'CompletionRatio', value: '{}' },
  { key: 'CacheRatio', value: '{}' },
]

const open = async (role = 100, put: FakeAnswer = () => ({ refused: [] })) => {
  storeUser({ id: 1, username: 'root', display_name: '', role, status: 1, group: 'default' })
  const sent = fakeFetch({
    'GET /api/option/': () => Response.json({ success: true, message: '', data: stored, stored_secrets: [] }),
    'PUT /api/option/batch': put,
  })
  await renderConsole(<UnpricedModels models={models} />, '/channel')
  const saved = () =>
    (sent.find(({ method }) => method === 'PUT')?.body as { changes: { key: string; value: string }[] } | undefined)
      ?.changes
  return { saved }
}

it('adopt the price of a similar model with one click, beside the prices that are set', async () => {
  const { saved } = await open()
  await userEvent.click(await screen.findByRole('button', { name: '为 gpt-x-new 采用 gpt-x 的价格' }))
  await waitFor(() => expect(saved()).toBeDefined())
  expect(saved()).toEqual([
    { key: 'ModelRatio', value: '{"mine":7,"gpt-x-new":1}', was: '{"mine":7}' },
    { key: 'CompletionRatio', value: '{"gpt-x-new":4}', was: '{}' },
    { key: 'CacheRatio', value: '{"gpt-x-new":0.1}', was: '{}' },
  ])
})

it('adopt all that have a similar model together', async () => {
  const { saved } = await open()
  await userEvent.click(await screen.findByRole('button', { name: '全部采用（2）' }))
  await waitFor(() => expect(saved()).toBeDefined())
  expect(saved()?.map(({ value }) => value)).toEqual([
    '{"mine":7,"gpt-x-new":1,"other":2}',
    '{"gpt-x-new":4,"other":4}',
    '{"gpt-x-new":0.1}',
  ])
})

it('are shown without a button to those who may not set prices', async () => {
  await open(10)
  expect(await screen.findByText('gpt-x-new')).toBeTruthy()
  expect(screen.getByText('没有相近的模型')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})
