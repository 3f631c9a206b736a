import fc from 'fast-check'
import type {
  AnswerFormat,
  CacheMark,
  Conversation,
  DialectName,
  Effort,
  MediaSource,
  Message,
  Part,
  Reasoning,
  Tool,
  ToolCallPart,
  ToolChoice,
} from '../../../src/dialects/conversation/conversation.ts'
import { defined, type JsonObject } from '../../../src/dialects/conversation/json.ts'
import { words } from './events.ts'

/** Conversations as any client may lead them: all kinds of parts, tools, choices, formats and settings. */

const dialectNames: readonly DialectName[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini']

const some = words.filter((text) => text.trim() !== '')
const identifier = fc.stringMatching(/^[a-z][a-z0-9_]{0,11}$/)
const opaqueText = fc.stringMatching(/^[A-Za-z0-9+/=]{4,16}$/)
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 2 })

const cache: fc.Arbitrary<{ cache?: CacheMark }> = fc
  .option(fc.constantFrom('5m' as const, '1h' as const), { nil: undefined, freq: 5 })
  .map((ttl) => (ttl === undefined ? {} : { cache: { ttl } }))

const bytes = (mediaType: string): fc.Arbitrary<MediaSource> =>
  fc.base64String({ minLength: 4, maxLength: 12 }).map((data) => ({ kind: 'base64', mediaType, data }))
const address: fc.Arbitrary<MediaSource> = fc.webUrl().map((url) => ({ kind: 'url', url }))
const file: fc.Arbitrary<MediaSource> = opaqueText.map((id) => ({ kind: 'file', id: `file-${id}` }))

const marked = <P extends Part>(part: fc.Arbitrary<P>): fc.Arbitrary<Part> =>
  fc.tuple(part, cache).map(([value, mark]) => ({ ...value, ...mark }))

const text = some.map((content): Part => ({ kind: 'text', text: content }))
const image = fc
  .oneof(bytes('image/png'), bytes('image/jpeg'), address, file)
  .map((source): Part => ({ kind: 'image', source }))
const userPart: fc.Arbitrary<Part> = fc.oneof(
  { weight: 5, arbitrary: marked(text) },
  { weight: 2, arbitrary: marked(image) },
  fc.oneof(bytes('audio/wav'), bytes('audio/mp3')).map((source): Part => ({ kind: 'audio', source })),
  fc.oneof(bytes('video/mp4'), address).map((source): Part => ({ kind: 'video', source })),
  fc
    .oneof(
      bytes('application/pdf'),
      address,
      file,
      some.map((content) => ({ kind: 'text' as const, text: content })),
    )
    .map((source): Part => ({ kind: 'document', source })),
)

const thought: fc.Arbitrary<Part> = fc
  .record({ text: some, by: fc.constantFrom(undefined, ...dialectNames), seal: opaqueText, kind: fc.nat(2) })
  .map(({ text: content, by, seal, kind }): Part => {
    if (kind === 0 || by === undefined) return { kind: 'thinking', text: content }
    if (kind === 1) return { kind: 'thinking', text: content, by, signature: seal }
    return { kind: 'thinking', text: by === 'anthropic' ? '' : content, by, encrypted: seal }
  })

interface Call {
  readonly name: string
  readonly arguments: string
  readonly custom: boolean
  readonly result: readonly Part[]
  readonly isError: boolean
}

const json = fc
  .dictionary(identifier, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  .map((value) => JSON.stringify(value))

const call: fc.Arbitrary<Call> = fc
  .record({
    name: identifier,
    custom: fc.option(fc.constant(true), { nil: false, freq: 5 }),
    free: some,
    json,
    result: fc.oneof(
      fc.constant([]),
      text.map((part) => [part]),
      json.map((value): Part[] => [{ kind: 'text', text: value }]),
      fc.tuple(text, image).map((parts): Part[] => parts),
    ),
    isError: fc.boolean(),
  })
  .map(({ free, json: value, ...call }) => ({ ...call, arguments: call.custom ? free : value }))

interface Round {
  readonly thoughts: readonly Part[]
  readonly spokenText: string | undefined
  readonly calls: readonly Call[]
}

const round: fc.Arbitrary<Round> = fc.record({
  thoughts: fc.array(thought, { maxLength: 2 }),
  spokenText: maybe(some),
  calls: fc.array(call, { maxLength: 3 }),
})

const callPart = ({ name, arguments: input, custom }: Call, number: number): ToolCallPart => ({
  kind: 'tool_call',
  id: `call_${number}`,
  name,
  arguments: input,
  ...(custom ? { custom } : {}),
})

const resultPart = ({ result, isError, custom }: Call, number: number): Part => ({
  kind: 'tool_result',
  id: `call_${number}`,
  content: result,
  ...(isError ? { isError } : {}),
  ...(custom ? { custom } : {}),
})

/** Calls are answered before anything else is said. */
const messagesOf = (turns: readonly { question: readonly Part[]; rounds: readonly Round[] }[]): Message[] => {
  let number = 0
  return turns.flatMap(({ question, rounds }) => [
    { role: 'user', parts: question } as const,
    ...rounds.flatMap(({ thoughts, spokenText, calls }): Message[] => {
      const first = number
      number += calls.length
      const spoken: Part[] =
        spokenText === undefined && calls.length > 0 ? [] : [{ kind: 'text', text: spokenText ?? 'ok' }]
      const parts = [...thoughts, ...spoken, ...calls.map((call, at) => callPart(call, first + at))]
      const results = calls.map((call, at) => resultPart(call, first + at))
      return [{ role: 'assistant', parts }, ...(results.length > 0 ? [{ role: 'tool', parts: results } as const] : [])]
    }),
  ])
}

const system: fc.Arbitrary<Message> = fc.record({
  role: fc.constantFrom('system' as const, 'developer' as const),
  parts: fc.array(marked(text), { minLength: 1, maxLength: 2 }),
})

const messages: fc.Arbitrary<Message[]> = fc
  .record({
    systems: fc.array(system, { maxLength: 2 }),
    turns: fc.array(
      fc.record({
        question: fc.array(userPart, { minLength: 1, maxLength: 3 }),
        rounds: fc.array(round, { minLength: 1, maxLength: 3 }),
      }),
      { maxLength: 3 },
    ),
    last: fc.array(userPart, { minLength: 1, maxLength: 2 }),
  })
  .map(({ systems, turns, last }) => [...systems, ...messagesOf(turns), { role: 'user', parts: last }])

const schema: fc.Arbitrary<JsonObject> = fc
  .array(identifier, { maxLength: 3 })
  .map((names) => ({ type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) }))

const tool = (name: string): fc.Arbitrary<Tool> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .record({ description: maybe(some), parameters: maybe(schema), strict: maybe(fc.boolean()), mark: cache })
        .map(({ mark, ...definition }): Tool => ({ kind: 'function', name, ...defined(definition), ...mark })),
    },
    maybe(some).map((description): Tool => ({ kind: 'custom', name, ...defined({ description }) })),
  )

const tools = fc
  .uniqueArray(identifier, { maxLength: 4 })
  .chain((names): fc.Arbitrary<Tool[]> => fc.tuple(...names.map(tool)))

const choiceOf = (offered: readonly Tool[]): fc.Arbitrary<ToolChoice | undefined> => {
  const plain = fc.constantFrom<ToolChoice | undefined>(
    undefined,
    { kind: 'auto' },
    { kind: 'none' },
    { kind: 'required' },
  )
  const functions = offered.flatMap((tool) => (tool.kind === 'function' ? [tool.name] : []))
  const [first] = functions
  if (first === undefined) return plain
  const named = fc.constantFrom<ToolChoice>(
    { kind: 'tool', name: first },
    { kind: 'allowed', names: functions, required: true },
    { kind: 'allowed', names: functions, required: false },
  )
  return fc.oneof(plain, named)
}

const format: fc.Arbitrary<AnswerFormat> = fc.oneof(
  fc.constant({ kind: 'json' } as const),
  fc.record({ name: identifier, schema, strict: maybe(fc.boolean()) }).map(({ strict, ...format }) => ({
    kind: 'schema' as const,
    ...format,
    ...defined({ strict }),
  })),
)

const efforts: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']
const reasoning: fc.Arbitrary<Reasoning> = fc.oneof(
  fc.constantFrom(...efforts).map((effort) => ({ effort })),
  fc.constantFrom(-1, 0, 1024, 4000, 30_000).map((budget) => ({ budget })),
)

const settings = fc.record({
  parallelToolCalls: maybe(fc.boolean()),
  format: maybe(format),
  reasoning: maybe(reasoning),
  maxTokens: maybe(fc.integer({ min: 1, max: 100_000 })),
  temperature: maybe(fc.constantFrom(0, 0.3, 1, 1.5)),
  topP: maybe(fc.constantFrom(0.1, 0.97, 1)),
  topK: maybe(fc.integer({ min: 1, max: 100 })),
  frequencyPenalty: maybe(fc.constantFrom(0, 0.5)),
  presencePenalty: maybe(fc.constantFrom(0, -0.5)),
  seed: maybe(fc.nat()),
  stop: maybe(fc.array(fc.oneof(some, fc.constant('\n')), { minLength: 1, maxLength: 3 })),
  n: maybe(fc.constantFrom(1, 2)),
  // Alternatives mean nothing without.
  sureness: fc.oneof(
    fc.constant({}),
    fc.constant({ logprobs: false }),
    maybe(fc.integer({ min: 1, max: 5 })).map((topLogprobs) => ({ logprobs: true, ...defined({ topLogprobs }) })),
  ),
  user: maybe(identifier),
  serviceTier: maybe(fc.constantFrom('auto', 'default', 'flex')),
  verbosity: maybe(fc.constantFrom('low', 'high')),
})

const models = [
  'gpt-5',
  'gpt-4o',
  'claude-sonnet-4-5',
  'claude-opus-4-7',
  'claude-3-7-sonnet',
  'gemini-2.5-pro',
  'gemini-3-pro',
]

export const conversation: fc.Arbitrary<Conversation> = fc
  .record({
    messages,
    tools,
    settings,
    model: fc.constantFrom(...models),
    stream: fc.boolean(),
    dialect: fc.constantFrom(...dialectNames),
  })
  .chain(({ settings: { sureness, ...sampling }, dialect, ...rest }) =>
    choiceOf(rest.tools).map((toolChoice) => ({
      ...rest,
      ...defined({ ...sampling, ...sureness, toolChoice }),
      streamUsage: true,
      own: { dialect, members: { something_else: 1 } },
    })),
  )
