import { listOf } from '../conversation/json.ts'
import {
  asksForStream,
  breakpointsOf,
  cacheControlOf,
  checkList,
  maxTokensOf,
  requestedTier,
} from '../conversation/request-fields.ts'
import { plainChat } from '../plain/plain-shapes.ts'
import { type RequestRules, toolsBounds, turnsBounds } from '../request-rules.ts'
import { usesProviderTools } from '../tools/provider-tools.ts'

export const requestRules: RequestRules = {
  check: (body) => checkList(body, 'messages'),
  asksForStream,
  maxTokens: maxTokensOf,
  answers: ({ n }) => n,
  usesProviderTools,
  serviceTier: requestedTier,
  cachedFor: (raw) => cacheControlOf(raw) ?? breakpointsOf(raw),
  maySpeak: ({ modalities }) => listOf(modalities).includes('audio'),
  messages: ({ messages }) => messages,
  opening: ({ messages }) => ({ instructions: undefined, turns: messages }),
  lists: new Map([
    ['messages', turnsBounds],
    ['tools', toolsBounds],
    ['functions', toolsBounds],
  ]),
  plain: plainChat,
  passedHeaders: [],
  // xAI's deferred chat completions (docs.x.ai/docs/guides/deferred-chat-completions).
  deferredBy: ['deferred'],
}
