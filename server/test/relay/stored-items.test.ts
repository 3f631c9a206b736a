import { describe, expect, it } from 'vitest'
import { respond, response, responseStream } from '../support/gateway/dialects.ts'
import { testToken, testUser } from '../support/gateway/listener.ts'
import { gateway, upstream, useScene } from '../support/gateway/scene.ts'
import { json, stream } from '../support/gateway/upstream.ts'

/** Items that a provider stores with a response: a later request may name them, and the provider reads them to whoever does. */

useScene()

const ask = (key: string, more: object) =>
  fetch(`${gateway.url}/v1/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...respond, ...more }),
  })

const references: readonly (readonly [string, object])[] = [
  ['by a reference', { input: [{ type: 'item_reference', id: 'msg_1' }] }],
  ['by a reference without a type', { input: [{ id: 'msg_1' }] }],
  [
    'beside other items',
    {
      input: [
        { role: 'user', content: 'hi' },
        { type: 'item_reference', id: 'msg_1' },
      ],
    },
  ],
  ['as reasoning without its seal', { input: [{ type: 'reasoning', id: 'msg_1', summary: [] }] }],
]

describe.each([
  ['whole', false],
  ['streamed', true],
])('the items of a response that came %s', (_, streamed) => {
  it.each(references)('are named %s by who made them, and by nobody else', async (_name, reference) => {
    gateway.tokens.set('other', { ...testToken, tokenId: 4, user: { ...testUser, id: 99, username: 'ben' } })
    upstream.answer = streamed ? stream(...responseStream) : json(response)
    await (await ask('sk-good', { stream: streamed })).text()
    upstream.answer = json({ ...response, id: 'resp_2', output: [] })
    expect((await ask('sk-good', reference)).status).toBe(200)
    const sent = upstream.received.length
    const refused = await ask('sk-other', reference)
    expect([refused.status, await refused.text()]).toEqual([404, expect.stringContaining('msg_1')])
    expect(upstream.received.length).toBe(sent)
  })
})

it('are not asked for where a request holds them', async () => {
  upstream.answer = json(response)
  const held = { input: [{ type: 'message', id: 'msg_1', role: 'assistant', content: [] }] }
  expect((await ask('sk-good', {})).status).toBe(200)
  gateway.tokens.set('other', { ...testToken, tokenId: 4, user: { ...testUser, id: 99, username: 'ben' } })
  expect((await ask('sk-other', held)).status).toBe(200)
})

it.each(['Previous_Response_Id', 'CONVERSATION'])(
  'refuses %s, which some servers read as the member itself',
  async (name) => {
    upstream.answer = json(response)
    expect((await ask('sk-good', { [name]: 'resp_1' })).status).toBe(400)
  },
)
