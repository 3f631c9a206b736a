import { usageFromTimings } from '../../billing/usage-openai.ts'
import {
  countOf,
  isObject,
  type JsonObject,
  membersOf,
  numberIn,
  objectsOf,
  parsedJson,
  textIn,
  textOf,
} from '../conversation/json.ts'
import { eventFrames, type Frames } from '../frames.ts'
import { writeUsage } from '../openai-chat/usage.ts'

/**
 * The forms in which a model is asked for what stands between two texts: `text` is OpenAI's completions with a `suffix`
 * (api-docs.deepseek.com/guides/fim_completion), `chat` Mistral's `/v1/fim/completions`, whose answers are those of chat completions
 * (docs.mistral.ai/api/endpoint/fim), `infill` llama.cpp's `/infill` (github.com/ggml-org/llama.cpp, tools/server/README.md).
 */
export type InfillForm = 'text' | 'chat' | 'infill'

/** Forms that clients ask in. */
export type AskedForm = Exclude<InfillForm, 'infill'>

/** Names of members, in each form, that `text` calls by the first. */
const names: readonly Readonly<Record<InfillForm, string>>[] = [
  { text: 'prompt', chat: 'prompt', infill: 'input_prefix' },
  { text: 'suffix', chat: 'suffix', infill: 'input_suffix' },
  { text: 'max_tokens', chat: 'max_tokens', infill: 'n_predict' },
  { text: 'seed', chat: 'random_seed', infill: 'seed' },
]

/** A request in another form. Members that all forms share stay as they are. */
export const writeInfill = (body: JsonObject, from: AskedForm, to: InfillForm): JsonObject => {
  const { stream_options: options, ...rest } = body
  const renamed = Object.entries(rest).map(([name, value]) => [
    names.find((row) => row[from] === name)?.[to] ?? name,
    value,
  ])
  const suffix = to === 'infill' && rest.suffix === undefined ? { input_suffix: '' } : {}
  const streamed =
    to === 'text' && body.stream === true ? { stream_options: { ...membersOf(options), include_usage: true } } : {}
  return { ...(Object.fromEntries(renamed) as JsonObject), ...suffix, ...streamed }
}

/** Members that an answer, or a chunk of one, lacks in llama.cpp's form. */
export interface AnswerName {
  readonly id: string
  /** Seconds since 1970. */
  readonly created: number
  readonly model: string
}

const limits: ReadonlySet<unknown> = new Set(['limit', true])

const finishOf = ({ stop, stop_type: type, stopped_limit: isLimit }: JsonObject): string | null => {
  if (stop !== true) return null
  return limits.has(type ?? isLimit) ? 'length' : 'stop'
}

/** llama.cpp counts the cached tokens of a prompt in `tokens_evaluated`. */
const usageOf = ({ timings, tokens_evaluated: read, tokens_predicted: written }: JsonObject): JsonObject => {
  const usage = usageFromTimings(timings)
  if (usage !== undefined) return writeUsage(usage)
  const [prompt, completion] = [countOf(read), countOf(written)]
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

const fromEngine = (json: JsonObject, name: AnswerName, isChunk: boolean): JsonObject => {
  const isLast = json.stop === true || !isChunk
  return {
    id: name.id,
    object: 'text_completion',
    created: name.created,
    model: textIn(json.model) ?? name.model,
    choices: [
      { index: numberIn(json.index) ?? 0, text: textOf(json.content), logprobs: null, finish_reason: finishOf(json) },
    ],
    ...(isLast ? { usage: usageOf(json) } : {}),
    ...(isLast && json.timings !== undefined ? { timings: json.timings } : {}),
  }
}

const contentOf = (choice: JsonObject): string => {
  const { content } = membersOf(choice.message ?? choice.delta)
  return textIn(choice.text) ?? textOf(content)
}

const choiceIn = (choice: JsonObject, to: AskedForm, isChunk: boolean): JsonObject => {
  const { index = 0, finish_reason = null } = choice
  const text = contentOf(choice)
  if (to === 'text') return { index, text, logprobs: null, finish_reason }
  const said = { role: 'assistant', content: text }
  return { index, ...(isChunk ? { delta: said } : { message: said }), finish_reason }
}

/** An answer, or a chunk of one, in the form of its client. */
const readIn = (
  json: JsonObject,
  { from, to, name, isChunk }: InfillAnswer & { readonly isChunk: boolean },
): JsonObject => {
  const isEngine = from === 'infill' && textIn(json.content) !== undefined
  const whole = isEngine ? fromEngine(json, name, isChunk) : json
  if (!Array.isArray(whole.choices)) return whole
  const object = to === 'text' ? 'text_completion' : isChunk ? 'chat.completion.chunk' : 'chat.completion'
  return { ...whole, object, choices: objectsOf(whole.choices).map((choice) => choiceIn(choice, to, isChunk)) }
}

export interface InfillAnswer {
  readonly from: InfillForm
  readonly to: AskedForm
  readonly name: AnswerName
}

export const readInfill = (json: JsonObject, answer: InfillAnswer): JsonObject =>
  readIn(json, { ...answer, isChunk: false })

/** The events of a stream in the form of its client. */
export const infillFrames = (answer: InfillAnswer): Frames => {
  const frames = eventFrames()
  const read = (message: string): string => {
    const json = parsedJson(message)
    return isObject(json) ? JSON.stringify(readIn(json, { ...answer, isChunk: true })) : message
  }
  return {
    push: (chunk) => frames.push(chunk).map(read),
    rest: () => frames.rest().map(read),
    get heldBytes() {
      return frames.heldBytes
    },
  }
}

/** Mistral completes what stands between two texts at a path of its own (docs.mistral.ai/api/endpoint/fim). */
export const mistralInfill = { path: '/v1/fim/completions', form: 'chat' } as const
