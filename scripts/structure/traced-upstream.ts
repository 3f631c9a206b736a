import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Answers "Hello" in each dialect that the traced calls speak, whole or streamed. */

const usage = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 }
const chat = { id: 'chatcmpl-1', created: 1_700_000_000 }
const message = { id: 'msg_1', type: 'message', role: 'assistant', stop_reason: null, stop_sequence: null }
const text = { type: 'output_text', text: 'Hello', annotations: [] }
const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [text] }

const response = (model: string, more: object): object => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1_700_000_000,
  model,
  output: [item],
  ...more,
})
const responseUsage = {
  input_tokens: 5,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 1,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 6,
}
const completed = (model: string): object => response(model, { status: 'completed', usage: responseUsage })

const generated = (model: string): object => ({
  candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1, totalTokenCount: 6 },
  modelVersion: model,
  responseId: 'r-1',
})

/** Provider's answer to a call for a model. */
interface Answer {
  whole(model: string): object
  stream(model: string): readonly string[]
}

const data = (body: object): string => `data: ${JSON.stringify(body)}\n\n`
const event = (type: string, more: object): string => `event: ${type}\n${data({ type, ...more })}`

const answers: Readonly<Record<'chat' | 'messages' | 'responses' | 'gemini', Answer>> = {
  chat: {
    whole: (model) => ({
      ...chat,
      object: 'chat.completion',
      model,
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
      usage,
    }),
    stream: (model) => {
      const chunk = (more: object): string => data({ ...chat, object: 'chat.completion.chunk', model, ...more })
      return [
        chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello' }, finish_reason: null }] }),
        chunk({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
        chunk({ choices: [], usage }),
        'data: [DONE]\n\n',
      ]
    },
  },
  messages: {
    whole: (model) => ({
      ...message,
      model,
      content: [{ type: 'text', text: 'Hello' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 5, output_tokens: 1 },
    }),
    stream: (model) => [
      event('message_start', {
        message: { ...message, model, content: [], usage: { input_tokens: 5, output_tokens: 1 } },
      }),
      event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hello' } }),
      event('content_block_stop', { index: 0 }),
      event('message_delta', {
        delta: { stop_reason: 'end_turn', stop_sequence: null },
        usage: { output_tokens: 1 },
      }),
      event('message_stop', {}),
    ],
  },
  responses: {
    whole: completed,
    stream: (model) => [
      event('response.created', {
        sequence_number: 0,
        response: response(model, { status: 'in_progress', output: [] }),
      }),
      event('response.output_text.delta', {
        sequence_number: 1,
        item_id: 'msg_1',
        output_index: 0,
        content_index: 0,
        delta: 'Hello',
      }),
      event('response.completed', { sequence_number: 2, response: completed(model) }),
    ],
  },
  gemini: {
    whole: generated,
    stream: (model) => [data(generated(model))],
  },
}

const kindOf = (path: string): keyof typeof answers => {
  if (path.includes('/messages')) return 'messages'
  if (path.includes('/responses')) return 'responses'
  return path.includes('enerateContent') ? 'gemini' : 'chat'
}

export interface TracedUpstream {
  readonly url: string
  close(): void
}

export const openTracedUpstream = async (): Promise<TracedUpstream> => {
  const server = createServer((request, reply) => {
    const chunks: Buffer[] = []
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const path = request.url ?? ''
        const body = JSON.parse(Buffer.concat(chunks).toString() || '{}') as { model?: string; stream?: boolean }
        const model = body.model ?? /models\/([^:]+):/.exec(path)?.[1] ?? ''
        const answer = answers[kindOf(path)]
        if (body.stream === true || path.includes('streamGenerate')) {
          reply.writeHead(200, { 'content-type': 'text/event-stream' })
          reply.end(answer.stream(model).join(''))
        } else reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer.whole(model)))
      })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  }
}
