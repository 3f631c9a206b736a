import type { DialectName, OpaquePart, TextPart, WebSearch } from '../conversation/conversation.ts'
import { type JsonObject, objectsOf, textOf } from '../conversation/json.ts'
import { unsigned, unwrapSignature } from '../conversation/signatures.ts'

/**
 * Searches that another provider made, as Anthropic tells of its own (platform.claude.com/docs/en/agents-and-tools/tool-use/
 * web-search-tool). Its clients give the blocks back; what stands in them for Anthropic's encrypted content carries our mark.
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

/** A part that only one dialect has words for, as blocks of a message. */
export const opaqueBlocks = ({ dialect, value, search }: OpaquePart): readonly JsonObject[] => {
  if (dialect === 'anthropic') return [value]
  return search === undefined ? [] : searchBlocks(search, dialect)
}

/** A block that names a search which another provider made, or that it found nothing: the results say all of it. */
export const isForeignSearch = ({ type, id, tool_use_id: called, content }: JsonObject): boolean =>
  (type === 'server_tool_use' && textOf(id).startsWith(idPrefix)) ||
  (type === 'web_search_tool_result' && textOf(called).startsWith(idPrefix) && objectsOf(content).length === 0)

/** What another provider's search found, as text: nobody can read such a block but Anthropic, which did not write it. */
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
