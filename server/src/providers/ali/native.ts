import { given, type Members, membersOf, objectsOf, textIn, textOf } from '../../dialects/conversation/json.ts'
import type { UpstreamError } from '../../dialects/dialect.ts'
import { inOpenaiWords, statusFrom } from '../dialects/openai-words.ts'
import { nativeRequest } from './native-request.ts'

/** Error codes and the status that they come with where there is one (help.aliyun.com/zh/model-studio/error-code). */
const statuses: readonly (readonly [RegExp, number])[] = [
  [/InvalidApiKey/i, 401],
  [/Arrearage|AccessDenied|Forbidden|Unpurchased/i, 403],
  [/NotFound|NotExist/i, 404],
  [/Throttling|RateLimit|Quota/i, 429],
  [/InvalidParameter|BadRequest|DataInspection|InvalidURL|InvalidFile/i, 400],
  [/Timeout/i, 504],
]

/** An error by its code. */
export const errorAs = (code: string, message: string): UpstreamError => ({
  message,
  type: code,
  code,
  status: statusFrom(statuses, code),
})

export const errorOf = (json: Members): UpstreamError | undefined => {
  const code = textOf(json.code)
  return code === '' || json.output !== undefined ? undefined : errorAs(code, textOf(json.message))
}

/** Input details are split over two members, and what was written to the cache has a name of its own. */
const usageOf = (value: unknown): Members => {
  const usage = membersOf(value)
  const details = { ...membersOf(usage.input_tokens_details), ...membersOf(usage.prompt_tokens_details) }
  return {
    ...usage,
    prompt_tokens_details: { ...details, cache_creation_tokens: details.cache_creation_input_tokens },
  }
}

/** Texts, pictures and sounds stand in one list; what an OCR task has found stands beside the same as text. */
const contentOf = (content: unknown): Members => {
  if (!Array.isArray(content)) return { content: textOf(content) }
  const parts = objectsOf(content)
  const images = parts.flatMap(({ image }) => (typeof image === 'string' ? [{ image_url: { url: image } }] : []))
  return { content: parts.map(({ text }) => textOf(text)).join(''), ...(images.length > 0 ? { images } : {}) }
}

const citationsOf = (output: Members): Members => {
  const found = objectsOf(membersOf(output.search_info).search_results)
  const annotations = found.map(({ url, title }) => ({ type: 'url_citation', url_citation: { url, title } }))
  return annotations.length > 0 ? { annotations } : {}
}

/** Deep research tells its steps before it answers. */
const researchChoice = ({ message, finished_reason: reason }: Members): Members => {
  const { phase, content, status } = membersOf(message)
  const isAnswer = phase === 'answer'
  const isOver = isAnswer && status === 'finished'
  return {
    message: isAnswer ? { content: textOf(content) } : { reasoning_content: textOf(content) },
    finish_reason: isOver ? (textIn(reason) ?? 'stop') : 'null',
  }
}

const choicesOf = (output: Members): readonly Members[] => {
  if (Array.isArray(output.choices)) return objectsOf(output.choices)
  if (output.message !== undefined) return [researchChoice(output)]
  return [{ message: { content: output.text }, finish_reason: output.finish_reason }]
}

const saidBy = (choice: Members, output: Members): Members => {
  const message = membersOf(choice.message)
  return { ...message, ...contentOf(message.content), ...citationsOf(output) }
}

/** Some models say `stop` where they call tools; while a stream runs, the reason is the word `null`. */
const finishOf = ({ finish_reason: reason }: Members, calls: boolean): string | null => {
  if (reason === 'null' || typeof reason !== 'string' || reason === '') return null
  return reason === 'stop' && calls ? 'tool_calls' : reason
}

const calls = (message: Members): boolean => objectsOf(message.tool_calls).length > 0

const head = ({ request_id: id }: Members): Members => ({ id: textOf(id) })

/** DashScope's own protocol, for models and accounts that its OpenAI-compatible one does not reach. */
export const dashscope = inOpenaiWords({
  name: 'dashscope',
  habits: { topK: true, thoughts: 'reasoning_content', effort: () => true },
  request: ({ reasoning_effort: _, ...body }, losses, conversation) => nativeRequest(body, losses, conversation),
  answer(json) {
    const output = membersOf(json.output)
    const choices = choicesOf(output).map((choice, index) => {
      const message = saidBy(choice, output)
      const finish_reason = finishOf(choice, calls(message)) ?? 'stop'
      return { index, message, finish_reason, ...given({ logprobs: choice.logprobs }) }
    })
    return { ...head(json), choices, usage: usageOf(json.usage) }
  },
  openChunks() {
    let called = false
    return (json) => {
      const output = membersOf(json.output)
      const choices = choicesOf(output).map((choice, index) => {
        const delta = saidBy(choice, output)
        called ||= calls(delta)
        return { index, delta, finish_reason: finishOf(choice, called), ...given({ logprobs: choice.logprobs }) }
      })
      return { ...head(json), choices, usage: usageOf(json.usage) }
    }
  },
  errorOf,
})
