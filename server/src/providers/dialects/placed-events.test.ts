import { expect, it } from 'vitest'
import { placedEvents } from './placed-events.ts'

const sent = (events: readonly object[]): unknown[] => {
  const frames = placedEvents()
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  return [...frames.push(Buffer.from(text)), ...frames.rest()].map((message) => JSON.parse(message) as unknown)
}

it('numbers events, and places those of an item where the item stands', () => {
  const events = [
    { type: 'response.created', response: { id: 'r' } },
    { type: 'response.output_item.added', item: { id: 'rs', type: 'reasoning' } },
    { type: 'response.reasoning_text.delta', item_id: 'rs', delta: 'hm' },
    { type: 'response.output_item.added', item: { id: 'm', type: 'message' } },
    { type: 'response.output_text.delta', item_id: 'm', delta: 'a' },
    // llama.cpp closes the reasoning only after the message has begun.
    { type: 'response.output_item.done', item: { id: 'rs', type: 'reasoning' } },
    { type: 'response.output_text.delta', item_id: 'm', delta: 'b' },
    { type: 'response.completed', response: { id: 'r' } },
  ]
  expect(sent(events)).toEqual([
    { ...events[0], sequence_number: 0 },
    { ...events[1], sequence_number: 1, output_index: 0 },
    { ...events[2], sequence_number: 2, output_index: 0, content_index: 0 },
    { ...events[3], sequence_number: 3, output_index: 1 },
    { ...events[4], sequence_number: 4, output_index: 1, content_index: 0 },
    { ...events[5], sequence_number: 5, output_index: 0 },
    { ...events[6], sequence_number: 6, output_index: 1, content_index: 0 },
    { ...events[7], sequence_number: 7 },
  ])
})

it('leaves what is numbered', () => {
  const events = [
    { type: 'response.output_item.added', sequence_number: 7, output_index: 3, item: { id: 'm' } },
    {
      type: 'response.output_text.delta',
      sequence_number: 8,
      output_index: 3,
      content_index: 2,
      item_id: 'm',
      delta: 'a',
    },
  ]
  expect(sent(events)).toEqual(events)
})

it('leaves what is no event of a response', () => {
  const frames = placedEvents()
  expect(frames.push(Buffer.from('data: [DONE]\n\ndata: {"type":"ping"}\n\n'))).toEqual(['[DONE]', '{"type":"ping"}'])
})
