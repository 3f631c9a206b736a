import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeWithDatabase } from '../../../test/support/db/databases.ts'
import { generated, message, response } from '../../../test/support/gateway/dialects.ts'
import { openTestGateway, type TestGateway } from '../../../test/support/gateway/listener.ts'
import { completion, json, openTestUpstream, type TestUpstream } from '../../../test/support/gateway/upstream.ts'
import { openTestChannels, testChannel } from '../../../test/support/relay/ports.ts'
import { type KeptFileStore, openKeptFiles } from '../../features/kept-files/kept-files.ts'
import { openSecrets } from '../../lib/security/secrets.ts'
import type { KeptFile } from '../../relay/stored/kept-files.ts'

/** Files of the gateway in calls of official SDKs: the provider gets what it would get had the client sent the bytes itself. */

const secrets = openSecrets({ cryptoSecret: 'files-test-secret', keyFile: '/nowhere' })
const pdf = Buffer.from(`%PDF-1.4 ${'page '.repeat(60_000)}`)
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const notes = Buffer.from('Line "one"\n\tänd twö\n'.repeat(20_000))

const types = { openai: 1, claude: 14, gemini: 24 } as const
const answers = { openai: json(completion('hello')), claude: json(message), gemini: json(generated) }

describeWithDatabase('files in calls', (open) => {
  let upstream: TestUpstream
  let gateway: TestGateway
  let store: KeptFileStore
  let looked: number

  beforeEach(async () => {
    upstream = await openTestUpstream()
    const database = await open()
    const bounds = () => ({ ofFile: 10_000_000, ofPayer: 0, days: 30 })
    store = openKeptFiles({ database, secrets, clock: Date.now, bounds })
    looked = 0
    gateway = await openTestGateway({
      relay: { channels: openTestChannels() },
      gateway: {
        keptFiles: {
          open: store.open,
          find: (id, reader) => {
            looked += 1
            return store.find(id, reader)
          },
        },
      },
    })
  })
  afterEach(async () => {
    await gateway.close()
    await upstream.close()
  })

  const kept = (bytes: Buffer, filename: string, contentType: string, userId = 7): Promise<KeptFile> =>
    store.create(
      { maker: { userId, tokenId: 3, projectId: 0, memberId: 0 }, filename, contentType, purpose: 'user_data' },
      (async function* () {
        yield bytes
      })(),
    )

  const use = (name: keyof typeof types): void => {
    gateway.parts.channels.list.splice(0, 9, testChannel({ type: types[name], baseUrl: upstream.url }))
    upstream.answer = answers[name]
  }

  const apiKey = 'sk-good'
  const openai = () => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey, maxRetries: 0 })
  const anthropic = () => new Anthropic({ baseURL: gateway.url, apiKey, maxRetries: 0 })
  const google = () => new GoogleGenAI({ apiKey, vertexai: false, httpOptions: { baseUrl: gateway.url } })

  const chat = (part: object) =>
    openai().chat.completions.create({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, part as never] }],
    })
  const respond = (part: object) =>
    openai().responses.create({
      model: 'gpt-4o',
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'What is it?' }, part as never] }],
    })
  const say = (block: object) =>
    anthropic().beta.messages.create({
      model: 'gpt-4o',
      max_tokens: 50,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'What is it?' }, block as never] }],
    })
  const generate = (part: object) =>
    google().models.generateContent({
      model: 'gpt-4o',
      contents: [{ role: 'user', parts: [{ text: 'What is it?' }, part] }],
    })

  const sent = (): unknown => JSON.parse(upstream.received.at(-1)?.body.toString() ?? '')
  const charged = (): unknown => ({
    receipt: gateway.parts.recorder.records.at(-1)?.receipt,
    held: gateway.parts.holds.ends.at(-1)?.quota,
  })

  /** The provider gets the same body, and the caller the same bill, whether the file is named or sent. */
  const expectSame = async (named: () => Promise<unknown>, whole: () => Promise<unknown>): Promise<void> => {
    await named()
    const [body, bill] = [sent(), charged()]
    await whole()
    expect(body).toEqual(sent())
    expect(bill).toMatchObject({ receipt: expect.anything(), held: expect.any(Number) })
    expect(bill).toEqual(charged())
  }

  it.each(['openai', 'claude', 'gemini'] as const)('reach %s from every dialect', async (name) => {
    use(name)
    const { id } = await kept(pdf, 'paper.pdf', 'application/pdf')
    const data = pdf.toString('base64')
    const file = { filename: 'paper.pdf', file_data: `data:application/pdf;base64,${data}` }
    await expectSame(
      () => chat({ type: 'file', file: { file_id: id } }),
      () => chat({ type: 'file', file }),
    )
    await expectSame(
      () => say({ type: 'document', source: { type: 'file', file_id: id } }),
      () =>
        say({ type: 'document', title: 'paper.pdf', source: { type: 'base64', media_type: 'application/pdf', data } }),
    )
    const uri = `https://gateway.example/v1beta/files/${id.slice('file-'.length)}`
    await expectSame(
      () => generate({ fileData: { fileUri: uri } }),
      () => generate({ inlineData: { mimeType: 'application/pdf', data } }),
    )
    if (name === 'openai') upstream.answer = json(response)
    await expectSame(
      () => respond({ type: 'input_file', file_id: id }),
      () => respond({ type: 'input_file', ...file }),
    )
    expect(JSON.stringify(sent())).toContain(data)
  })

  it('that are pictures or texts take the form that the dialect has for them', async () => {
    const picture = await kept(png, 'dot.png', 'image/png')
    const text = await kept(notes, 'notes.md', 'text/markdown')
    const url = `data:image/png;base64,${png.toString('base64')}`
    use('openai')
    await expectSame(
      () => chat({ type: 'file', file: { file_id: picture.id } }),
      () => chat({ type: 'image_url', image_url: { url } }),
    )
    use('claude')
    const source = { type: 'base64', media_type: 'image/png', data: png.toString('base64') }
    await expectSame(
      () => say({ type: 'image', source: { type: 'file', file_id: picture.id } }),
      () => say({ type: 'image', source }),
    )
    await expectSame(
      () => say({ type: 'document', title: 'Mine', source: { type: 'file', file_id: text.id } }),
      () =>
        say({
          type: 'document',
          title: 'Mine',
          source: { type: 'text', media_type: 'text/plain', data: notes.toString() },
        }),
    )
    use('openai')
    upstream.answer = json(response)
    await expectSame(
      () => respond({ type: 'input_image', file_id: picture.id, detail: 'low' }),
      () => respond({ type: 'input_image', image_url: url, detail: 'low' }),
    )
  })

  it('in results of tools are put in place, in arguments of tools they are not', async () => {
    use('claude')
    const { id } = await kept(pdf, 'paper.pdf', 'application/pdf')
    const block = { type: 'document', source: { type: 'file', file_id: id } }
    await anthropic().beta.messages.create({
      model: 'gpt-4o',
      max_tokens: 50,
      messages: [
        { role: 'user', content: 'Read it.' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: block }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [block as never] }] },
      ],
    })
    const { messages } = sent() as { messages: { content: { input?: unknown; content?: { source: unknown }[] }[] }[] }
    expect(messages[1]?.content[0]?.input).toEqual(block)
    const source = { type: 'base64', media_type: 'application/pdf', data: pdf.toString('base64') }
    expect(messages[2]?.content[0]?.content?.[0]?.source).toEqual(source)
  })

  it('of others and unknown ones are the same 404 in every dialect, and no call is made', async () => {
    use('openai')
    const { id } = await kept(pdf, 'paper.pdf', 'application/pdf', 8)
    for (const name of [id, `file-${'0'.repeat(32)}`]) {
      const calls = [
        chat({ type: 'file', file: { file_id: name } }),
        respond({ type: 'input_file', file_id: name }),
        say({ type: 'document', source: { type: 'file', file_id: name } }),
        generate({ fileData: { fileUri: `files/${name.slice('file-'.length)}`, mimeType: 'application/pdf' } }),
      ]
      const refusals = await Promise.allSettled(calls)
      const errors = refusals.map((one) => (one.status === 'rejected' ? one.reason : undefined))
      expect(errors.map((error) => error?.status)).toEqual([404, 404, 404, 404])
      for (const error of errors) expect(String(error.message)).toContain(`No such File object: ${name}`)
    }
    expect(upstream.received).toHaveLength(0)
  })

  it('are bounded like the body that they make', async () => {
    use('openai')
    const { id } = await kept(Buffer.alloc(800_000, 'a'), 'large.pdf', 'application/pdf')
    await expect(chat({ type: 'file', file: { file_id: id } })).rejects.toMatchObject({ status: 413 })
    const half = await kept(Buffer.alloc(500_000, 'a'), 'half.pdf', 'application/pdf')
    await chat({ type: 'file', file: { file_id: half.id } })
    const twice = [half.id, half.id].map((file_id) => ({ type: 'file' as const, file: { file_id } }))
    const both = openai().chat.completions.create({ model: 'gpt-4o', messages: [{ role: 'user', content: twice }] })
    await expect(both).rejects.toMatchObject({ status: 413 })
  })

  it('are not looked for where a call names none of ours', async () => {
    use('openai')
    await chat({ type: 'text', text: 'no file- and no files/ here' })
    await chat({ type: 'file', file: { file_id: 'file-abc123' } }).catch(() => undefined)
    await generate({ fileData: { fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/abc-123' } }).catch(
      () => undefined,
    )
    expect(looked).toBe(0)
  })

  it('are stored with a turn by their names, and put in place again when the turn goes on', async () => {
    use('claude')
    const { id } = await kept(pdf, 'paper.pdf', 'application/pdf')
    const first = await respond({ type: 'input_file', file_id: id })
    const items = await openai().responses.inputItems.list(first.id)
    expect(JSON.stringify(items.data)).toContain(id)
    expect(JSON.stringify(items.data)).not.toContain(pdf.toString('base64').slice(0, 100))
    await openai().responses.create({ model: 'gpt-4o', previous_response_id: first.id, input: 'And then?' })
    const { messages } = sent() as { messages: { content: unknown }[] }
    expect(JSON.stringify(messages[0])).toContain(pdf.toString('base64'))
  })
})
