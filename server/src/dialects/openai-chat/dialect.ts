import { defined, type JsonObject } from '../conversation/json.ts'
import { sealReader, sealWriter } from '../conversation/seal.ts'
import { openaiCost } from '../cost/openai.ts'
import type { Dialect, UpstreamDialect } from '../dialect.ts'
import { pictureTypes } from '../facts/media-types.ts'
import { chatFiles } from '../files/named-files.ts'
import type { RecalledThoughts } from '../thought-rules.ts'
import { freeTextWriter, withFreeText } from '../tools/custom-tools.ts'
import { readAnswer, writeAnswer } from './answer.ts'
import type { ChatCapabilities } from './capabilities.ts'
import { openaiErrors } from './errors.ts'
import { passthrough } from './passthrough.ts'
import { paths } from './paths.ts'
import { promptReader } from './prompt.ts'
import { readRequest } from './read-request.ts'
import { openReader } from './read-stream.ts'
import { requestRules } from './request-rules.ts'
import { storage } from './storage.ts'
import { restored, thoughts } from './thoughts.ts'
import { openaiCapabilities, withThoughtsOf, writeRequest } from './write-request.ts'
import { openWriter } from './write-stream.ts'

export const openaiChatDialect: Dialect = {
  name: 'openai-chat',
  support: { unsupported: new Set(['video', 'document']), imageUrls: true, searches: false },
  readRequest,
  writeAnswer: (answer, conversation) => writeAnswer(withFreeText(answer, conversation)),
  openStream: (conversation) => sealWriter(freeTextWriter(openWriter(conversation), conversation)),
  paths,
  errors: openaiErrors,
  requestRules,
  promptReader,
  passthrough,
  files: chatFiles,
  costPlace: openaiCost,
  checkTranslatable: () => {},
  writeTokenCount: (tokens) => ({ input_tokens: tokens }),
  storage,
  thoughts,
  modelInPath: false,
  keepsRateLimitText: false,
}

/** Providers take thoughts as text, or with OpenRouter's signatures. */
const thoughtWriter =
  (kind: 'reasoning_content' | 'reasoning_details') =>
  (body: JsonObject, recalled: RecalledThoughts): JsonObject =>
    restored(body, recalled, ({ reasoning_content, reasoning_details }) =>
      kind === 'reasoning_details' && reasoning_details !== undefined
        ? { reasoning_details }
        : defined({ reasoning_content }),
    )

/** Chat completions of OpenAI and compatible providers, with the provider's capabilities. */
export const openaiChat = (capabilities: Partial<ChatCapabilities> = {}): UpstreamDialect => {
  const all = { ...openaiCapabilities, ...capabilities }
  return {
    name: 'openai-chat',
    ...(all.toolLists ? { toolLists: 'all' as const } : {}),
    ...(all.ownModels ? { pictures: pictureTypes.openai } : {}),
    writeRequest: (conversation, unsupported) => writeRequest(conversation, unsupported, all),
    withThoughts(body, recalled, model) {
      const { thoughts: form } = withThoughtsOf(model, all)
      return form === 'none' ? body : thoughtWriter(form)(body, recalled)
    },
    readAnswer,
    openStream: () => sealReader(openReader()),
  }
}
