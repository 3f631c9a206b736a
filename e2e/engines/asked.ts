/** What clients of each dialect ask, and how their answers are read. */

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

type Value = Record<string, never> & { [name: string]: Value } & Value[] & string & number

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
export const valuesIn = (text: string): readonly Value[] =>
  text.startsWith('{')
    ? [JSON.parse(text) as Value]
    : text
        .split('\n')
        .filter((line) => line.startsWith('data:') && !line.includes('[DONE]'))
        .map((line) => JSON.parse(line.slice(5)) as Value)

const numberOr = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)

const readers: Readonly<Record<DialectName, (values: readonly Value[]) => Told>> = {
  chat: (values) => {
    const parts = values.flatMap((value) => value.choices ?? []).map((choice) => choice.delta ?? choice.message)
    const usage = values.findLast((value) => value.usage)?.usage
    const written = parts.flatMap((part) => part?.tool_calls ?? []).map((call) => call.function?.arguments ?? '')
    return {
      text: parts.map((part) => part?.content ?? '').join(''),
      thoughts: parts.map((part) => part?.reasoning_content ?? '').join(''),
      calls: written.length === 0 ? [] : [JSON.parse(written.join(''))],
      input: numberOr(usage?.prompt_tokens, -1),
      output: numberOr(usage?.completion_tokens, -1),
    }
  },
  responses: (values) => {
    const last = values.at(-1)
    const response = last?.response ?? last
    const items: Value[] = response?.output ?? ([] as unknown as Value[])
    const of = (type: string): Value[] => items.filter((item) => item.type === type)
    return {
      text: of('message')
        .flatMap((item) => item.content)
        .map((part) => part?.text ?? '')
        .join(''),
      thoughts: of('reasoning')
        .flatMap((item) => [...(item.summary ?? []), ...(item.content ?? [])])
        .map((part) => part.text)
        .join(''),
      calls: of('function_call').map((item) => JSON.parse(item.arguments ?? '')),
      input: numberOr(response?.usage?.input_tokens, -1),
      output: numberOr(response?.usage?.output_tokens, -1),
    }
  },
  messages: (values) => {
    const [first] = values
    const blocks = first?.type === 'message' ? [...(first.content ?? [])] : []
    const deltas = values.map((value) => value.delta).filter((delta) => delta !== undefined)
    const written = deltas.map((delta) => delta.partial_json ?? '').join('')
    const usage = { ...(first?.message?.usage ?? first?.usage) } as Record<string, unknown>
    for (const value of values) if (value.type === 'message_delta') Object.assign(usage, value.usage)
    return {
      text: [...blocks, ...deltas].map((part) => part.text ?? '').join(''),
      thoughts: [...blocks, ...deltas].map((part) => part.thinking ?? '').join(''),
      calls: [
        ...blocks.filter((block) => block.type === 'tool_use').map((block) => block.input),
        ...(written === '' ? [] : [JSON.parse(written)]),
      ],
      input: numberOr(usage.input_tokens, -1) + numberOr(usage.cache_read_input_tokens, 0),
      output: numberOr(usage.output_tokens, -1),
    }
  },
  gemini: (values) => {
    const parts = values
      .flatMap((value) => value.candidates ?? [])
      .flatMap((candidate) => candidate.content?.parts ?? [])
    const usage = values.findLast((value) => value.usageMetadata)?.usageMetadata
    return {
      text: parts
        .filter((part) => !part.thought)
        .map((part) => part.text ?? '')
        .join(''),
      thoughts: parts
        .filter((part) => part.thought)
        .map((part) => part.text ?? '')
        .join(''),
      calls: parts.filter((part) => part.functionCall).map((part) => part.functionCall?.args),
      input: numberOr(usage?.promptTokenCount, -1),
      output: numberOr(usage?.candidatesTokenCount, 0) + numberOr(usage?.thoughtsTokenCount, 0),
    }
  },
}

export const told = (dialect: DialectName, text: string): Told => readers[dialect](valuesIn(text))
