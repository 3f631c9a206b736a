import type { Usage } from '../../billing/usage.ts'
import { usageFromOpenai } from '../../billing/usage-openai.ts'
import { isObject, type JsonObject, membersOf, numberIn, objectsOf, textOf } from '../conversation/json.ts'
import { statesTools, toolsStated } from '../tools/openai-tools-used.ts'
import { type Extras, extrasOf, isCallCount, tierOf, withExtras } from '../tools/tools-used.ts'

/** Pages that are opened or looked through cost nothing (developers.openai.com/api/docs/guides/tools-web-search, "Output"). */
const isSearch = ({ action }: JsonObject): boolean => {
  const { type } = membersOf(action)
  return type === undefined || type === 'search'
}

/** The older tool has a price of its own; a response repeats the tools that it had. */
const searchTool = (tools: unknown): string =>
  objectsOf(tools).some(({ type }) => textOf(type).startsWith('web_search_preview'))
    ? 'web_search_preview'
    : 'web_search'

/** Calls of OpenAI's own tools among the items of an output. Containers cost, however often they are used. */
export const toolsInItems = (items: readonly JsonObject[], tools: unknown): Record<string, number> => {
  const done = items.filter(({ status }) => status !== 'failed')
  const count = (type: string): number => done.filter((item) => item.type === type).length
  const containers = done.flatMap((item) => (item.type === 'code_interpreter_call' ? [textOf(item.container_id)] : []))
  return {
    [searchTool(tools)]: done.filter((item) => item.type === 'web_search_call' && isSearch(item)).length,
    file_search: count('file_search_call'),
    code_interpreter: new Set(containers).size,
    image_generation: count('image_generation_call'),
  }
}

/** What has to be kept of an item to bill it: results may be large. */
export const billedPart = ({ type, status, action, container_id }: JsonObject): JsonObject => ({
  type,
  status,
  action,
  container_id,
})

/** Newer answers report how often they searched; undefined where they do not. */
const searchesStated = ({ tool_usage: used }: JsonObject): number | undefined =>
  numberIn(membersOf(membersOf(used).web_search).num_requests)

/** Counts in the items count where the reported one cannot be. */
const searchesOf = (response: JsonObject): Record<string, number> => {
  const stated = searchesStated(response)
  return isCallCount(stated) ? { [searchTool(response.tools)]: stated } : {}
}

export const responseExtras = (response: JsonObject): Extras => {
  const isStated = statesTools(response.usage)
  const shown = isStated ? {} : { ...toolsInItems(objectsOf(response.output), response.tools), ...searchesOf(response) }
  const extras = extrasOf({ ...shown, ...toolsStated(response.usage) }, tierOf(response.service_tier))
  const stated = isStated ? undefined : searchesStated(response)
  if (stated === undefined || isCallCount(stated)) return extras
  return { ...extras, disputed: { ...extras.disputed, [searchTool(response.tools)]: stated } }
}

/** Of a response object, with its tools and its tier. */
export const responseUsage = (response: JsonObject): Usage | undefined => {
  const usage = isObject(response.usage) ? usageFromOpenai(response.usage) : undefined
  return usage === undefined ? undefined : withExtras(usage, responseExtras(response))
}
