import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { claude, message, messageStream, respond, response } from '../support/gateway/dialects.ts'
import { testToken } from '../support/gateway/listener.ts'
import {
  channel,
  gateway,
  hi,
  holdEnds,
  lastRecord,
  sentBody,
  upstream,
  useChannels,
  useScene,
} from '../support/gateway/scene.ts'
import { chunk, completion, done, json, stream, usageChunk } from '../support/gateway/upstream.ts'
import { testOptions } from '../support/relay/ports.ts'

useScene()

const client = (apiKey = 'sk-good') => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey, maxRetries: 0 })
const model = 'claude-sonnet-4-5'

/** Texts of the messages that the provider got last, in Anthropic's dialect. */
const sentTexts = (): string[] =>
  (JSON.parse(sentBody()) as { messages: { content: string | { text: string }[] }[] }).messages.map(({ content }) =>
    typeof content === 'string' ? content : content.map(({ text }) => text).join(''),
  )

const says = (id: string, text: string) => json({ ...message, id, content: [{ type: 'text', text }] })

describe('responses of a provider that stores none', () => {
  it('are gone on from by their id, turn after turn, streamed or not', async () => {
    useChannels(claude())
    upstream.answer = says('msg_1', 'one')
    const first = await client().responses.create({ model, input: 'a' })
    upstream.answer = stream(...messageStream.map((event) => event.replaceAll('msg_1', 'msg_2')))
    const events = await client().responses.create({ model, input: 'b', previous_response_id: first.id, stream: true })
    let second = ''
    for await (const event of events) if (event.type === 'response.completed') second = event.response.id
    expect(sentTexts()).toEqual(['a', 'one', 'b'])
    upstream.answer = says('msg_3', 'three')
    await client().responses.create({ model, input: 'c', previous_response_id: second, instructions: 'Anew.' })
    expect(sentTexts()).toEqual(['a', 'one', 'b', 'Say "message_stop"', 'c'])
    expect(JSON.parse(sentBody()).system).toBe('Anew.')
    // A branch from the first.
    await client().responses.create({ model, input: 'd', previous_response_id: first.id })
    expect(sentTexts()).toEqual(['a', 'one', 'd'])
    expect(gateway.parts.recorder.records.map(({ kind }) => kind)).toEqual(Array(4).fill('charge'))
    expect(holdEnds()).not.toContain('held')
  })

  it('are read, listed with what led to them, and deleted', async () => {
    useChannels(claude())
    upstream.answer = says('msg_1', 'one')
    const created = await client().responses.create({ model, input: 'a', metadata: { of: 'mine' } })
    expect(await client().responses.retrieve(created.id)).toMatchObject({
      id: created.id,
      output_text: 'one',
      metadata: { of: 'mine' },
    })
    const items = await client().responses.inputItems.list(created.id)
    expect(items.data).toMatchObject([{ role: 'user', content: [{ type: 'input_text', text: 'a' }] }])
    await expect(client().responses.cancel(created.id)).rejects.toMatchObject({ status: 400 })
    await client().responses.delete(created.id)
    await expect(client().responses.retrieve(created.id)).rejects.toMatchObject({ status: 404 })
    await expect(
      client().responses.create({ model, input: 'b', previous_response_id: created.id }),
    ).rejects.toMatchObject({ status: 400, message: expect.stringContaining('previous_response_id') })
  })

  it('belong to their key, are not stored for store: false, and nothing is stored for a group without storage', async () => {
    useChannels(claude())
    gateway.tokens.set('other', { ...testToken, tokenId: 4 })
    upstream.answer = says('msg_1', 'one')
    const created = await client().responses.create({ model, input: 'a' })
    await expect(client('sk-other').responses.retrieve(created.id)).rejects.toMatchObject({ status: 404 })
    upstream.answer = says('msg_2', 'two')
    const unstored = await client().responses.create({ model, input: 'a', store: false })
    await expect(client().responses.retrieve(unstored.id)).rejects.toMatchObject({ status: 404 })
    gateway.parts.settings = { ...testOptions, storage: { days: 30, without: new Set(['default']) } }
    upstream.answer = says('msg_3', 'three')
    const off = await client().responses.create({ model, input: 'a' })
    await expect(client().responses.retrieve(off.id)).rejects.toMatchObject({ status: 404 })
    await expect(client().conversations.create()).rejects.toMatchObject({ status: 403, code: 'storing_off' })
  })

  it('stay with a provider that stores them, which gets the id', async () => {
    upstream.answer = json(response)
    const created = await client().responses.create({ model: 'gpt-4o', input: 'a' })
    await client().responses.create({ model: 'gpt-4o', input: 'b', previous_response_id: created.id })
    expect(JSON.parse(sentBody())).toEqual({ model: 'gpt-4o', input: 'b', previous_response_id: created.id })
  })

  it('may be gone on from at a channel of OpenAI, which gets the whole conversation', async () => {
    useChannels(claude())
    upstream.answer = says('msg_1', 'one')
    const first = await client().responses.create({ model, input: 'a' })
    useChannels(channel())
    upstream.answer = json(response)
    await client().responses.create({ model: 'gpt-4o', input: 'b', previous_response_id: first.id })
    expect(JSON.parse(sentBody())).toEqual({
      model: 'gpt-4o',
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'a' }] },
        expect.objectContaining({ type: 'message', role: 'assistant' }),
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'b' }] },
      ],
    })
    expect(sentBody()).not.toContain('"id":')
  })

  it('are not stored where the call failed or broke off', async () => {
    useChannels(claude())
    upstream.answer = stream(...messageStream.slice(0, 4))
    const events = await client().responses.create({ model, input: 'a', stream: true })
    await expect(
      (async () => {
        for await (const { type } of events) expect(type).not.toBe('response.completed')
      })(),
    ).rejects.toThrow()
    await expect(client().responses.retrieve('msg_1')).rejects.toMatchObject({ status: 404 })
  })
})

describe('conversations', () => {
  it('grow with each response, at any provider', async () => {
    const made = await client().conversations.create({
      metadata: { topic: 'sea' },
      items: [{ type: 'message', role: 'user', content: 'My name is Ann.' }],
    })
    expect(made).toMatchObject({ object: 'conversation', metadata: { topic: 'sea' } })
    useChannels(claude())
    upstream.answer = says('msg_1', 'one')
    await client().responses.create({ model, input: 'a', conversation: made.id })
    expect(sentTexts().join('|')).toMatch(/^My name is Ann\.\|?a$/)
    useChannels(channel())
    upstream.answer = json(response)
    await client().responses.create({ model: 'gpt-4o', input: 'b', conversation: { id: made.id }, store: false })
    const sent = JSON.parse(sentBody())
    expect(sent.conversation).toBeUndefined()
    expect(sent.input).toHaveLength(4)
    const items = await client().conversations.items.list(made.id, { order: 'asc' })
    expect(items.data.map((item) => ('role' in item ? item.role : item.type))).toEqual([
      'user',
      'user',
      'assistant',
      'user',
      'assistant',
    ])
  })

  it('are read, changed and deleted, item by item and whole', async () => {
    const { id } = await client().conversations.create({})
    const added = await client().conversations.items.create(id, {
      items: [
        { type: 'message', role: 'user', content: 'a' },
        { type: 'message', role: 'user', content: 'b' },
      ],
    })
    const [first] = added.data
    if (first?.id === undefined) throw new Error('no item')
    const page = await client().conversations.items.list(id, { limit: 1 })
    expect([page.data.length, page.has_more]).toEqual([1, true])
    let all = 0
    for await (const _ of client().conversations.items.list(id, { limit: 1 })) all += 1
    expect(all).toBe(2)
    expect(await client().conversations.items.retrieve(first.id, { conversation_id: id })).toMatchObject({
      role: 'user',
    })
    await client().conversations.items.delete(first.id, { conversation_id: id })
    expect((await client().conversations.items.list(id)).data).toHaveLength(1)
    expect(await client().conversations.update(id, { metadata: { a: 'b' } })).toMatchObject({ metadata: { a: 'b' } })
    expect(await client().conversations.retrieve(id)).toMatchObject({ metadata: { a: 'b' } })
    expect(await client().conversations.delete(id)).toMatchObject({ deleted: true })
    await expect(client().conversations.items.list(id)).rejects.toMatchObject({ status: 404 })
  })

  it('are refused beside previous_response_id, and with what cannot be read', async () => {
    const both = { ...respond, previous_response_id: 'r', conversation: 'c' }
    await expect(client().responses.create(both)).rejects.toMatchObject({ status: 400 })
    const items = Array(21).fill({ type: 'message', role: 'user', content: 'a' })
    await expect(client().conversations.create({ items })).rejects.toMatchObject({ status: 400 })
    await expect(client().conversations.create({ metadata: { a: 'x'.repeat(513) } })).rejects.toMatchObject({
      status: 400,
    })
    const list = await fetch(`${gateway.url}/v1/conversations/c/items?limit=0`, {
      headers: { authorization: 'Bearer sk-good' },
    })
    expect(list.status).toBe(404)
  })
})

it('compacts a conversation at a provider that cannot, and goes on from the summary anywhere', async () => {
  useChannels(claude())
  upstream.answer = says('msg_1', 'They want a boat.')
  const input: OpenAI.Responses.ResponseInputItem[] = [
    { role: 'user', content: 'Build a boat.' },
    { type: 'function_call', call_id: 'c1', name: 'saw', arguments: '{"wood":1}' },
    { type: 'function_call_output', call_id: 'c1', output: 'sawn' },
  ]
  const compacted = await client().responses.compact({ model, input })
  expect(compacted).toMatchObject({ object: 'response.compaction', output: [{ type: 'compaction' }] })
  expect(compacted.usage).toMatchObject({ input_tokens: 47, output_tokens: 3 })
  expect(sentTexts().join('|')).toMatch(/^Build a boat\.\|\[Called saw: .*sawn.*Summarise/s)
  expect(lastRecord()).toMatchObject({ kind: 'charge', promptTokens: 47, completionTokens: 3 })
  const [summary] = compacted.output
  const next = [summary, { role: 'user', content: 'Go on.' }] as OpenAI.Responses.ResponseInputItem[]
  await client().responses.create({ model, input: next })
  expect(sentTexts().join('|')).toMatch(/They want a boat\..*Go on\./s)
  useChannels(channel())
  upstream.answer = json(response)
  await client().responses.create({ model: 'gpt-4o', input: next })
  expect(sentBody()).toContain('They want a boat.')
  expect(sentBody()).not.toContain('compaction')
})

describe('chat completions', () => {
  it('are stored where the client wants it, streamed or not, with the messages that led to them', async () => {
    upstream.answer = json({ ...completion('one'), id: 'chatcmpl-1' })
    await client().chat.completions.create({ ...ask, store: true, metadata: { n: '1' } })
    upstream.answer = stream(chunk('streamed'), finish, usageChunk(3, 1), done)
    const chunks = await client().chat.completions.create({ ...ask, store: true, stream: true })
    for await (const { object } of chunks) expect(object).toBe('chat.completion.chunk')
    await client().chat.completions.create({ ...ask })
    const list = await client().chat.completions.list()
    expect(list.data.map(({ id, choices }) => [id, choices[0]?.message.content])).toEqual([
      ['chatcmpl-1', 'one'],
      ['c', 'streamed'],
    ])
    expect((await client().chat.completions.list({ metadata: { n: '1' } })).data).toHaveLength(1)
    expect((await client().chat.completions.list({ model: 'nothing' })).data).toHaveLength(0)
    const messages = await client().chat.completions.messages.list('chatcmpl-1')
    expect(messages.data).toMatchObject([{ id: 'chatcmpl-1-0', role: 'user', content: 'hi' }])
    expect(await client().chat.completions.update('chatcmpl-1', { metadata: { n: '2' } })).toMatchObject({
      metadata: { n: '2' },
    })
    expect(await client().chat.completions.retrieve('chatcmpl-1')).toMatchObject({ metadata: { n: '2' } })
    expect(await client().chat.completions.delete('chatcmpl-1')).toMatchObject({ deleted: true })
    await expect(client().chat.completions.retrieve('chatcmpl-1')).rejects.toMatchObject({ status: 404 })
    expect(gateway.parts.recorder.records.filter(({ kind }) => kind === 'charge')).toHaveLength(3)
  })
})

const ask = { ...hi, messages: [{ role: 'user' as const, content: 'hi' }] }
const finish = `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 5, model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`
