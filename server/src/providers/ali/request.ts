import type { Conversation } from '../../dialects/conversation/conversation.ts'
import {
  defined,
  isObject,
  type JsonObject,
  listOf,
  membersOf,
  objectsOf,
  textOf,
} from '../../dialects/conversation/json.ts'
import type { UnsupportedFields } from '../../dialects/conversation/unsupported-fields.ts'
import { hostOf } from '../../dialects/facts/hosts.ts'
import { familyOf } from '../../dialects/facts/models.ts'
import { settings, textContent } from '../dialects/openai-shaped.ts'
import { withForcedTool } from '../dialects/thinking-rules.ts'

/** Settings that DashScope takes under the same name. Those that only DashScope has may come from clients of OpenAI's dialect. */
const names: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'temperature',
    'top_p',
    'top_k',
    'max_tokens',
    'seed',
    'stop',
    'n',
    'presence_penalty',
    'repetition_penalty',
    'response_format',
    'logprobs',
    'top_logprobs',
    'parallel_tool_calls',
    'enable_thinking',
    'thinking_budget',
    'enable_search',
    'search_options',
    'enable_text_image_mixed',
    'enable_code_interpreter',
    'vl_high_resolution_images',
    'ocr_options',
    'asr_options',
    'translation_options',
    'skill',
    'size',
    'negative_prompt',
    'prompt_extend',
    'watermark',
    'output_format',
  ].map((name) => [name, name]),
)

/** True for models with audio, image or video. They have their own address and take content as a list of parts. */
export const isMultimodal = (model: string): boolean =>
  /(^|-)(vl|omni|audio|asr|ocr|image)|^qvq|^qwen3\.[5-9]-(plus|flash)|image/.test(model)

const audioUrlOf = (part: JsonObject): string => {
  const { data, format } = membersOf(part.input_audio)
  return `data:audio/${textOf(format) || 'wav'};base64,${textOf(data)}`
}

const urlOf = (value: unknown): string => textOf(membersOf(value).url)

const partOf = (part: JsonObject, unsupported: UnsupportedFields): JsonObject[] => {
  switch (part.type) {
    case 'text':
      return [{ text: textOf(part.text) }]
    case 'image_url':
      return [{ image: urlOf(part.image_url) }]
    case 'video_url':
      return [{ video: urlOf(part.video_url) }]
    case 'input_audio':
      return [{ audio: audioUrlOf(part) }]
    default:
      unsupported.add(`messages.${textOf(part.type)}`)
      return []
  }
}

const partsOf = (content: unknown, unsupported: UnsupportedFields): JsonObject[] =>
  typeof content === 'string'
    ? content === ''
      ? []
      : [{ text: content }]
    : objectsOf(content).flatMap((part) => partOf(part, unsupported))

/**
 * Content with a `doc_url` part is sent as it is, because document models take documents beside the text
 * (help.aliyun.com/zh/model-studio/qwen-doc).
 */
const textOrDocuments = (content: unknown, unsupported: UnsupportedFields): unknown => {
  const hasDocuments = listOf(content).some((part) => isObject(part) && part.type === 'doc_url')
  return hasDocuments ? content : textContent(content, unsupported)
}

/** Translates a chat completion request to DashScope's native API (help.aliyun.com/zh/model-studio/qwen-api-via-dashscope). */
export const nativeRequest = (
  body: JsonObject,
  unsupported: UnsupportedFields,
  conversation: Conversation,
): JsonObject => {
  const model = textOf(body.model)
  const contentOf = isMultimodal(model) ? partsOf : textOrDocuments
  const messages = objectsOf(body.messages).map((message) => ({
    ...message,
    content: contentOf(message.content ?? '', unsupported),
  }))
  const parameters = {
    ...(isMultimodal(model) ? {} : { result_format: 'message' }),
    ...settings(body, names, unsupported),
    ...defined({ tools: body.tools, tool_choice: body.tool_choice }),
    ...(conversation.stream ? { incremental_output: true } : {}),
  }
  return { model, input: { messages }, parameters: withoutForcedThought(model, parameters, unsupported) }
}

/** A forced tool beside thinking is refused in both of DashScope's APIs. */
const withoutForcedThought = (model: string, parameters: JsonObject, unsupported: UnsupportedFields): JsonObject => {
  const thinking = familyOf(model)?.thinking
  if (thinking === undefined) return parameters
  const lost: string[] = []
  const changes = withForcedTool(parameters, thinking, hostOf('Ali'), lost)
  for (const name of lost) unsupported.add(name)
  return lost.length === 0 ? parameters : defined({ ...parameters, ...changes })
}
