import { GoogleGenAI, Type } from '@google/genai'
import { expect, it } from 'vitest'
import { gateway, sentBody, upstream, useScene } from '../support/gateway/scene.ts'
import { completion, done, json, stream } from '../support/gateway/upstream.ts'

/** Google’s client in front of a provider whose rules are narrower than Google’s. */

useScene()

const client = () => new GoogleGenAI({ apiKey: 'sk-good', httpOptions: { baseUrl: gateway.url } })
const model = 'gpt-4o'

it('calls its tools by names that only Google allows', async () => {
  const tools = [{ functionDeclarations: [{ name: 'files.read' }] }]
  const sentName = () => JSON.parse(sentBody()).tools[0].function.name as string
  upstream.answer = (call) => {
    const name = JSON.parse(call.body.toString()).tools[0].function.name
    const tool_calls = [{ index: 0, id: 'c1', type: 'function', function: { name, arguments: '{"a":1}' } }]
    const choice = { index: 0, delta: { role: 'assistant', tool_calls }, finish_reason: 'tool_calls' }
    stream(`data: ${JSON.stringify({ id: 'x', model, choices: [choice] })}\n\n`, done)(call)
  }
  const chat = client().chats.create({ model, config: { tools } })
  const received: unknown[] = []
  for await (const piece of await chat.sendMessageStream({ message: 'go' }))
    received.push(...(piece.functionCalls ?? []))
  expect(received).toMatchObject([{ name: 'files.read', args: { a: 1 } }])
  expect(sentName()).toBe('files_read')
  upstream.answer = json(completion('Done'))
  const message = [{ functionResponse: { id: 'c1', name: 'files.read', response: { ok: true } } }]
  expect((await chat.sendMessage({ message })).text).toBe('Done')
  expect(JSON.parse(sentBody()).messages).toMatchObject([
    {},
    { tool_calls: [{ id: 'c1', function: { name: 'files_read' } }] },
    { role: 'tool', tool_call_id: 'c1' },
  ])
})

it('a client gets lists and enum values from providers that support object schemas only', async () => {
  const ask = (responseMimeType: string, responseSchema: object) =>
    client().models.generateContent({ model, contents: 'go', config: { responseMimeType, responseSchema } })
  upstream.answer = json(completion('{"value":["a","b"]}'))
  const list = await ask('application/json', { type: Type.ARRAY, items: { type: Type.STRING } })
  expect(JSON.parse(list.text ?? '')).toEqual(['a', 'b'])
  expect(JSON.parse(sentBody()).response_format.json_schema.schema.type).toBe('object')
  upstream.answer = json(completion('{"value":"red"}'))
  expect((await ask('text/x.enum', { type: Type.STRING, enum: ['red', 'blue'] })).text).toBe('red')
})
