import { isObject, type JsonObject, membersOf, numberIn } from '../conversation/json.ts'
import { type Extras, extrasOf, noExtras, tierOf } from '../tools/tools-used.ts'

/**
 * Reads the calls of Anthropic's own tools and the service tier from a usage. Searches are billed per call, fetches by tokens
 * only (platform.claude.com/docs/en/about-claude/pricing). `speed: fast` counts as a tier.
 */
export const usageExtras = ({ server_tool_use: used, service_tier: tier, speed }: JsonObject): Extras => {
  const serviceTier = speed === 'fast' ? 'fast' : tierOf(tier)
  if (!isObject(used)) return serviceTier === undefined ? noExtras : { tier: serviceTier }
  const calls = {
    web_search: numberIn(used.web_search_requests) ?? 0,
    web_fetch: numberIn(used.web_fetch_requests) ?? 0,
    code_execution: numberIn(used.code_execution_requests) ?? 0,
  }
  return extrasOf(calls, serviceTier)
}

/** Counts the searches of an answer that broke off. Failed searches are not billed. */
export const searchesIn = (blocks: readonly JsonObject[]): number =>
  blocks.filter(
    ({ type, content }) =>
      type === 'web_search_tool_result' && membersOf(content).type !== 'web_search_tool_result_error',
  ).length
