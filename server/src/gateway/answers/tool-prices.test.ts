import { expect, it } from 'vitest'
import { bookWith, defaultSettings } from '../../../test/support/billing/price.ts'
import {
  ask,
  channel,
  lastRecord,
  reopenGateway,
  upstream,
  useChannels,
  useScene,
} from '../../../test/support/gateway/scene.ts'
import { json } from '../../../test/support/gateway/upstream.ts'

/** Tools cost what the model costs that the upstream was asked for, whatever the operator calls it. */

useScene()

const ratios = { ...defaultSettings.modelRatio, 'house-model': 1, 'gpt-4o': 1, 'gpt-5': 1 }
const book = bookWith({
  modelRatio: ratios,
  toolPrices: { web_search: 10, 'web_search:gpt-4o*': 25, 'web_search:house-model': 99, 'file_search:gpt-5': 2 },
})

const items = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    id: `ws_${at}`,
    type: 'web_search_call',
    status: 'completed',
    action: { type: 'search', query: 'x' },
  }))
const response = {
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  tools: [{ type: 'web_search' }],
  output: [...items(3), { id: 'f', type: 'file_search_call', status: 'completed' }],
  usage: { input_tokens: 100, output_tokens: 10, total_tokens: 110 },
}

const toolsBilled = async (model: string, sent: string) => {
  await reopenGateway({ prices: book })
  useChannels(channel({ modelMapping: new Map([[model, sent]]) }))
  upstream.answer = json({ ...response, model: sent })
  await ask({ model, input: 'hi', tools: [{ type: 'web_search' }] }, '/v1/responses')
  return lastRecord()?.receipt?.tools
}

const bill = (search: string, file: string) => [
  { tool: 'web_search', quantity: 3, price: search },
  { tool: 'file_search', quantity: 1, price: file },
]

it.each([
  ['the name of the operator', 'house-model', 'gpt-4o-mini', bill('25', '0')],
  ['another provider’s name', 'gpt-4o', 'gpt-5', bill('10', '2')],
  ['no mapping', 'house-model', 'house-model', bill('99', '0')],
  ['a model without prices of its own', 'gpt-4o', 'o3', bill('10', '0')],
])('a call under %s', async (_, model, sent, billed) => {
  expect(await toolsBilled(model, sent)).toEqual(billed)
})

it('the other figures stay those of the caller’s model', async () => {
  await toolsBilled('house-model', 'gpt-4o')
  expect(lastRecord()).toMatchObject({ model: 'house-model', receipt: { model_ratio: '1' }, other: { model_ratio: 1 } })
})
