import { expect, it, vi } from 'vitest'
import { sendRequest } from '../calls/send.ts'
import type { AnswerPiece } from './message.ts'

const never = new AbortController().signal
const started: string[] = []
const head = { headers: { 'content-type': 'text/event-stream', 'x-oneapi-request-id': 'req_1' } }
const collect = async (response: Response): Promise<AnswerPiece[]> => {
  vi.stubGlobal('fetch', async () => response)
  const pieces: AnswerPiece[] = []
  const request = { kind: 'chat', path: '/v1/chat/completions', body: {} } as const
  await sendRequest(request, { onPiece: (piece) => pieces.push(piece), onStart: (id) => started.push(id) }, never)
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
  expect(await collect(new Response(stream, head))).toEqual([
    { kind: 'reasoning', text: 'hm' },
    { kind: 'text', text: '你好' },
    { kind: 'usage', usage: { input: 3, output: 5 } },
  ])
  expect(started).toEqual(['req_1'])
})

it('takes pictures that a model has drawn', async () => {
  const image = { image_url: { url: 'data:image/png;base64,AA' } }
  const text = `data: ${JSON.stringify({ choices: [{ delta: { content: '', images: [image, null] } }] })}\n\n`
  expect(await collect(new Response(text, head))).toEqual([{ kind: 'image', text: 'data:image/png;base64,AA' }])
})

it('takes calls of tools, of one and of several in a piece', async () => {
  const calls = [
    { index: 0, id: 'call_1', function: { name: 'find', arguments: '{' } },
    null,
    { function: { name: 'go' } },
  ]
  const text = `data: ${JSON.stringify({ choices: [{ delta: { content: null, tool_calls: calls } }] })}\n\n`
  expect(await collect(new Response(text, head))).toEqual([
    { kind: 'call', at: 0, name: 'find', input: '{' },
    { kind: 'call', at: 2, name: 'go', input: '' },
  ])
})

it('says in the reader’s language that the line broke while the answer came', async () => {
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode('data: {"choices":[{"delta":{"content":"half"}}]}\n\n'))
    },
    pull: (controller) => controller.error(new TypeError('network error')),
  })
  await expect(collect(new Response(stream, head))).rejects.toMatchObject({
    code: 'network',
    message: '错误：无法连接到服务器，请检查网络后重试',
  })
})

it('hands over an error that comes inside the stream', async () => {
  expect(await collect(new Response('data: {"error":{"message":"upstream broke"}}\n\n', head))).toEqual([
    { kind: 'error', text: 'upstream broke' },
  ])
})

it('fails with the relay’s error text when the call is refused', async () => {
  const refusal = Response.json(
    { error: { message: 'user quota is not enough', code: 'insufficient_user_quota' } },
    { status: 403 },
  )
  await expect(collect(refusal)).rejects.toMatchObject({ message: 'user quota is not enough', status: 403 })
})

it('fails with the console’s error text when the answer is no stream', async () => {
  const envelope = Response.json({ success: false, message: '无权进行此操作' })
  await expect(collect(envelope)).rejects.toMatchObject({ message: '无权进行此操作' })
})
