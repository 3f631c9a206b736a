import { expect, it } from 'vitest'
import { collect } from '../conversation/collect.ts'
import { openaiResponses } from './dialect.ts'

it('a call that comes as a whole item, without a beginning, is one', () => {
  const reader = openaiResponses.openStream()
  const item = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'look', arguments: '{"at":1}' }
  const events = [
    { type: 'response.created', response: { id: 'resp_1', model: 'm' } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id: 'resp_1', status: 'completed', output: [item] } },
  ].flatMap((event) => reader.read(JSON.stringify(event), ''))
  expect(collect(events).choices).toMatchObject([
    { finish: 'tool_calls', parts: [{ kind: 'tool_call', id: 'call_1', name: 'look', arguments: '{"at":1}' }] },
  ])
})
