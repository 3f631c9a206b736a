import { channel } from './scene.ts'

/** Calls and answers of every dialect, sent by clients of one to channels of another, or the same. */

export const claude = () => channel({ type: 14 })

export const question = {
  model: 'claude-sonnet-4-5',
  max_tokens: 100,
  system: 'Be brief.',
  messages: [{ role: 'user', content: 'hi' }],
}

export const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-5',
  content: [{ type: 'text', text: 'Hello' }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 12, cache_read_input_tokens: 30, cache_creation_input_tokens: 5, output_tokens: 3 },
}

export const named = (type: string, data: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`

export const messageStream = [
  named('message_start', {
    message: { ...message, content: [], stop_reason: null, usage: { ...message.usage, output_tokens: 1 } },
  }),
  named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  named('ping', {}),
  named('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Say "message_stop"' } }),
  named('content_block_stop', { index: 0 }),
  named('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 3 } }),
  named('message_stop', {}),
]

export const eventsIn = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)))

export const gemini = () => channel({ type: 24 })

export const contents = {
  contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
  generationConfig: { maxOutputTokens: 50, topK: 3 },
}

export const generated = {
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 8, candidatesTokenCount: 2, thoughtsTokenCount: 5, totalTokenCount: 15 },
  modelVersion: 'gemini-2.5-flash',
  responseId: 'r1',
}

const dataOf = (value: unknown): string => `data: ${JSON.stringify(value)}\r\n\r\n`
export const generatedStream = [
  dataOf({ ...generated, candidates: [{ content: { role: 'model', parts: [{ text: 'Hel' }] }, index: 0 }] }),
  dataOf({
    ...generated,
    candidates: [{ content: { role: 'model', parts: [{ text: 'lo' }] }, finishReason: 'STOP', index: 0 }],
  }),
]

export const respond = { model: 'gpt-4o', input: 'hi', instructions: 'Be brief.', max_output_tokens: 40 }

export const response = {
  id: 'resp_1',
  object: 'response',
  created_at: 7,
  status: 'completed',
  error: null,
  incomplete_details: null,
  model: 'gpt-4o',
  output: [
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
    },
  ],
  usage: {
    input_tokens: 11,
    input_tokens_details: { cached_tokens: 4 },
    output_tokens: 2,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 13,
  },
}

export const responseStream = [
  named('response.created', { response: { ...response, output: [], usage: null } }),
  named('response.output_text.delta', { output_index: 0, delta: '"type":"response.completed"' }),
  named('response.completed', { response }),
]
