import { describe, expect, it } from 'vitest'
import { ask, channel, hi, lastRecord, sentBody, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { json, stream } from '../support/gateway/upstream.ts'

useScene()

const dify = () => channel({ type: 37, keys: ['app-key-0001'] })

/** After the reference: docs.dify.ai/api-reference/chats/send-chat-message. */
const event = (name: string, data: object): string =>
  `data: ${JSON.stringify({ event: name, task_id: 't', message_id: 'm-1', conversation_id: 'c-1', created_at: 1705407629, ...data })}\n\n`

const end = event('message_end', {
  id: 'm-1',
  metadata: {
    usage: {
      prompt_tokens: 1033,
      completion_tokens: 128,
      total_tokens: 1161,
      total_price: '0.0012890',
      currency: 'USD',
    },
    retriever_resources: [{ position: 1, document_name: 'iPhone List', content: 'iPhone 13' }],
  },
})

const chunksIn = (text: string) =>
  text.split('\n\n').flatMap((part) => (part.startsWith('data: {') ? [JSON.parse(part.slice(6))] : []))

const deltasIn = (text: string): Record<string, unknown>[] =>
  chunksIn(text).flatMap(({ choices = [] }) => choices.map(({ delta }: { delta: Record<string, unknown> }) => delta))

const joined = (deltas: Record<string, unknown>[], name: string): string =>
  deltas.map((delta) => String(delta[name] ?? '')).join('')

describe('a Dify channel', () => {
  it('asks the app as one question and streams its answer', async () => {
    useChannels(dify())
    upstream.answer = stream(
      'event: ping\n\n',
      event('workflow_started', { data: {} }),
      event('message', { answer: 'Hello' }),
      event('message', { answer: ' there' }),
      event('workflow_finished', { data: { status: 'succeeded' } }),
      end,
    )
    const response = await ask({
      ...hi,
      model: 'app',
      user: 'u1',
      temperature: 0.3,
      inputs: { city: 'x' },
      stream: true,
    })
    const text = await response.text()
    expect(joined(deltasIn(text), 'content')).toBe('Hello there')
    expect(chunksIn(text)[0]).toMatchObject({ id: 'm-1', created: 1705407629 })
    expect(text).toContain('"finish_reason":"stop"')
    expect(text).toContain('iPhone List')
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    expect(lastRecord()).toMatchObject({ promptTokens: 1033, completionTokens: 128 })
    expect(response.headers.get('x-tollgate-lost-fields')).toBe('temperature')
    expect(upstream.received[0]).toMatchObject({
      path: '/v1/chat-messages',
      headers: { authorization: 'Bearer app-key-0001' },
    })
    expect(JSON.parse(sentBody())).toEqual({
      inputs: { city: 'x' },
      query: 'hi',
      response_mode: 'streaming',
      user: 'u1',
      auto_generate_name: false,
    })
  })

  it('answers whole where the client requests no stream, and sends the earlier messages', async () => {
    useChannels(dify())
    upstream.answer = stream(event('message', { answer: 'Hello' }), end)
    const response = await ask(
      {
        model: 'app',
        max_tokens: 5,
        system: 'Be brief.',
        messages: [...hi.messages, { role: 'assistant', content: 'yes?' }, { role: 'user', content: 'go on' }],
      },
      '/v1/messages',
    )
    expect(await response.json()).toMatchObject({
      content: [{ type: 'text', text: 'Hello' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1033, output_tokens: 128 },
    })
    expect(JSON.parse(sentBody())).toMatchObject({
      query: 'SYSTEM: \nBe brief.\n\nUSER: \nhi\n\nASSISTANT: \nyes?\n\nUSER: \ngo on',
      user: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
  })

  it.each([
    ['<think>\nI ', 'see</thi', 'nk>\n\nHello'],
    ['<details style="color:gray;" open> <summary> Thinking... </summary>\n', 'I see', '</details>\n\nHello'],
  ])('separates thinking inside the answer from text: %s', async (...pieces) => {
    useChannels(dify())
    upstream.answer = stream(...pieces.map((answer) => event('agent_message', { answer })), end)
    const deltas = deltasIn(await (await ask({ ...hi, stream: true })).text())
    expect(joined(deltas, 'reasoning_content')).toBe('I see')
    expect(joined(deltas, 'content')).toBe('Hello')
  })

  it('says once what an agent says twice', async () => {
    useChannels(dify())
    upstream.answer = stream(
      event('agent_thought', { thought: 'Hi', tool: '' }),
      event('agent_message', { answer: 'Hi' }),
      event('message', { answer: 'Hi' }),
      end,
    )
    const deltas = deltasIn(await (await ask({ ...hi, stream: true })).text())
    expect(joined(deltas, 'content')).toBe('Hi')
  })

  it('sends pictures ahead, and addresses of pictures along', async () => {
    useChannels(dify())
    upstream.answer = (call) =>
      call.path === '/v1/files/upload'
        ? json({ id: 'file-1', name: 'image.png' }, 201)(call)
        : stream(event('message', { answer: 'A cat' }), end)(call)
    const image = Buffer.from([137, 80, 78, 71, 0, 255])
    const content = [
      { type: 'text', text: 'what?' },
      { type: 'image_url', image_url: { url: `data:image/png;base64,${image.toString('base64')}` } },
      { type: 'image_url', image_url: { url: 'https://x.example/a.png' } },
    ]
    await (await ask({ model: 'app', user: 'u1', messages: [{ role: 'user', content }] })).json()
    const [upload, chat] = upstream.received
    expect(upload?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(upload?.body.includes(image)).toBe(true)
    expect(upload?.body.toString()).toContain('name="user"\r\n\r\nu1')
    expect(JSON.parse(chat?.body.toString() ?? '')).toMatchObject({
      query: 'what?',
      files: [
        { type: 'image', transfer_method: 'local_file', upload_file_id: 'file-1' },
        { type: 'image', transfer_method: 'remote_url', url: 'https://x.example/a.png' },
      ],
    })
  })

  it('answers refusals and failures with their status', async () => {
    useChannels(dify())
    upstream.answer = json({ code: 'unauthorized', message: 'Access token is invalid: app-key-0001', status: 401 }, 401)
    const refused = await ask(hi)
    const text = await refused.text()
    expect(refused.status).toBe(502)
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'credentials_failed' } })
    expect(text).not.toContain('app-key-0001')
    const failure = event('error', { status: 400, code: 'completion_request_error', message: 'no quota' })
    upstream.answer = stream(failure)
    expect((await ask({ ...hi, stream: true })).status).toBe(400)
    upstream.answer = stream(event('message', { answer: 'a' }), failure)
    const broken = await (await ask({ ...hi, stream: true })).text()
    expect(broken).toContain('no quota')
    expect(broken).not.toContain('[DONE]')
  })
})
