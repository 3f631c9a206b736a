import { statedCount } from '../../billing/reported/counts.ts'
import { isObject, type JsonObject, membersOf, numberIn } from '../conversation/json.ts'
import { type Extras, extrasOf, noExtras, saysStandard, tierAmong, toolNamed } from '../tools/tools-used.ts'

const callsOf = (value: unknown): number => numberIn(statedCount(value)) ?? 0

/**
 * Reads the calls of Anthropic's own tools and the service tier from a usage. Searches are billed per call, fetches by tokens
 * only (platform.claude.com/docs/en/about-claude/pricing). A speed, as `fast`, counts as a tier.
 */
export const usageExtras = ({ server_tool_use: used, service_tier: tier, speed }: JsonObject): Extras => {
  const serviceTier = tierAmong(speed, tier)
  if (!isObject(used)) return serviceTier === undefined ? noExtras : { tier: serviceTier }
  const calls = {
    web_search: callsOf(used.web_search_requests),
    web_fetch: callsOf(used.web_fetch_requests),
    code_execution: callsOf(used.code_execution_requests),
  }
  return extrasOf(calls, serviceTier)
}

/** True if a usage states the standard tier. */
export const statesStandard = ({ service_tier: tier, speed }: JsonObject): boolean => saysStandard(speed, tier)

/** Tools that run at Anthropic or at a server that the request names, by the names in their blocks; the usage counts their calls. */
const serverTools: ReadonlySet<unknown> = new Set([
  'web_search',
  'web_fetch',
  'code_execution',
  'bash_code_execution',
  'text_editor_code_execution',
  'tool_search_tool_regex',
  'tool_search_tool_bm25',
  'advisor',
  'memory',
])

/** Calls of tools that run at Anthropic and that no table knows, by name. */
export const unknownCalls = (blocks: readonly JsonObject[]): Record<string, number> => {
  const calls = new Map<string, number>()
  for (const { type, name } of blocks) {
    if (type !== 'server_tool_use' || serverTools.has(name)) continue
    const tool = toolNamed(name)
    calls.set(tool, (calls.get(tool) ?? 0) + 1)
  }
  return Object.fromEntries(calls)
}

/** Counts the searches of an answer that broke off. Failed searches are not billed. */
export const searchesIn = (blocks: readonly JsonObject[]): number =>
  blocks.filter(
    ({ type, content }) =>
      type === 'web_search_tool_result' && membersOf(content).type !== 'web_search_tool_result_error',
  ).length
