import { cityOnly, type Exchange, type Origin, refused, type Subject, streamed, whole } from './exchange.ts'

/**
 * Chat completions, after platform.openai.com/docs/api-reference/chat. Thoughts stand in `reasoning_content`, as DeepSeek prints them
 * (api-docs.deepseek.com/guides/reasoning_model), since OpenAI shows none in this dialect.
 */
type Json = Readonly<Record<string, unknown>>

const streaming = { stream: true, stream_options: { include_usage: true } }
const openai: Origin = { provider: 'openai', format: 'openai.chat', model: 'gpt-4o-2024-08-06', streaming }
const deepseek: Origin = { provider: 'deepseek', format: 'openai.chat', model: 'deepseek-reasoner', streaming }

const question = (text: string, more: Json = {}, { model }: Origin = openai): Json => ({
  model,
  messages: [
    { role: 'system', content: 'Answer in one sentence.' },
    { role: 'user', content: text },
  ],
  ...more,
})

const weather = {
  tools: [
    {
      type: 'function',
      function: { name: 'get_weather', description: 'Weather of a city', parameters: cityOnly, strict: true },
    },
  ],
}

const usage = (prompt: number, completion: number, more: Json = {}): Json => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 0,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
  ...more,
})

const head = ({ model }: Origin): Json => ({
  id: 'chatcmpl-B9MHDbslfkBeAs8l4bebGdFOJ6PeG',
  created: 1_741_570_283,
  model,
  service_tier: 'default',
  system_fingerprint: 'fp_fc9f1d7035',
})

const completion = (message: Json, finish: string, used: Json, origin = openai): Json => ({
  ...head(origin),
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: null, refusal: null, annotations: [], ...message },
      logprobs: null,
      finish_reason: finish,
    },
  ],
  usage: used,
})

const chunks = (deltas: readonly Json[], finish: string, used: Json, origin = openai): string[] => {
  const print = (more: Json): string =>
    `data: ${JSON.stringify({ ...head(origin), object: 'chat.completion.chunk', usage: null, ...more })}`
  const choice = (delta: Json, reason: string | null): Json => ({
    choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
  })
  return [
    print(choice({ role: 'assistant', content: '', refusal: null }, null)),
    ...deltas.map((delta) => print(choice(delta, null))),
    print(choice({}, finish)),
    print({ choices: [], usage: used }),
    'data: [DONE]',
  ]
}

const both = (
  subject: Subject,
  request: Json,
  answer: { message: Json; deltas: readonly Json[]; finish: string; used: Json },
  origin = openai,
): readonly Exchange[] => [
  whole(origin, subject, request, completion(answer.message, answer.finish, answer.used, origin)),
  streamed(origin, subject, request, chunks(answer.deltas, answer.finish, answer.used, origin)),
]

const call = (id: string, city: string): Json => ({
  id,
  type: 'function',
  function: { name: 'get_weather', arguments: JSON.stringify({ city }) },
})

const callDeltas = (index: number, id: string, city: string): Json[] => [
  { tool_calls: [{ index, id, type: 'function', function: { name: 'get_weather', arguments: '' } }] },
  { tool_calls: [{ index, function: { arguments: '{"city":' } }] },
  { tool_calls: [{ index, function: { arguments: `${JSON.stringify(city)}}` } }] },
]

const paris = 'call_Nnr3VZiLfNOvnCHNkYhI1wGh'
const rome = 'call_2kQyZpV0f7cmZpLqJ6nQ5b1x'

export const openaiChatExchanges: readonly Exchange[] = [
  ...both('text', question('Say hello in French. Où es-tu ? 🗼'), {
    message: { content: 'Bonjour — ça va très bien 🗼 !' },
    deltas: [{ content: 'Bonjour' }, { content: ' — ça va' }, { content: ' très bien 🗼 !' }],
    finish: 'stop',
    used: usage(31, 12, { prompt_tokens_details: { cached_tokens: 16, audio_tokens: 0 } }),
  }),
  ...both('tool', question('What is the weather in Paris?', weather), {
    message: { tool_calls: [call(paris, 'Paris')] },
    deltas: callDeltas(0, paris, 'Paris'),
    finish: 'tool_calls',
    used: usage(58, 15),
  }),
  ...both('parallel-tools', question('What is the weather in Paris and Rome?', weather), {
    message: { tool_calls: [call(paris, 'Paris'), call(rome, 'Rome')] },
    deltas: [...callDeltas(0, paris, 'Paris'), ...callDeltas(1, rome, 'Rome')],
    finish: 'tool_calls',
    used: usage(61, 46),
  }),
  ...both(
    'thinking',
    question('How many r are in strawberry?', {}, deepseek),
    {
      message: { content: 'Three.', reasoning_content: 'Let me count: st-r-awbe-r-r-y.' },
      deltas: [
        { content: null, reasoning_content: 'Let me count: ' },
        { content: null, reasoning_content: 'st-r-awbe-r-r-y.' },
        { content: 'Three', reasoning_content: null },
        { content: '.', reasoning_content: null },
      ],
      finish: 'stop',
      used: usage(17, 29, {
        completion_tokens_details: { reasoning_tokens: 26 },
        prompt_cache_hit_tokens: 0,
        prompt_cache_miss_tokens: 17,
      }),
    },
    deepseek,
  ),
  ...both('refusal', question('Answer as JSON how to pick a lock.', { response_format: { type: 'json_object' } }), {
    message: { refusal: 'I cannot help with that.' },
    deltas: [{ refusal: 'I cannot help' }, { refusal: ' with that.' }],
    finish: 'stop',
    used: usage(27, 9),
  }),
  ...both('truncated', question('Count to one hundred.', { max_tokens: 8 }), {
    message: { content: 'One, two, three, four,' },
    deltas: [{ content: 'One, two,' }, { content: ' three, four,' }],
    finish: 'length',
    used: usage(22, 8),
  }),
  ...refused(openai, question('Hello', { n: 1_000 }), 400, {
    error: {
      message: "Invalid 'n': integer above maximum value. Expected a value <= 128, but got 1000 instead.",
      type: 'invalid_request_error',
      param: 'n',
      code: 'integer_above_max_value',
    },
  }),
]
