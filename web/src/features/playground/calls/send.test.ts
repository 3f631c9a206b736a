import { expect, it, vi } from 'vitest'
import type { AnswerPiece } from '../conversation/message.ts'
import type { CallKind } from './call-kinds.ts'
import { sendRequest } from './send.ts'

const paths: string[] = []
const collect = async (kind: CallKind, path: string, response: Response): Promise<AnswerPiece[]> => {
  vi.stubGlobal('fetch', async (address: string) => {
    paths.push(address)
    return response
  })
  const pieces: AnswerPiece[] = []
  await sendRequest({ kind, path, body: {} }, { onPiece: (piece) => pieces.push(piece) }, new AbortController().signal)
  return pieces
}

it('shows pictures that came as data or as addresses, with the prompt that the model made of it', async () => {
  const answer = {
    data: [
      { b64_json: '/9j/AA', revised_prompt: 'A black cat' },
      { url: 'https://x/2.png' },
      { b64_json: 'iVBORw0' },
      null,
    ],
    usage: { input_tokens: 7, output_tokens: 1056 },
  }
  expect(await collect('image', '/v1/images/generations', Response.json(answer))).toEqual([
    { kind: 'image', text: 'data:image/jpeg;base64,/9j/AA' },
    { kind: 'image', text: 'https://x/2.png' },
    { kind: 'image', text: 'data:image/png;base64,iVBORw0' },
    { kind: 'text', text: 'A black cat' },
    { kind: 'usage', usage: { input: 7, output: 1056 } },
  ])
  expect(paths).toEqual(['/pg/images/generations'])
})

it('hands over sound as data', async () => {
  const sound = new Response('abc', { headers: { 'content-type': 'audio/mpeg' } })
  expect(await collect('speech', '/v1/audio/speech', sound)).toEqual([
    { kind: 'sound', text: 'data:audio/mpeg;base64,YWJj' },
  ])
})

it('shows the beginning of a vector, and how much of it is left out', async () => {
  const vector = Array.from({ length: 1536 }, (_, place) => place)
  const answer = { data: [{ embedding: vector }], usage: { prompt_tokens: 3, total_tokens: 3 } }
  const [text, usage] = await collect('embedding', '/v1/embeddings', Response.json(answer))
  expect(text).toMatchObject({ kind: 'text', text: expect.stringContaining('"… +1528"') })
  expect(usage).toEqual({ kind: 'usage', usage: { input: 3, output: 0 } })
})

it.each(['image', 'speech'] as const)(
  'fails with the console’s own text where a call of kind %s is refused',
  async (kind) => {
    const envelope = Response.json({ success: false, message: '无权进行此操作' })
    await expect(collect(kind, '/v1/x', envelope)).rejects.toMatchObject({ message: '无权进行此操作' })
  },
)
