import { ownMember } from '@tollgate/contract/own-member'
import { unknownMembers } from '../../billing/declared/unknown-members.ts'
import { statedCount } from '../../billing/reported/counts.ts'
import { plainOpenaiUsage } from '../../billing/reported/plain-usage.ts'
import { mergedUnknown, noUsage, type Usage } from '../../billing/usage.ts'
import { readOpenaiUsage } from '../../billing/usage-openai.ts'
import { withClaudeParts } from '../anthropic/billed/claude-parts.ts'
import { isObject, type JsonObject, membersOf, numberIn, objectsOf, textOf } from '../conversation/json.ts'
import { statesTools, toolsStated } from '../tools/openai-tools-used.ts'
import {
  containerNamed,
  type Extras,
  extrasOf,
  isCallCount,
  saysStandard,
  tierAmong,
  toolNamed,
  withExtras,
} from '../tools/tools-used.ts'
import { drawnPictures } from './billed/drawn-pictures.ts'

/** Opening a page or finding text in it is free (developers.openai.com/api/docs/guides/tools-web-search, "Output"). */
const freeActions: ReadonlySet<unknown> = new Set(['open_page', 'find_in_page', 'find'])

/** True for billed searches. */
const isSearch = ({ action }: JsonObject): boolean => {
  const { type } = membersOf(action)
  return type === undefined || type === 'search'
}

/** Action of a search call that is neither a search nor free: its price is unknown. */
const otherAction = ({ type, action }: JsonObject): string | undefined => {
  if (type !== 'web_search_call' || action === undefined || action === null) return undefined
  const { type: name = 'search' } = membersOf(action)
  return name === 'search' || freeActions.has(name) ? undefined : toolNamed(`web_search_${textOf(name)}`)
}

/** The preview search tool has its own price. The response repeats the request's tools. */
const searchTool = (tools: unknown): string =>
  objectsOf(tools).some(({ type }) => textOf(type).startsWith('web_search_preview'))
    ? 'web_search_preview'
    : 'web_search'

/** A container is sold by its memory. The response repeats the request's tools. */
const containerTool = (tools: unknown): string =>
  containerNamed(objectsOf(tools).find(({ type }) => type === 'code_interpreter') ?? {})

/**
 * Types of items that no tool at the provider makes, or whose tool costs nothing beside tokens. Results of tools that run at the client
 * end with `_output`.
 */
const plainItems: ReadonlySet<string> = new Set([
  '',
  'message',
  'reasoning',
  'compaction',
  'compaction_summary',
  'context_compaction',
  'item_reference',
  'additional_tools',
  'function_call',
  'custom_tool_call',
  'computer_call',
  'local_shell_call',
  'shell_call',
  'apply_patch_call',
  'tool_search_call',
  'mcp_call',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'x_search_call',
  'document_search_call',
])

/** Calls of tools that run at the provider and that no table knows, by name. */
const unknownCalls = (items: readonly JsonObject[]): Record<string, number> | undefined => {
  let calls: Record<string, number> | undefined
  for (const item of items) {
    const name = textOf(item.type)
    const action = otherAction(item)
    if (action === undefined && (plainItems.has(name) || name.endsWith('_output'))) continue
    const tool = action ?? toolNamed(name.replace(/_call$/, ''))
    calls = { ...calls, [tool]: (ownMember(calls ?? {}, tool) ?? 0) + 1 }
  }
  return calls
}

/** Counts calls of OpenAI's own tools in the output. A container is billed once, however often it is used. */
export const toolsInItems = (items: readonly JsonObject[], tools: unknown): Record<string, number> => {
  const done = items.filter(({ status }) => status !== 'failed')
  const count = (type: string): number => done.filter((item) => item.type === type).length
  const containers = done.flatMap((item) => (item.type === 'code_interpreter_call' ? [textOf(item.container_id)] : []))
  return {
    [searchTool(tools)]: done.filter((item) => item.type === 'web_search_call' && isSearch(item)).length,
    file_search: count('file_search_call'),
    [containerTool(tools)]: new Set(containers).size,
    image_generation: count('image_generation_call'),
    ...unknownCalls(done),
  }
}

/** The fields of an item that billing needs; results, which may be large, are dropped. */
export const billedPart = ({ type, status, action, container_id }: JsonObject): JsonObject => ({
  type,
  status,
  action,
  container_id,
})

/** The number of searches that a newer answer reports; undefined without a report. */
const searchesStated = ({ tool_usage: used }: JsonObject): number | undefined =>
  numberIn(statedCount(membersOf(membersOf(used).web_search).num_requests))

/** The reported number of searches; an empty object if it is implausible, so that the number of items counts. */
const searchesOf = (response: JsonObject): Record<string, number> => {
  const stated = searchesStated(response)
  return isCallCount(stated) ? { [searchTool(response.tools)]: stated } : {}
}

/** Calls of tools that no table knows, where the usage counts calls by tool and no undeclared one among them. */
const unstatedCalls = ({ usage, output }: JsonObject): Record<string, number> => {
  const isCounted = unknownMembers('openai', usage)?.some(({ kind }) => kind === 'tool') === true
  return (isCounted ? undefined : unknownCalls(objectsOf(output).filter(({ status }) => status !== 'failed'))) ?? {}
}

export const responseExtras = (response: JsonObject): Extras => {
  const isStated = statesTools(response.usage)
  const shown = isStated
    ? unstatedCalls(response)
    : { ...toolsInItems(objectsOf(response.output), response.tools), ...searchesOf(response) }
  const tier = tierAmong(response.service_tier, membersOf(response.usage).service_tier)
  const extras = extrasOf({ ...shown, ...toolsStated(response.usage) }, tier)
  const stated = isStated ? undefined : searchesStated(response)
  if (stated === undefined || isCallCount(stated)) return extras
  return { ...extras, disputed: { ...extras.disputed, [searchTool(response.tools)]: stated } }
}

/** True if a response states the standard tier. */
export const statesStandard = ({ service_tier: tier, usage }: JsonObject): boolean =>
  saysStandard(tier, membersOf(usage).service_tier)

/** Usage of a response object, with its tools and service tier; undefined if it reports none. */
export const responseUsage = (response: JsonObject): Usage | undefined =>
  plainResponseUsage(response) ?? anyResponseUsage(response)

/** Items that cost nothing beside their tokens. */
const textItems: ReadonlySet<unknown> = new Set(['message', 'reasoning', 'function_call', 'custom_tool_call'])
const standardTiers: ReadonlySet<unknown> = new Set([undefined, null, 'default', 'standard', 'auto'])

const holdsNothing = (value: unknown): boolean => {
  if (value === null || value === undefined || value === 0) return true
  return isObject(value) && Object.values(value).every(holdsNothing)
}

/** The usage of a response of the standard tier that used no tool at the provider, where the report is plain. */
const plainResponseUsage = ({
  usage,
  output,
  service_tier: tier,
  tool_usage: tools,
}: JsonObject): Usage | undefined => {
  if (!standardTiers.has(tier) || !Array.isArray(output) || !holdsNothing(tools)) return undefined
  for (const item of output as unknown[]) if (!isObject(item) || !textItems.has(item.type)) return undefined
  return plainOpenaiUsage(usage)
}

/** The same in the general way, for reports of every kind. */
export const anyResponseUsage = (response: JsonObject): Usage | undefined => {
  const drawn = statesTools(response.usage) ? undefined : drawnPictures(response)
  const stated = isObject(response.usage) ? readOpenaiUsage(response.usage) : undefined
  const usage = stated && withClaudeParts(stated, membersOf(response.usage))
  if (usage === undefined && drawn === undefined) return undefined
  const { models } = usage ?? noUsage
  const others = drawn === undefined ? [] : [drawn, ...(models?.others ?? [])]
  const counted = drawn === undefined ? usage : { ...(usage ?? noUsage), models: { ...models, others } }
  const read = withExtras(counted, responseExtras(response))
  const unknown = unknownMembers('responses-tools', response.tool_usage)
  if (unknown === undefined || read === undefined) return read
  return { ...read, unknown: mergedUnknown(read.unknown ?? [], unknown, Math.max) }
}
