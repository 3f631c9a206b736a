import {
  asksForStream,
  breakpointsOf,
  invalidRequest,
  isMissing,
  maxTokensOf,
  requestedTier,
} from '../conversation/request-fields.ts'
import { plainResponses } from '../plain/plain-shapes.ts'
import { type RequestRules, toolsBounds, turnsBounds } from '../request-rules.ts'
import { usesProviderTools } from '../tools/provider-tools.ts'

export const requestRules: RequestRules = {
  check({ input, prompt }) {
    if (isMissing(input) && isMissing(prompt)) throw invalidRequest('field input is required')
  },
  asksForStream,
  maxTokens: maxTokensOf,
  answers: ({ n }) => n,
  usesProviderTools,
  serviceTier: requestedTier,
  cachedFor: breakpointsOf,
  maySpeak: () => false,
  messages: ({ input }) => input,
  opening: ({ instructions, input }) => ({ instructions, turns: input }),
  lists: new Map([
    ['input', turnsBounds],
    ['tools', toolsBounds],
  ]),
  plain: plainResponses,
  passedHeaders: [],
  deferredBy: ['background'],
}
