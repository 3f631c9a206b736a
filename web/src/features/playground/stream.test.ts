import { expect, it, vi } from 'vitest'
import type { Piece } from './conversation.ts'
import { streamChat } from './stream.ts'

const never = new AbortController().signal
const collect = async (response: Response): Promise<Piece[]> => {
  vi.stubGlobal('fetch', async () => response)
  const pieces: Piece[] = []
  await streamChat({}, (piece) => pieces.push(piece), never)
  return pieces
}

it('puts an answer together however the network cuts it, and stops at the marker', async () => {
  const text =
    'data: {"choices":[{"delta":{"reasoning_content":"hm"}}]}\r\n\r\n: ping\n\ndata: {"choices":[{"delta":{"content":"你好"}}]}\n\ndata: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":5}}\n\ndata: [DONE]\n\ndata: {"choices":[{"delta":{"content":"late"}}]}\n\n'
  const bytes = new TextEncoder().encode(text)
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    },
  })
  expect(await collect(new Response(stream))).toEqual([
    { kind: 'reasoning', text: 'hm' },
    { kind: 'text', text: '你好' },
    { kind: 'usage', usage: { input: 3, output: 5 } },
  ])
})

it('hands over an error that comes inside the stream', async () => {
  expect(await collect(new Response('data: {"error":{"message":"upstream broke"}}\n\n'))).toEqual([
    { kind: 'error', text: 'upstream broke' },
  ])
})

it('fails with the words of the relay when the call is refused', async () => {
  const refusal = Response.json(
    { error: { message: 'user quota is not enough', code: 'insufficient_user_quota' } },
    { status: 403 },
  )
  await expect(collect(refusal)).rejects.toMatchObject({ message: 'user quota is not enough', status: 403 })
})
