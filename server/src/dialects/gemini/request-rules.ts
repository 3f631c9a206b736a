import { type JsonObject, listOf, membersOf } from '../conversation/json.ts'
import { checkList, numberOf, requestedTier } from '../conversation/request-fields.ts'
import { plainContents } from '../plain/plain-shapes.ts'
import { type RequestRules, toolsBounds, turnsBounds } from '../request-rules.ts'
import { usesProviderTools } from '../tools/provider-tools.ts'

/** Google accepts camelCase and snake_case. */
const configOf = (body: JsonObject): JsonObject => membersOf(body.generationConfig ?? body.generation_config)

export const requestRules: RequestRules = {
  check: (body) => checkList(body, 'contents'),
  asksForStream: () => false,
  maxTokens(body) {
    const { maxOutputTokens, max_output_tokens: bound } = configOf(body)
    return Math.max(0, numberOf(maxOutputTokens ?? bound))
  },
  answers(body) {
    const { candidateCount, candidate_count: count } = configOf(body)
    return candidateCount ?? count
  },
  usesProviderTools,
  serviceTier: requestedTier,
  cachedFor: () => undefined,
  maySpeak(body) {
    const { responseModalities, response_modalities: modalities } = configOf(body)
    return listOf(responseModalities ?? modalities).includes('AUDIO')
  },
  messages: ({ contents }) => contents,
  opening: ({ systemInstruction, system_instruction: instructions, contents }) => ({
    instructions: systemInstruction ?? instructions,
    turns: contents,
  }),
  lists: new Map([
    ['contents', turnsBounds],
    ['requests', turnsBounds],
    ['tools', toolsBounds],
  ]),
  plain: plainContents,
  passedHeaders: [],
}
