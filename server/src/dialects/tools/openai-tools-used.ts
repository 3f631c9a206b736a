import { ownMember } from '@tollgate/contract/own-member'
import { statedCount } from '../../billing/reported/counts.ts'
import { isObject, type JsonObject, membersOf } from '../conversation/json.ts'

/** xAI's counters by our tool names (docs.x.ai/developers/tools/overview). Calls of MCP servers cost only tokens. */
const xaiCalls: Readonly<Record<string, string>> = {
  web_search_calls: 'web_search',
  x_search_calls: 'x_search',
  code_interpreter_calls: 'code_interpreter',
  file_search_calls: 'file_search',
  document_search_calls: 'attachment_search',
  image_generation_calls: 'image_generation',
}

const contextSizes: ReadonlySet<unknown> = new Set(['low', 'medium', 'high'])

/**
 * Tool calls that a usage object in OpenAI's shape reports, by their names in the option ToolPrices: xAI's tools, the sources of
 * xAI's older Live Search, OpenRouter's searches (`server_tool_use`), and Perplexity's search per context size.
 */
export const toolsStated = (value: unknown): Record<string, number> => {
  if (!isObject(value)) return {}
  const calls = new Map<string, number>()
  const note = (tool: string, value: unknown): void => {
    const count = statedCount(value)
    // `extrasOf` checks the upper limit.
    if (typeof count === 'number' && count > 0) calls.set(tool, count)
  }
  note('live_search', value.num_sources_used)
  note('search_query', value.num_search_queries)
  if (contextSizes.has(value.search_context_size)) note(`search_${value.search_context_size}`, 1)
  const served = value.server_tool_use ?? value.server_tool_use_details
  if (served !== undefined) note('web_search', membersOf(served).web_search_requests)
  const { server_side_tool_usage_details: details } = value
  if (isObject(details)) for (const [name, tool] of Object.entries(xaiCalls)) note(tool, ownMember(details, name))
  return Object.fromEntries(calls)
}

/** True if the usage object reports tool calls; the items of the answer need no count then. */
export const statesTools = (value: unknown): boolean =>
  isObject(value) && isObject((value as JsonObject).server_side_tool_usage_details)
