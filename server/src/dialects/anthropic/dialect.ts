import { AppError } from '../../lib/app-error.ts'
import type { Gauge, Gauges } from '../../limits/call-limits.ts'
import { membersOf } from '../conversation/json.ts'
import { asksForStream, cacheControlOf, checkList, maxTokensOf, requestedTier } from '../conversation/request-fields.ts'
import { sealReader, sealWriter } from '../conversation/seal.ts'
import { anthropicCost } from '../cost/anthropic.ts'
import type { Dialect, UpstreamDialect } from '../dialect.ts'
import { pictureTypes } from '../facts/media-types.ts'
import { messageFiles } from '../files/named-files.ts'
import { plainMessages } from '../plain/plain-shapes.ts'
import { type RequestRules, toolsBounds, turnsBounds } from '../request-rules.ts'
import { usesProviderTools } from '../tools/provider-tools.ts'
import { readAnswer, writeAnswer } from './answer.ts'
import { withCacheMarks } from './cache-marks.ts'
import { errors } from './errors.ts'
import { modelList } from './model-list.ts'
import { passthrough } from './passthrough.ts'
import { paths } from './paths.ts'
import { promptReader } from './prompt.ts'
import { readRequest } from './read-request.ts'
import { openReader } from './read-stream.ts'
import { seals } from './seals.ts'
import type { AnthropicCapabilities } from './thinking.ts'
import { anthropicCapabilities, writeRequest } from './write-request.ts'
import { openWriter } from './write-stream.ts'

const requestRules: RequestRules = {
  check: (body) => checkList(body, 'messages'),
  asksForStream,
  maxTokens: maxTokensOf,
  answers: ({ n }) => n,
  usesProviderTools,
  serviceTier: requestedTier,
  cachedFor: cacheControlOf,
  maySpeak: () => false,
  messages: ({ messages }) => messages,
  opening: ({ system, messages }) => ({ instructions: system, turns: messages }),
  lists: new Map([
    ['messages', turnsBounds],
    ['tools', toolsBounds],
  ]),
  plain: plainMessages,
  passedHeaders: ['anthropic-version', 'anthropic-beta'],
}

/** Resets further away than this are treated as permanent. Milliseconds. */
const longest = 366 * 86_400_000

const headersOf = (name: string, gauge: Gauge | undefined, at: number): string[] => {
  if (gauge === undefined) return []
  const { most, left, freeAt } = gauge
  const prefix = `anthropic-ratelimit-${name}`
  const stands = [`${prefix}-limit`, String(most), `${prefix}-remaining`, String(left)]
  if (freeAt - at > longest) return stands
  return [...stands, `${prefix}-reset`, new Date(Math.ceil(freeAt / 1000) * 1000).toISOString().replace('.000', '')]
}

/** Limits as Anthropic's clients read them (docs.claude.com/en/api/rate-limits#response-headers). */
const limitHeaders = ({ at, requests, tokens, input, output }: Gauges): readonly string[] => [
  ...headersOf('requests', requests, at),
  ...headersOf('tokens', tokens, at),
  ...headersOf('input-tokens', input, at),
  ...headersOf('output-tokens', output, at),
]

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
  files: messageFiles,
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
