import { defined, type JsonObject, membersOf, objectsOf, textIn, textOf } from '../../dialects/conversation/json.ts'
import type { UpstreamError } from '../../dialects/dialect.ts'
import { hostOf } from '../../dialects/facts/hosts.ts'
import { openaiShaped, statusFrom } from '../dialects/openai-shaped.ts'
import { nativeRequest } from './request.ts'

/** Error code → HTTP status (help.aliyun.com/zh/model-studio/error-code). */
const statuses: readonly (readonly [RegExp, number])[] = [
  [/InvalidApiKey/i, 401],
  [/Arrearage|AccessDenied|Forbidden|Unpurchased/i, 403],
  [/NotFound|NotExist/i, 404],
  [/Throttling|RateLimit|Quota/i, 429],
  [/InvalidParameter|BadRequest|DataInspection|InvalidURL|InvalidFile/i, 400],
  [/Timeout/i, 504],
]

export const errorWithCode = (code: string, message: string): UpstreamError => ({
  message,
  type: code,
  code,
  status: statusFrom(statuses, code),
})

export const errorOf = (json: JsonObject): UpstreamError | undefined => {
  const code = textOf(json.code)
  return code === '' || json.output !== undefined ? undefined : errorWithCode(code, textOf(json.message))
}

/** Merges the input details, which come in two members, and renames `cache_creation_input_tokens`. */
const usageOf = (value: unknown): JsonObject => {
  const { input_tokens_details: input, ...usage } = membersOf(value)
  const details = { ...membersOf(input), ...membersOf(usage.prompt_tokens_details) }
  return {
    ...usage,
    prompt_tokens_details: { ...details, cache_creation_tokens: details.cache_creation_input_tokens },
  }
}

/**
 * Content that is a list of parts becomes one text and a list of images. Other parts are ignored: OCR results repeat the text.
 */
const contentOf = (content: unknown): JsonObject => {
  if (!Array.isArray(content)) return { content: textOf(content) }
  const parts = objectsOf(content)
  const images = parts.flatMap(({ image }) => (typeof image === 'string' ? [{ image_url: { url: image } }] : []))
  return { content: parts.map(({ text }) => textOf(text)).join(''), ...(images.length > 0 ? { images } : {}) }
}

const citationsOf = (output: JsonObject): JsonObject => {
  const results = objectsOf(membersOf(output.search_info).search_results)
  const annotations = results.map(({ url, title }) => ({ type: 'url_citation', url_citation: { url, title } }))
  return annotations.length > 0 ? { annotations } : {}
}

/** Deep research streams its steps first: only the phase `answer` is content, the other phases are reasoning. */
const researchChoice = ({ message, finished_reason: reason }: JsonObject): JsonObject => {
  const { phase, content, status } = membersOf(message)
  const isAnswer = phase === 'answer'
  const isOver = isAnswer && status === 'finished'
  return {
    message: isAnswer ? { content: textOf(content) } : { reasoning_content: textOf(content) },
    finish_reason: isOver ? (textIn(reason) ?? 'stop') : 'null',
  }
}

const choicesOf = (output: JsonObject): readonly JsonObject[] => {
  if (Array.isArray(output.choices)) return objectsOf(output.choices)
  if (output.message !== undefined) return [researchChoice(output)]
  return [{ message: { content: output.text }, finish_reason: output.finish_reason }]
}

const messageFrom = (choice: JsonObject, output: JsonObject): JsonObject => {
  const message = membersOf(choice.message)
  return { ...message, ...contentOf(message.content), ...citationsOf(output) }
}

/** The reason is the text `null` until a stream finishes. Some models report `stop` where they call tools. */
const finishOf = ({ finish_reason: reason }: JsonObject, hasCalls: boolean): string | null => {
  if (reason === 'null' || typeof reason !== 'string' || reason === '') return null
  return reason === 'stop' && hasCalls ? 'tool_calls' : reason
}

const hasToolCalls = (message: JsonObject): boolean => objectsOf(message.tool_calls).length > 0

const head = ({ request_id: id }: JsonObject): JsonObject => ({ id: textOf(id) })

/** DashScope's native API, for models and accounts that its OpenAI-compatible API does not serve. */
export const dashscope = openaiShaped({
  name: 'dashscope',
  capabilities: { host: hostOf('Ali'), topK: true, thoughts: 'reasoning_content' },
  request: nativeRequest,
  answer(json) {
    const output = membersOf(json.output)
    const choices = choicesOf(output).map((choice, index) => {
      const message = messageFrom(choice, output)
      const finish_reason = finishOf(choice, hasToolCalls(message)) ?? 'stop'
      return { index, message, finish_reason, ...defined({ logprobs: choice.logprobs }) }
    })
    return { ...head(json), choices, usage: usageOf(json.usage) }
  },
  openChunks() {
    let hasCalled = false
    return (json) => {
      const output = membersOf(json.output)
      const choices = choicesOf(output).map((choice, index) => {
        const delta = messageFrom(choice, output)
        hasCalled ||= hasToolCalls(delta)
        return { index, delta, finish_reason: finishOf(choice, hasCalled), ...defined({ logprobs: choice.logprobs }) }
      })
      return { ...head(json), choices, usage: usageOf(json.usage) }
    }
  },
  errorOf,
})
