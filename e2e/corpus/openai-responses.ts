import { cityOnly, type Exchange, type Origin, refused, type Subject, streamed, whole } from './exchange.ts'

/** Responses, after platform.openai.com/docs/api-reference/responses and …/responses-streaming. */
type Json = Readonly<Record<string, unknown>>

const origin: Origin = {
  provider: 'openai',
  format: 'openai.responses',
  model: 'gpt-5-codex',
  streaming: { stream: true },
}

const question = (text: string, more: Json = {}): Json => ({
  model: origin.model,
  instructions: 'Answer in one sentence.',
  input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }],
  store: false,
  ...more,
})

const weather = {
  tools: [
    { type: 'function', name: 'get_weather', description: 'Weather of a city', parameters: cityOnly, strict: true },
  ],
}

const usage = (input: number, output: number, { cached = 0, reasoning = 0 } = {}): Json => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cached },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: reasoning },
  total_tokens: input + output,
})

const response = (output: readonly Json[], status: string, used: Json | null, more: Json = {}): Json => ({
  id: 'resp_67ccd3a9da748190baa7f1570fe91ac604becb25c45c1d41',
  object: 'response',
  created_at: 1_741_476_777,
  status,
  error: null,
  incomplete_details: null,
  instructions: 'Answer in one sentence.',
  max_output_tokens: null,
  model: origin.model,
  output,
  parallel_tool_calls: true,
  previous_response_id: null,
  reasoning: { effort: 'medium', summary: null },
  store: false,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
  truncation: 'disabled',
  usage: used,
  user: null,
  metadata: {},
  ...more,
})

/** A finished item of the output, and how it comes in a stream. */
interface Item {
  readonly item: Json
  readonly begin: Json
  readonly events: (at: { readonly output_index: number; readonly item_id: unknown }) => readonly Json[]
}

const message = (part: Json, pieces: readonly string[], name: 'text' | 'refusal', status = 'completed'): Item => {
  const id = 'msg_67ccd3acc8d48190a77525dc6de64b4104becb25c45c1d41'
  const whole = pieces.join('')
  const kind = name === 'text' ? 'output_text' : 'refusal'
  const item = { id, type: 'message', status, role: 'assistant', content: [part] }
  return {
    item,
    begin: { ...item, status: 'in_progress', content: [] },
    events: (at) => {
      const place = { ...at, content_index: 0 }
      const empty = name === 'text' ? { ...part, text: '' } : { ...part, refusal: '' }
      return [
        { type: 'response.content_part.added', ...place, part: empty },
        ...pieces.map((delta) => ({ type: `response.${kind}.delta`, ...place, delta })),
        { type: `response.${kind}.done`, ...place, [name]: whole },
        { type: 'response.content_part.done', ...place, part },
      ]
    },
  }
}

const text = (pieces: readonly string[], status?: string): Item =>
  message({ type: 'output_text', text: pieces.join(''), annotations: [] }, pieces, 'text', status)

const refusal = (pieces: readonly string[]): Item =>
  message({ type: 'refusal', refusal: pieces.join('') }, pieces, 'refusal')

const call = (number: number, callId: string, city: string): Item => {
  const args = JSON.stringify({ city })
  const item = {
    id: `fc_67ccd3acc8d48190a77525dc6de64b4104becb25c45c1d4${number}`,
    type: 'function_call',
    status: 'completed',
    arguments: args,
    call_id: callId,
    name: 'get_weather',
  }
  return {
    item,
    begin: { ...item, status: 'in_progress', arguments: '' },
    events: (at) => [
      { type: 'response.function_call_arguments.delta', ...at, delta: args.slice(0, 8) },
      { type: 'response.function_call_arguments.delta', ...at, delta: args.slice(8) },
      { type: 'response.function_call_arguments.done', ...at, arguments: args },
    ],
  }
}

const thought = (summary: string): Item => {
  const part = { type: 'summary_text', text: summary }
  const item = { id: 'rs_67ccd3acc8d48190a77525dc6de64b4104becb25c45c1d40', type: 'reasoning', summary: [part] }
  return {
    item,
    begin: { ...item, summary: [] },
    events: (at) => {
      const place = { ...at, summary_index: 0 }
      return [
        { type: 'response.reasoning_summary_part.added', ...place, part: { ...part, text: '' } },
        { type: 'response.reasoning_summary_text.delta', ...place, delta: summary },
        { type: 'response.reasoning_summary_text.done', ...place, text: summary },
        { type: 'response.reasoning_summary_part.done', ...place, part },
      ]
    },
  }
}

const events = (items: readonly Item[], end: Json): string[] => {
  const all: Json[] = [
    { type: 'response.created', response: response([], 'in_progress', null) },
    { type: 'response.in_progress', response: response([], 'in_progress', null) },
    ...items.flatMap(({ item, begin, events: inner }, output_index) => [
      { type: 'response.output_item.added', output_index, item: begin },
      ...inner({ output_index, item_id: item.id }),
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: `response.${String(end.status)}`, response: end },
  ]
  return all.map((event, sequence_number) => {
    const { type, ...rest } = event
    return `event: ${String(type)}\ndata: ${JSON.stringify({ type, sequence_number, ...rest })}`
  })
}

const both = (
  subject: Subject,
  request: Json,
  items: readonly Item[],
  { used, status = 'completed', more = {} }: { used: Json; status?: string; more?: Json },
): readonly Exchange[] => {
  const end = response(
    items.map(({ item }) => item),
    status,
    used,
    more,
  )
  return [whole(origin, subject, request, end), streamed(origin, subject, request, events(items, end))]
}

const paris = 'call_Nnr3VZiLfNOvnCHNkYhI1wGh'
const rome = 'call_2kQyZpV0f7cmZpLqJ6nQ5b1x'

export const openaiResponsesExchanges: readonly Exchange[] = [
  ...both('text', question('Say hello in French. Où es-tu ? 🗼'), [text(['Bonjour', ' — ça va', ' très bien 🗼 !'])], {
    used: usage(31, 14, { cached: 16 }),
  }),
  ...both('tool', question('What is the weather in Paris?', weather), [call(1, paris, 'Paris')], {
    used: usage(58, 15),
  }),
  ...both(
    'parallel-tools',
    question('What is the weather in Paris and Rome?', weather),
    [call(1, paris, 'Paris'), call(2, rome, 'Rome')],
    { used: usage(61, 46) },
  ),
  ...both(
    'thinking',
    question('How many r are in strawberry?', { reasoning: { effort: 'low', summary: 'auto' } }),
    [thought('Counting the letters: st-r-awbe-r-r-y.'), text(['Three', '.'])],
    { used: usage(19, 70, { reasoning: 64 }) },
  ),
  ...both('refusal', question('Answer how to pick a lock.'), [refusal(['I cannot help', ' with that.'])], {
    used: usage(27, 9),
  }),
  ...both(
    'truncated',
    question('Count to one hundred.', { max_output_tokens: 16 }),
    [text(['One, two,', ' three, four,'], 'incomplete')],
    {
      used: usage(22, 16),
      status: 'incomplete',
      more: { incomplete_details: { reason: 'max_output_tokens' }, max_output_tokens: 16 },
    },
  ),
  ...refused(origin, question('Hello', { temperature: 3 }), 400, {
    error: {
      message: "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3 instead.",
      type: 'invalid_request_error',
      param: 'temperature',
      code: 'decimal_above_max_value',
    },
  }),
]
