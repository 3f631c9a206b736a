import { asksForStream, cacheControlOf, checkList, maxTokensOf, requestedTier } from '../conversation/request-fields.ts'
import { plainMessages } from '../plain/plain-shapes.ts'
import { type RequestRules, toolsBounds, turnsBounds } from '../request-rules.ts'
import { usesProviderTools } from '../tools/provider-tools.ts'

export const requestRules: RequestRules = {
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
