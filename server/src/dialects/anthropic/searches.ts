import type { DialectName, OpaquePart, TextPart, WebSearch } from '../conversation/conversation.ts'
import { type JsonObject, objectsOf, textOf } from '../conversation/json.ts'
import { unsigned, unwrapSignature } from '../conversation/signatures.ts'

/**
 * Writes searches of other providers as Anthropic's search blocks (platform.claude.com/docs/en/agents-and-tools/tool-use/
 * web-search-tool). Clients return the blocks; a mark in place of `encrypted_content` identifies them as ours.
 */

const idPrefix = 'srvtoolu_tollgate_'
const name = 'web_search'
const caller = { type: 'direct' } as const

const searchBlocks = ({ id, queries, sources }: WebSearch, maker: DialectName): JsonObject[] => {
  if (queries.length === 0) return []
  const toolId = `${idPrefix}${id.replaceAll(/[^a-zA-Z0-9_-]/g, '')}`
  const encrypted_content = unsigned(maker)
  return [
    { type: 'server_tool_use', id: toolId, name, input: { query: queries.join('\n') }, caller },
    {
      type: 'web_search_tool_result',
      tool_use_id: toolId,
      content: sources.map(({ url, title = url }) => ({
        type: 'web_search_result',
        url,
        title,
        encrypted_content,
        page_age: null,
      })),
      caller,
    },
  ]
}

/** Writes a provider-specific part as blocks of a message. */
export const opaqueBlocks = ({ dialect, value, search }: OpaquePart): readonly JsonObject[] => {
  if (dialect === 'anthropic') return [value]
  return search === undefined ? [] : searchBlocks(search, dialect)
}

/** True for the query block, or an empty result block, of another provider's search: the results hold everything. */
export const isForeignSearch = ({ type, id, tool_use_id: called, content }: JsonObject): boolean =>
  (type === 'server_tool_use' && textOf(id).startsWith(idPrefix)) ||
  (type === 'web_search_tool_result' && textOf(called).startsWith(idPrefix) && objectsOf(content).length === 0)

/** Results of another provider's search as text: no provider could read the block, and Anthropic reads only its own. */
export const foreignResults = ({ type, tool_use_id: id, content }: JsonObject): TextPart | undefined => {
  if (type !== 'web_search_tool_result' || !textOf(id).startsWith(idPrefix)) return undefined
  const found = objectsOf(content).map(({ url, title }) =>
    title === url || textOf(title) === '' ? `- ${textOf(url)}` : `- ${textOf(title)}: ${textOf(url)}`,
  )
  return { kind: 'text', text: found.length === 0 ? '' : ['Found on the web:', ...found].join('\n') }
}

/** Anthropic refuses citations of searches that it did not make. */
export const isOwnCitation = ({ encrypted_index: index }: JsonObject): boolean =>
  unwrapSignature(textOf(index)) === undefined
