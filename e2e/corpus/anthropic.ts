import { cityOnly, type Exchange, type Origin, refused, type Subject, streamed, whole } from './exchange.ts'

/** Messages, after docs.anthropic.com/en/api/messages and …/en/docs/build-with-claude/streaming. */
type Json = Readonly<Record<string, unknown>>

const origin: Origin = {
  provider: 'anthropic',
  format: 'anthropic.messages',
  model: 'claude-sonnet-4-20250514',
  streaming: { stream: true },
}

const question = (text: string, more: Json = {}): Json => ({
  model: origin.model,
  max_tokens: 2048,
  system: 'Answer in one sentence.',
  messages: [{ role: 'user', content: text }],
  ...more,
})

const weather = { tools: [{ name: 'get_weather', description: 'Weather of a city', input_schema: cityOnly }] }

const usage = (input: number, output: number, more: Json = {}): Json => ({
  input_tokens: input,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  output_tokens: output,
  service_tier: 'standard',
  ...more,
})

const message = (content: readonly Json[], stop: string | null, used: Json): Json => ({
  id: 'msg_013Zva2CMHLNnXjNJJKqJ2EF',
  type: 'message',
  role: 'assistant',
  model: origin.model,
  content,
  stop_reason: stop,
  stop_sequence: null,
  usage: used,
})

const print = (event: Json & { readonly type: string }): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}`

/** A block as it begins, and what is added to it. */
interface Growing {
  readonly begin: Json
  readonly deltas: readonly Json[]
}

const events = (blocks: readonly Growing[], stop: string, used: Json): string[] => [
  print({ type: 'message_start', message: message([], null, { ...used, output_tokens: 1 }) }),
  print({ type: 'ping' }),
  ...blocks.flatMap(({ begin, deltas }, index) => [
    print({ type: 'content_block_start', index, content_block: begin }),
    ...deltas.map((delta) => print({ type: 'content_block_delta', index, delta })),
    print({ type: 'content_block_stop', index }),
  ]),
  print({
    type: 'message_delta',
    delta: { stop_reason: stop, stop_sequence: null },
    usage: { output_tokens: used.output_tokens },
  }),
  print({ type: 'message_stop' }),
]

const text = (...pieces: readonly string[]): Growing => ({
  begin: { type: 'text', text: '' },
  deltas: pieces.map((piece) => ({ type: 'text_delta', text: piece })),
})

const tool = (id: string, city: string): Growing => ({
  begin: { type: 'tool_use', id, name: 'get_weather', input: {} },
  deltas: ['', '{"city":', ` ${JSON.stringify(city)}}`].map((piece) => ({
    type: 'input_json_delta',
    partial_json: piece,
  })),
})

const toolBlock = (id: string, city: string): Json => ({ type: 'tool_use', id, name: 'get_weather', input: { city } })

const both = (
  subject: Subject,
  request: Json,
  answer: { content: readonly Json[]; blocks: readonly Growing[]; stop: string; used: Json },
): readonly Exchange[] => [
  whole(origin, subject, request, message(answer.content, answer.stop, answer.used)),
  streamed(origin, subject, request, events(answer.blocks, answer.stop, answer.used)),
]

const paris = 'toolu_01T1x1fJ34qAmk2tNTrN7Up6'
const rome = 'toolu_01NRLabsLyVHZPKxbKvkfSMn'
const signature =
  'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds2wqVC0tLQ9Yb6sF1f3R6vGzO2w5hJp0mUuXy0JkP2Wq0c8r3g=='

export const anthropicExchanges: readonly Exchange[] = [
  ...both('text', question('Say hello in French. Où es-tu ? 🗼'), {
    content: [{ type: 'text', text: 'Bonjour — ça va très bien 🗼 !' }],
    blocks: [text('Bonjour', ' — ça va', ' très bien 🗼 !')],
    stop: 'end_turn',
    used: usage(15, 14, { cache_read_input_tokens: 1024 }),
  }),
  ...both('tool', question('What is the weather in Paris?', weather), {
    content: [{ type: 'text', text: "I'll look." }, toolBlock(paris, 'Paris')],
    blocks: [text("I'll", ' look.'), tool(paris, 'Paris')],
    stop: 'tool_use',
    used: usage(412, 61),
  }),
  ...both('parallel-tools', question('What is the weather in Paris and Rome?', weather), {
    content: [toolBlock(paris, 'Paris'), toolBlock(rome, 'Rome')],
    blocks: [tool(paris, 'Paris'), tool(rome, 'Rome')],
    stop: 'tool_use',
    used: usage(416, 96),
  }),
  ...both(
    'thinking',
    question('How many r are in strawberry?', { thinking: { type: 'enabled', budget_tokens: 1024 } }),
    {
      content: [
        { type: 'thinking', thinking: 'Let me count: st-r-awbe-r-r-y.', signature },
        { type: 'text', text: 'Three.' },
      ],
      blocks: [
        {
          begin: { type: 'thinking', thinking: '', signature: '' },
          deltas: [
            { type: 'thinking_delta', thinking: 'Let me count: ' },
            { type: 'thinking_delta', thinking: 'st-r-awbe-r-r-y.' },
            { type: 'signature_delta', signature },
          ],
        },
        text('Three', '.'),
      ],
      stop: 'end_turn',
      used: usage(43, 52),
    },
  ),
  ...both('refusal', question('Tell me how to make something dangerous.'), {
    content: [{ type: 'text', text: 'I cannot' }],
    blocks: [text('I', ' cannot')],
    stop: 'refusal',
    used: usage(19, 4),
  }),
  ...both('truncated', question('Count to one hundred.', { max_tokens: 8 }), {
    content: [{ type: 'text', text: 'One, two, three, four,' }],
    blocks: [text('One, two,', ' three, four,')],
    stop: 'max_tokens',
    used: usage(17, 8),
  }),
  ...refused(origin, question('Hello', { max_tokens: 1_000_000 }), 400, {
    type: 'error',
    error: {
      type: 'invalid_request_error',
      message: 'max_tokens: 1000000 > 64000, which is the maximum allowed number of output tokens for this model',
    },
    request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy',
  }),
]
