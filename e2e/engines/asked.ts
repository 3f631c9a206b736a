import { type JsonObject, membersOf, objectsOf, textOf } from '../../server/src/dialects/conversation/json.ts'

/** Requests of clients of each dialect, and how their answers are read. */

export interface Asking {
  readonly text: string
  readonly stream?: boolean
  readonly tools?: boolean
  /** Most tokens of the answer. */
  readonly most?: number
  /** A turn of the assistant with thoughts and a call, and its result, stand behind the text. */
  readonly afterCall?: boolean
  readonly topK?: number
  readonly withoutThoughts?: boolean
}

export interface Asked {
  readonly path: string
  readonly body: Record<string, unknown>
}

export interface Told {
  readonly text: string
  readonly thoughts: string
  /** Arguments of calls. */
  readonly calls: readonly unknown[]
  readonly input: number
  readonly output: number
}

const parameters = { type: 'object', properties: { city: { type: 'string' } } }
const thought = 'I should look'
const result = '7 degrees'
const args = { city: 'Oslo' }

const model = 'tiny'

export const dialects = {
  chat: ({ text, stream, tools, most, afterCall, topK, withoutThoughts }: Asking): Asked => ({
    path: '/v1/chat/completions',
    body: {
      model,
      messages: [
        { role: 'user', content: text },
        ...(afterCall
          ? [
              {
                role: 'assistant',
                content: '',
                reasoning_content: thought,
                tool_calls: [
                  { id: 'call_1', type: 'function', function: { name: 'weather', arguments: JSON.stringify(args) } },
                ],
              },
              { role: 'tool', tool_call_id: 'call_1', content: result },
            ]
          : []),
      ],
      ...(tools && { tools: [{ type: 'function', function: { name: 'weather', parameters } }] }),
      ...(stream && { stream, stream_options: { include_usage: true } }),
      ...(most !== undefined && { max_tokens: most }),
      ...(topK !== undefined && { top_k: topK }),
      ...(withoutThoughts && { reasoning_effort: 'none' }),
    },
  }),
  responses: ({ text, stream, tools, most, afterCall, topK, withoutThoughts }: Asking): Asked => ({
    path: '/v1/responses',
    body: {
      model,
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
        ...(afterCall
          ? [
              { type: 'reasoning', id: 'rs_1', summary: [], content: [{ type: 'reasoning_text', text: thought }] },
              { type: 'function_call', call_id: 'call_1', name: 'weather', arguments: JSON.stringify(args) },
              { type: 'function_call_output', call_id: 'call_1', output: result },
            ]
          : []),
      ],
      ...(tools && { tools: [{ type: 'function', name: 'weather', parameters, strict: false }] }),
      ...(stream && { stream }),
      ...(most !== undefined && { max_output_tokens: most }),
      ...(topK !== undefined && { top_k: topK }),
      ...(withoutThoughts && { reasoning: { effort: 'none' } }),
    },
  }),
  messages: ({ text, stream, tools, most = 1000, afterCall, topK, withoutThoughts }: Asking): Asked => ({
    path: '/v1/messages',
    body: {
      model,
      max_tokens: most,
      messages: [
        { role: 'user', content: text },
        ...(afterCall
          ? [
              {
                role: 'assistant',
                content: [
                  { type: 'thinking', thinking: thought, signature: '' },
                  { type: 'tool_use', id: 'toolu_1', name: 'weather', input: args },
                ],
              },
              { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: result }] },
            ]
          : []),
      ],
      ...(tools && { tools: [{ name: 'weather', input_schema: parameters }] }),
      ...(stream && { stream }),
      ...(topK !== undefined && { top_k: topK }),
      ...(withoutThoughts && { thinking: { type: 'disabled' } }),
    },
  }),
  gemini: ({ text, stream, tools, most, afterCall, topK, withoutThoughts }: Asking): Asked => ({
    path: `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: {
      contents: [
        { role: 'user', parts: [{ text }] },
        ...(afterCall
          ? [
              {
                role: 'model',
                parts: [{ text: thought, thought: true }, { functionCall: { name: 'weather', args } }],
              },
              { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { result } } }] },
            ]
          : []),
      ],
      ...(tools && { tools: [{ functionDeclarations: [{ name: 'weather', parameters }] }] }),
      generationConfig: {
        ...(most !== undefined && { maxOutputTokens: most }),
        ...(topK !== undefined && { topK }),
        thinkingConfig: withoutThoughts ? { thinkingBudget: 0 } : { includeThoughts: true },
      },
    },
  }),
} as const

export type DialectName = keyof typeof dialects
export const dialectNames = Object.keys(dialects) as DialectName[]

/** Data of server-sent events, or a whole answer, as JSON. */
export const valuesIn = (text: string): readonly JsonObject[] =>
  text.startsWith('{')
    ? [JSON.parse(text) as JsonObject]
    : text
        .split('\n')
        .filter((line) => line.startsWith('data:') && !line.includes('[DONE]'))
        .map((line) => JSON.parse(line.slice(5)) as JsonObject)

const numberOr = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)

const joined = (parts: readonly JsonObject[], name: string): string => parts.map((part) => textOf(part[name])).join('')

const parsedCall = (written: readonly unknown[]): readonly unknown[] =>
  written.length === 0 ? [] : [JSON.parse(written.map(textOf).join(''))]

const usageOf = (value: JsonObject | undefined, name = 'usage'): JsonObject => membersOf(value?.[name])

const readers: Readonly<Record<DialectName, (values: readonly JsonObject[]) => Told>> = {
  chat: (values) => {
    const parts = values
      .flatMap(({ choices }) => objectsOf(choices))
      .map(({ delta, message }) => membersOf(delta ?? message))
    const usage = usageOf(values.findLast((value) => value.usage))
    const calls = parts.flatMap((part) => objectsOf(part.tool_calls))
    return {
      text: joined(parts, 'content'),
      thoughts: joined(parts, 'reasoning_content'),
      calls: parsedCall(calls.map((call) => membersOf(call.function).arguments)),
      input: numberOr(usage.prompt_tokens, -1),
      output: numberOr(usage.completion_tokens, -1),
    }
  },
  responses: (values) => {
    const last = values.at(-1)
    const response = membersOf(last?.response ?? last)
    const items = objectsOf(response.output)
    const of = (type: string): readonly JsonObject[] => items.filter((item) => item.type === type)
    const thoughts = of('reasoning').flatMap(({ summary, content }) => [...objectsOf(summary), ...objectsOf(content)])
    return {
      text: joined(
        of('message').flatMap(({ content }) => objectsOf(content)),
        'text',
      ),
      thoughts: joined(thoughts, 'text'),
      calls: of('function_call').map((item) => JSON.parse(textOf(item.arguments)) as unknown),
      input: numberOr(usageOf(response).input_tokens, -1),
      output: numberOr(usageOf(response).output_tokens, -1),
    }
  },
  messages: (values) => {
    const [first] = values
    const blocks = first?.type === 'message' ? objectsOf(first.content) : []
    const deltas = values.map(({ delta }) => membersOf(delta))
    const written = deltas.map((delta) => delta.partial_json).filter((part) => part !== undefined && part !== '')
    const usage: Record<string, unknown> = { ...membersOf(membersOf(first?.message).usage ?? first?.usage) }
    for (const value of values) if (value.type === 'message_delta') Object.assign(usage, value.usage)
    return {
      text: joined([...blocks, ...deltas], 'text'),
      thoughts: joined([...blocks, ...deltas], 'thinking'),
      calls: [...blocks.filter(({ type }) => type === 'tool_use').map(({ input }) => input), ...parsedCall(written)],
      input: numberOr(usage.input_tokens, -1) + numberOr(usage.cache_read_input_tokens, 0),
      output: numberOr(usage.output_tokens, -1),
    }
  },
  gemini: (values) => {
    const parts = values
      .flatMap(({ candidates }) => objectsOf(candidates))
      .flatMap(({ content }) => objectsOf(membersOf(content).parts))
    const usage = usageOf(
      values.findLast((value) => value.usageMetadata),
      'usageMetadata',
    )
    return {
      text: joined(
        parts.filter(({ thought: isThought }) => isThought !== true),
        'text',
      ),
      thoughts: joined(
        parts.filter(({ thought: isThought }) => isThought === true),
        'text',
      ),
      calls: parts.filter(({ functionCall }) => functionCall).map(({ functionCall }) => membersOf(functionCall).args),
      input: numberOr(usage.promptTokenCount, -1),
      output: numberOr(usage.candidatesTokenCount, 0) + numberOr(usage.thoughtsTokenCount, 0),
    }
  },
}

export const told = (dialect: DialectName, text: string): Told => readers[dialect](valuesIn(text))
