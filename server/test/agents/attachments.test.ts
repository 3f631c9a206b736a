import { describe, expect, it } from 'vitest'
import { message } from '../support/gateway/dialects.ts'
import { ask, channel, sentBody, upstream, useChannels, useScene } from '../support/gateway/scene.ts'
import { chatPath, geminiPath, messagesPath, responsesPath, sent } from '../support/gateway/sent.ts'
import { json } from '../support/gateway/upstream.ts'

useScene()

/** Pictures and documents that a provider cannot read. */

const url = 'https://a.example/b.pdf'
const document = { type: 'document', source: { type: 'url', url } }
const text = { type: 'text', text: 'Sum it up.' }
const ant = (model: string, ...messages: object[]) => ({ model, max_tokens: 50, messages })
const user = (...content: object[]) => ({ role: 'user', content })

describe('a document by its address', () => {
  it('goes to OpenAI in Responses, which fetch it', async () => {
    const { body } = await sent(1, messagesPath, ant('gpt-4o', user(document, text)))
    expect(body.input).toEqual([
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_file', file_url: url },
          { type: 'input_text', text: 'Sum it up.' },
        ],
      },
    ])
  })

  it.each([25, 8, 34, 4])('is refused with the reason at type %i, where nobody fetches it', async (type) => {
    for (const call of [
      () => ask(ant('m', user(document, text)), messagesPath),
      () =>
        ask(
          {
            contents: [
              { role: 'user', parts: [{ text: 'x' }, { fileData: { fileUri: url, mimeType: 'application/pdf' } }] },
            ],
          },
          geminiPath('m'),
        ),
      () =>
        ask(
          { model: 'm', input: [user({ type: 'input_text', text: 'x' }, { type: 'input_file', file_url: url })] },
          responsesPath,
        ),
    ]) {
      useChannels(channel({ type }))
      upstream.received.length = 0
      const answer = await call()
      expect(answer.status).toBe(400)
      expect(await answer.text()).toContain('messages.document')
      expect(upstream.received).toEqual([])
    }
  })

  it('goes to a channel that can fetch it', async () => {
    useChannels(channel({ type: 25, id: 1, priority: 9 }), channel({ type: 14, id: 2, priority: 1 }))
    upstream.answer = json(message)
    expect((await ask(ant('claude-opus-5-5', user(document, text)), messagesPath)).status).toBe(200)
    expect(sentBody()).toContain(url)
  })

  it('of an earlier turn is left out and reported', async () => {
    const { body, lost } = await sent(
      25,
      messagesPath,
      ant('m', user(document, text), { role: 'assistant', content: 'Done.' }, user(text)),
    )
    expect(body.messages).toHaveLength(3)
    expect(lost).toEqual(['messages.document.url'])
  })
})

describe('a picture of a type that no model reads', () => {
  const data = Buffer.from('<svg/>').toString('base64')
  const drawing = { type: 'image_url', image_url: { url: `data:image/svg+xml;base64,${data}` } }

  it.each([
    [14, 'claude-opus-5-5', chatPath, 'image/jpeg, image/png, image/gif, image/webp'],
    [24, 'gemini-3-pro', chatPath, 'image/jpeg, image/png, image/webp, image/heic, image/heif'],
    [33, 'amazon.nova-pro-v1:0', chatPath, 'image/jpeg, image/png, image/gif, image/webp'],
    [4, 'llama', chatPath, 'image/svg+xml'],
    [1, 'gpt-4o', messagesPath, 'image/jpeg, image/png, image/gif, image/webp'],
    [25, 'kimi-k2.6', messagesPath, 'image/svg+xml'],
  ])('is refused at type %i for %s, with those that it reads', async (type, model, path, types) => {
    useChannels(channel({ type, keys: type === 33 ? ['AK|SK|us-east-1'] : ['k'] }))
    const source = { type: 'base64', media_type: 'image/svg+xml', data }
    const call =
      path === chatPath
        ? { model, messages: [user({ type: 'text', text: 'x' }, drawing)] }
        : ant(model, user(text, { type: 'image', source }))
    const answer = await ask(call, path)
    expect(answer.status).toBe(400)
    const said = await answer.text()
    expect(said).toContain('image/svg+xml')
    expect(said).toContain(types)
    expect(upstream.received).toEqual([])
  })

  it('is left out of earlier turns and of results', async () => {
    const call = { type: 'tool_use', id: 't', name: 'see', input: {} }
    const source = { type: 'base64', media_type: 'image/svg+xml', data }
    const result = { type: 'tool_result', tool_use_id: 't', content: [{ type: 'image', source }, text] }
    const { body, lost } = await sent(
      24,
      messagesPath,
      ant('gemini-3-pro', user({ type: 'image', source }, text), { role: 'assistant', content: [call] }, user(result)),
    )
    expect(body.contents?.[0]).toEqual({ role: 'user', parts: [{ text: 'Sum it up.' }] })
    expect(JSON.stringify(body)).not.toContain(data)
    expect(lost).toEqual(['messages.image.image/svg+xml'])
  })

  it('is no picture of Google’s where it is a GIF', async () => {
    useChannels(channel({ type: 24 }))
    const source = { type: 'base64', media_type: 'image/gif', data: 'R0lG' }
    expect((await ask(ant('gemini-3-pro', user({ type: 'image', source })), messagesPath)).status).toBe(400)
    expect(
      (
        await sent(14, chatPath, {
          model: 'claude-opus-5-5',
          messages: [user({ type: 'image_url', image_url: { url: 'data:image/gif;base64,R0lG' } })],
        })
      ).raw,
    ).toContain('"media_type":"image/gif"')
  })
})
