import type { Usage } from '../../../billing/usage.ts'
import { isObject } from '../../conversation/json.ts'
import { readUsage } from '../answer.ts'

/**
 * Usage of one turn of a session, which names what the model said a response, where other answers name candidates
 * (ai.google.dev/api/live, UsageMetadata). undefined where nothing is reported.
 */
export const readLiveUsage = (metadata: unknown): Usage | undefined => {
  if (!isObject(metadata)) return undefined
  const { responseTokenCount, responseTokensDetails, candidatesTokenCount, candidatesTokensDetails, ...rest } = metadata
  return readUsage({
    ...rest,
    candidatesTokenCount: responseTokenCount ?? candidatesTokenCount,
    candidatesTokensDetails: responseTokensDetails ?? candidatesTokensDetails,
  })
}
