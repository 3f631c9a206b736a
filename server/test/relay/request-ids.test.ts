import { parseObject } from '@tollgate/contract/json'
import { expect, it } from 'vitest'
import {
  ask,
  channel,
  gateway,
  hi,
  hiStream,
  lastRecord,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { json } from '../support/gateway/upstream.ts'
import { testOptions } from '../support/relay/ports.ts'

useScene()

const answer = {
  id: 'gen-1700000000-abc',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
}
const chunk = (delta: object, more: object = {}) =>
  `data: ${JSON.stringify({ ...answer, usage: undefined, choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`
const stream = [chunk({ content: 'hello' }), chunk({}, { usage: answer.usage }), 'data: [DONE]\n\n'].join('')

const attempts = (): unknown => parseObject(JSON.stringify(lastRecord()?.other.admin_info)).attempts

const answered = async (headers: Record<string, string>, body: object = answer): Promise<unknown> => {
  upstream.answer = json(body, 200, headers)
  await (await ask(hi)).text()
  return attempts()
}

it.each([
  [{ 'x-request-id': 'req_1' }, 'req_1'],
  [{ 'request-id': 'req_2' }, 'req_2'],
  [{ 'x-request-id': 'behind-the-panel', 'x-oneapi-request-id': '2026112319' }, '2026112319'],
  [{ 'x-request-id': 'front', 'apim-request-id': 'apim-3' }, 'apim-3'],
  [{ 'x-amzn-requestid': 'aws-4' }, 'aws-4'],
  [{ 'x-request-id': 'x'.repeat(129) }, answer.id],
  [{ 'x-request-id': 'two words' }, answer.id],
  [{}, answer.id],
])('an attempt keeps the id by which the provider names the request: %j', async (headers, id) => {
  expect(await answered(headers)).toMatchObject([{ request_id: id }])
})

it.each([[{ id: '请求' }], [{ id: '' }], [{ id: 7 }], [{ id: 'a\u0000b' }]])(
  'an attempt has no id where the provider names none that can be kept: %j',
  async (names) => {
    const [made] = (await answered({}, { ...answer, ...names })) as object[]
    expect(made).not.toHaveProperty('request_id')
  },
)

it.each([
  [{ 'x-request-id': 'req_5' }, 'req_5'],
  [{}, answer.id],
])('streams, too: %j', async (headers, id) => {
  upstream.answer = ({ response }) =>
    void response.writeHead(200, { 'content-type': 'text/event-stream', ...headers }).end(stream)
  await (await ask(hiStream)).text()
  expect(attempts()).toMatchObject([{ request_id: id }])
})

it('each refused attempt keeps the id of its own', async () => {
  gateway.parts.settings = { ...testOptions, retryTimes: 1 }
  useChannels(channel({ id: 1, priority: 5 }), channel({ id: 2, priority: 0 }))
  let calls = 0
  upstream.answer = (call) => {
    calls += 1
    if (calls === 1) json({ error: { message: 'busy' } }, 503, { 'x-request-id': 'first' })(call)
    else json(answer, 200, { 'x-request-id': 'second' })(call)
  }
  const response = await ask(hi)
  expect(response.headers.get('x-request-id')).not.toBe('second')
  await response.text()
  expect(attempts()).toMatchObject([
    { channel: 1, status: 503, request_id: 'first' },
    { channel: 2, status: 200, request_id: 'second' },
  ])
})
