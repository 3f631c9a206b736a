import { AppError } from '../../lib/app-error.ts'
import { membersOf } from '../conversation/json.ts'
import { sealReader, sealWriter } from '../conversation/seal.ts'
import { anthropicCost } from '../cost/anthropic.ts'
import type { Dialect, UpstreamDialect } from '../dialect.ts'
import { pictureTypes } from '../facts/media-types.ts'
import { readAnswer, writeAnswer } from './answer.ts'
import { withCacheMarks } from './cache-marks.ts'
import type { AnthropicCapabilities } from './capabilities.ts'
import { errors } from './errors.ts'
import { limitHeaders } from './limit-headers.ts'
import { modelList } from './model-list.ts'
import { passthrough } from './passthrough.ts'
import { paths } from './paths.ts'
import { promptReader } from './prompt.ts'
import { readRequest } from './read-request.ts'
import { openReader } from './read-stream.ts'
import { requestRules } from './request-rules.ts'
import { seals } from './seals.ts'
import { anthropicCapabilities, writeRequest } from './write-request.ts'
import { openWriter } from './write-stream.ts'

export const anthropicDialect: Dialect = {
  name: 'anthropic',
  support: { unsupported: new Set(['image', 'audio', 'video', 'document']), imageUrls: true, searches: true },
  readRequest,
  writeAnswer,
  openStream: (conversation) => sealWriter(openWriter(conversation)),
  paths,
  keys: { headers: ['x-api-key'], firstAt: '/v1/messages' },
  errors,
  limitHeaders,
  requestRules,
  seals,
  promptReader,
  passthrough,
  costPlace: anthropicCost,
  modelList,
  checkTranslatable({ thread }) {
    if (membersOf(thread).type === 'continue') throw new AppError('thread_not_kept')
  },
  // docs.anthropic.com/en/api/messages-count-tokens
  writeTokenCount: (tokens) => ({ input_tokens: tokens }),
  modelInPath: false,
  keepsRateLimitText: true,
}

/** The Messages API of Anthropic, and of Claude at Bedrock and Vertex. */
export const anthropicMessages = (capabilities: Partial<AnthropicCapabilities> = {}): UpstreamDialect => {
  const all = { ...anthropicCapabilities, ...capabilities }
  return {
    name: 'anthropic',
    pictures: pictureTypes.claude,
    ...(all.urls ? { documentUrls: true } : {}),
    writeRequest: (conversation, unsupported) => writeRequest(conversation, unsupported, all),
    withCacheMarks,
    readAnswer,
    openStream: () => sealReader(openReader()),
  }
}
