import { setImmediate as turn } from 'node:timers/promises'
import { named } from '../gateway/dialects.ts'
import type { Received } from '../gateway/upstream.ts'

/** How an upstream answers one call, for tests: it finds the plan in the texts of the request. */
export interface AnswerPlan {
  /** Tokens of the prompt and of the answer that it reports. */
  readonly input: number
  readonly output: number
  /** `silent` reports nothing, `unknown` a member that no table declares, `stated` a cost of its own. */
  readonly report: 'plain' | 'silent' | 'unknown' | 'stated'
  /** `cut` breaks the connection in the middle, `fault` says in the middle that it failed, `refused` answers 500. */
  readonly end: 'done' | 'cut' | 'fault' | 'refused'
  /** Texts of a stream; they come one by one. */
  readonly pieces: number
}

interface Wire {
  whole(plan: AnswerPlan): object
  /** Events before the one with the report, and that one with what follows. */
  stream(plan: AnswerPlan): { readonly pieces: readonly string[]; readonly end: string; readonly fault: string }
}

const data = (value: object): string => `data: ${JSON.stringify(value)}\n\n`

const texts = ({ pieces }: AnswerPlan): string[] => Array.from({ length: pieces }, (_, at) => `word ${at} `)

/** Members of a report beside its counts. */
const beside = ({ report, output }: AnswerPlan): object => {
  if (report === 'unknown') return { dream_tokens: output + 7 }
  return report === 'stated' ? { cost: 12.5, cost_details: { upstream_inference_cost: 12 }, receipt: 'inner' } : {}
}

const chatUsage = (plan: AnswerPlan): object =>
  plan.report === 'silent'
    ? {}
    : {
        usage: {
          prompt_tokens: plan.input,
          completion_tokens: plan.output,
          total_tokens: plan.input + plan.output,
          ...beside(plan),
        },
      }

const chatChunk = (choices: readonly object[], more: object = {}): string =>
  data({ id: 'c', object: 'chat.completion.chunk', created: 5, model: 'm', choices, ...more })

const chat: Wire = {
  whole: (plan) => ({
    id: 'x',
    object: 'chat.completion',
    created: 5,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: texts(plan).join('') }, finish_reason: 'stop' }],
    ...chatUsage(plan),
  }),
  stream: (plan) => ({
    pieces: texts(plan).map((content) => chatChunk([{ index: 0, delta: { content } }])),
    end: `${chatChunk([{ index: 0, delta: {}, finish_reason: 'stop' }])}${plan.report === 'silent' ? '' : chatChunk([], chatUsage(plan))}data: [DONE]\n\n`,
    fault: data({ error: { message: 'broken', type: 'server_error', code: null } }),
  }),
}

const messageUsage = (plan: AnswerPlan): object =>
  plan.report === 'silent'
    ? {}
    : { usage: { input_tokens: plan.input, cache_read_input_tokens: 2, output_tokens: plan.output, ...beside(plan) } }

const message = (content: string, usage: object): object => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: content === '' ? [] : [{ type: 'text', text: content }],
  stop_reason: content === '' ? null : 'end_turn',
  stop_sequence: null,
  ...usage,
})

const messages: Wire = {
  whole: (plan) => message(texts(plan).join(''), messageUsage(plan)),
  stream: (plan) => ({
    pieces: [
      named('message_start', {
        message: message('', plan.report === 'silent' ? {} : { usage: { input_tokens: plan.input, output_tokens: 1 } }),
      }),
      named('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      ...texts(plan).map((text) => named('content_block_delta', { index: 0, delta: { type: 'text_delta', text } })),
    ],
    end:
      named('content_block_stop', { index: 0 }) +
      named('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, ...messageUsage(plan) }) +
      named('message_stop', {}),
    fault: named('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
  }),
}

const response = (plan: AnswerPlan): object => ({
  id: 'resp_1',
  object: 'response',
  created_at: 7,
  status: 'completed',
  error: null,
  incomplete_details: null,
  model: 'm',
  output: [
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: texts(plan).join(''), annotations: [] }],
    },
  ],
  ...(plan.report === 'silent'
    ? {}
    : {
        usage: {
          input_tokens: plan.input,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: plan.output,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: plan.input + plan.output,
          ...beside(plan),
        },
      }),
})

const responses: Wire = {
  whole: response,
  stream: (plan) => ({
    pieces: [
      named('response.created', { response: { ...response(plan), output: [], usage: null } }),
      ...texts(plan).map((delta) => named('response.output_text.delta', { output_index: 0, delta })),
    ],
    end: named('response.completed', { response: response(plan) }),
    fault: named('error', { code: 'server_error', message: 'broken', param: null }),
  }),
}

const generated = (plan: AnswerPlan, text: string, more: object): object => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, index: 0, ...more }],
  ...(plan.report === 'silent'
    ? {}
    : {
        usageMetadata: {
          promptTokenCount: plan.input,
          candidatesTokenCount: plan.output,
          totalTokenCount: plan.input + plan.output,
          ...beside(plan),
        },
      }),
  modelVersion: 'm',
  responseId: 'r',
})

const gemini: Wire = {
  whole: (plan) => generated(plan, texts(plan).join(''), { finishReason: 'STOP' }),
  stream: (plan) => ({
    pieces: texts(plan).map((text) => data(generated(plan, text, {}))),
    end: data(generated(plan, 'end', { finishReason: 'STOP' })),
    fault: data({ error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } }),
  }),
}

const lists: readonly (readonly [RegExp, (plan: AnswerPlan) => object])[] = [
  [/\/embeddings/, (plan) => ({ data: [{ index: 0, embedding: [0.5] }], ...chatUsage(plan) })],
  [/\/rerank/, (plan) => ({ results: [{ index: 0, relevance_score: 0.5 }], ...chatUsage(plan) })],
  [/\/moderations/, () => ({ id: 'm', results: [{ flagged: false }] })],
  [/\/images\//, () => ({ created: 1, data: [{ url: 'https://pictures.test/1.png' }] })],
]

const wireOf = (path: string): Wire => {
  if (path.includes('/messages')) return messages
  if (path.includes('enerateContent')) return gemini
  return path.includes('/responses') ? responses : chat
}

/** Answers a call by the plan that its text names (`#17#`). */
export const answerPlanned =
  (planOf: (number: number) => AnswerPlan) =>
  async ({ path, body, response: to }: Received): Promise<void> => {
    const text = body.toString()
    const plan = planOf(Number(/#(\d+)#/.exec(text)?.[1]))
    if (plan.end === 'refused') {
      to.writeHead(500, { 'content-type': 'application/json' }).end('{"error":{"message":"no","type":"server_error"}}')
      return
    }
    if (path.includes('/audio/speech')) {
      to.writeHead(200, { 'content-type': 'audio/mpeg' })
      to.write(Buffer.alloc(400, 1))
      if (plan.end === 'done') to.end()
      else setImmediate(() => to.destroy())
      return
    }
    const list = lists.find(([pattern]) => pattern.test(path))
    const isStream = list === undefined && (/"stream":\s*true/.test(text) || path.includes('streamGenerateContent'))
    if (!isStream) {
      const json = JSON.stringify(list?.[1](plan) ?? wireOf(path).whole(plan))
      to.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(json) })
      if (plan.end === 'done') to.end(json)
      else to.write(json.slice(0, 20), () => to.destroy())
      return
    }
    const { pieces, end, fault } = wireOf(path).stream(plan)
    to.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of pieces) {
      to.write(piece)
      await turn()
    }
    if (plan.end === 'done') to.end(end)
    else if (plan.end === 'fault') to.end(fault)
    else setImmediate(() => to.destroy())
  }
