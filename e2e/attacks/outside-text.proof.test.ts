import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Bench, hello, openBench } from '../support/bench.ts'
import { addChannel } from '../support/operator.ts'
import { chunk, json, streamThen } from '../support/scripted-upstream.ts'

/** Clients and upstreams that write into headers, and streams that are cut off, in front of the built product. */

let bench: Bench
const model = 'claude-3-5-sonnet-20241022'
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model,
  content: [{ type: 'text', text: 'Hello' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 12, output_tokens: 3 },
}

beforeAll(async () => {
  bench = await openBench()
  const { operator, upstream } = bench
  await addChannel(operator, upstream.url, { name: 'claude', type: 14, key: 'sk-claude', models: model })
})
afterAll(() => bench?.close())

const verified = async (): Promise<string> => {
  const command = join(import.meta.dirname, '../../server/src/ledger/verify/verify-command.ts')
  const env = { ...process.env, DATA_DIR: bench.site.directory }
  return (await promisify(execFile)(process.execPath, [command], { env })).stdout
}

const bodies: readonly (readonly [string, object])[] = [
  ['a member in Chinese', { 备注: 1 }],
  [
    'a part type with line ends',
    { messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }, { type: 'x\r\nset-cookie: a=b' }] }] },
  ],
  ['65 kB of letters', { ['a'.repeat(65_536)]: 1 }],
  ['10,000 members', Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`member${index}`, 1]))],
  ['a member with NUL', { 'x\0y': 1 }],
]

it.each(bodies)('%s is answered, charged once and in the log', async (_, members) => {
  bench.upstream.answer = json({ ...message, content: [...message.content, { type: '思考\r\n' }] })
  const before = await bench.books.balance(bench.customer.id)
  const { status, headers, requestId, text } = await bench.ask({ body: { ...hello, ...members, model } })
  expect({ status, text }).toMatchObject({ status: 200 })
  expect(JSON.parse(text)).toMatchObject({ choices: [{ message: { content: 'Hello' } }] })
  expect(headers.get('x-tollgate-lost-fields')).toMatch(/^[\x20-\x7e]{1,2048}$/)
  expect(headers.get('set-cookie')).toBeNull()
  const entry = await bench.books.entry(requestId)
  expect(entry).toMatchObject({ type: 2 })
  expect(before - (await bench.books.balance(bench.customer.id))).toBe(entry.quota)
})

it('a stream that ends without a reason and a mark is broken, and what came is paid for', async () => {
  bench.upstream.answer = streamThen([chunk({ content: 'half an' }), chunk({ content: ' answer' })], ({ response }) =>
    response.end(),
  )
  const { requestId, text } = await bench.ask({ body: { ...hello, stream: true } })
  expect(text).not.toContain('[DONE]')
  expect(text).toContain('"code":"upstream_broke"')
  const entry = await bench.books.entry(requestId)
  expect(entry).toMatchObject({ type: 2, other: { end: 'upstream_broke' } })
  expect(entry.quota).toBeGreaterThan(0)
})

it('leaves books and a log that agree', async () => {
  expect(await verified()).toMatch(/, 6 charges and 6 log rows compared: 0 differences\.\n$/)
  expect(bench.site.output()).not.toContain('relay_call_failed')
})
