import { expect, it } from 'vitest'
import { addBatch, batchesOf } from './batches.ts'

const joined = (text: string): unknown => {
  const { head, batches } = batchesOf(JSON.parse(text) as Record<string, unknown>)
  const moved = structuredClone(head)
  for (const batch of structuredClone(batches)) addBatch(moved, batch)
  return moved
}

it('puts a body together as it was, members in their order', () => {
  const long = Array.from({ length: 3000 }, (_, index) => ({ index, text: 'x'.repeat(700) }))
  const text = JSON.stringify({ model: 'm', messages: long, empty: [], numbers: [1, [2], null], a: { b: [] } })
  expect(JSON.stringify(joined(text))).toBe(text)
  expect(batchesOf(JSON.parse(text) as Record<string, unknown>).batches.length).toBeGreaterThan(4)
})

it.each(['{"__proto__":[{"a":1}],"b":2}', '{"constructor":[1],"b":{"__proto__":{"c":1}}}'])('keeps %s', (text) => {
  expect(JSON.stringify(joined(text))).toBe(text)
  expect(Object.prototype).not.toHaveProperty('a')
})
