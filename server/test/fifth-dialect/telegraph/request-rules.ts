import { listOf } from '../../../src/dialects/conversation/json.ts'
import { checkList, numberOf } from '../../../src/dialects/conversation/request-fields.ts'
import { type RequestRules, toolsBounds } from '../../../src/dialects/request-rules.ts'

export const requestRules: RequestRules = {
  check: (body) => checkList(body, 'lines'),
  asksForStream: ({ live }) => live === true,
  maxTokens: ({ words }) => numberOf(words),
  answers: () => 1,
  usesProviderTools: () => false,
  serviceTier: () => undefined,
  cachedFor: () => undefined,
  maySpeak: () => false,
  messages: ({ lines }) => lines,
  opening: ({ lines }) => ({
    instructions: undefined,
    turns: listOf(lines).map((line) => ({ role: 'user', content: line })),
  }),
  lists: new Map([
    ['lines', { entries: 500, parts: 500 }],
    ['offices', toolsBounds],
  ]),
  passedHeaders: ['telegraph-line'],
}
