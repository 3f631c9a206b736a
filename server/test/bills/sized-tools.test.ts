import { defaultToolPrices } from '@tollgate/contract/prices'
import { expect, it } from 'vitest'
import { receiptOf } from '../../src/billing/cost.ts'
import { responseUsage } from '../../src/dialects/openai-responses/tools-used.ts'
import { billedTools } from '../../src/dialects/tools/provider-tools.ts'
import { bookWith } from '../support/billing/price.ts'

/** Tools that are sold in sizes, and calls of a search that are neither a search nor free. */

const price = bookWith({ modelRatio: { 'gpt-5.5': 1 }, modelPrice: {}, toolPrices: defaultToolPrices }).of(
  'gpt-5.5',
  'default',
  {
    acceptsUnpriced: false,
  },
)
const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }

const billOf = (tools: readonly object[], output: readonly object[]) => {
  const read = responseUsage({ object: 'response', tools, output, usage })
  if (read === undefined || price === undefined) throw new Error('no usage')
  const { tools: lines, provisional } = receiptOf(read, price, { estimated: false })
  return { lines, marks: (provisional ?? []).map(({ kind, name }) => `${kind} ${name}`) }
}

it.each([
  [undefined, 'code_interpreter', '30', false],
  ['1g', 'code_interpreter', '30', false],
  ['4g', 'code_interpreter_4g', '120', false],
  ['64g', 'code_interpreter_64g', '1920', false],
  ['256g', 'code_interpreter_256g', '1920', true],
])('a container of %s costs what its memory does', (memory_limit, tool, each, isMarked) => {
  const tools = [{ type: 'code_interpreter', container: { type: 'auto', memory_limit } }]
  const calls = [1, 2].map(() => ({ type: 'code_interpreter_call', status: 'completed', container_id: 'cntr_1' }))
  expect(billOf(tools, calls)).toEqual({
    lines: [{ tool, quantity: 1, price: each }],
    marks: isMarked ? [`tool ${tool}`] : [],
  })
  expect(billedTools({ tools })).toEqual([tool])
})

it.each([
  ['search', [['web_search', 1]], 0],
  ['open_page', [], 0],
  ['find_in_page', [], 0],
  ['deep_dive', [['web_search_deep_dive', 1]], 1],
])('a call of the search that does %s', (type, lines, marks) => {
  const bill = billOf([{ type: 'web_search' }], [{ type: 'web_search_call', status: 'completed', action: { type } }])
  expect((bill.lines ?? []).map(({ tool, quantity }) => [tool, quantity])).toEqual(lines)
  expect(bill.marks).toHaveLength(marks)
})
