import type { Namespace, Tool, ToolChoice } from '../conversation/conversation.ts'
import {
  defined,
  flagIn,
  isObject,
  type JsonObject,
  membersOf,
  objectsOf,
  textIn,
  textOf,
} from '../conversation/json.ts'
import { providerFields } from '../conversation/provider-fields.ts'
import { clientTool } from './client-tools.ts'

const builtIns: ReadonlyMap<string, 'web_search' | 'code_execution' | 'image_generation'> = new Map([
  ['web_search', 'web_search'],
  ['web_search_preview', 'web_search'],
  ['web_search_preview_2025_03_11', 'web_search'],
  ['web_search_2025_08_26', 'web_search'],
  ['code_interpreter', 'code_execution'],
  ['image_generation', 'image_generation'],
])

const translatedInTool = new Set(['type', 'name', 'description', 'parameters', 'strict'])

const readFunction = (tool: JsonObject, namespace: Namespace | undefined): Tool => ({
  kind: 'function',
  name: textOf(tool.name),
  ...defined({
    namespace,
    description: textIn(tool.description),
    parameters: isObject(tool.parameters) ? tool.parameters : undefined,
    strict: flagIn(tool.strict),
  }),
  ...providerFields('openai-responses', tool, translatedInTool),
})

const readCustom = (tool: JsonObject, namespace: Namespace | undefined): Tool => ({
  kind: 'custom',
  name: textOf(tool.name),
  ...defined({
    namespace,
    description: textIn(tool.description),
    format: isObject(tool.format) ? tool.format : undefined,
  }),
})

const readOther = (tool: JsonObject): Tool => {
  const definition = clientTool(tool)
  if (definition !== undefined) {
    const { type, description, parameters } = definition
    return { kind: 'function', name: type, clientTool: { type, value: tool }, description, parameters }
  }
  const type = builtIns.get(textOf(tool.type)) ?? 'other'
  return { kind: 'built_in', type, dialect: 'openai-responses', value: tool }
}

/** Reads one entry of `tools`; a namespace becomes its tools. */
const readTool = (tool: JsonObject, namespace?: Namespace): Tool[] => {
  switch (tool.type) {
    case 'function':
      return [readFunction(tool, namespace)]
    case 'custom':
      return [readCustom(tool, namespace)]
    case 'namespace': {
      const group = { name: textOf(tool.name), description: textOf(tool.description) }
      return objectsOf(tool.tools).flatMap((inner) => readTool(inner, group))
    }
    default:
      return [readOther(tool)]
  }
}

const keyOf = (tool: Tool): string =>
  tool.kind === 'built_in' ? JSON.stringify(tool.value) : `${tool.namespace?.name ?? ''}\n${tool.name}`

/** A tool that is offered twice keeps its first position, for prompt caches, and its last definition. */
const withoutDoubles = (tools: readonly Tool[]): Tool[] => [
  ...new Map(tools.map((tool) => [keyOf(tool), tool] as const)).values(),
]

/** Input items that offer tools: `additional_tools` and the results of a tool search. */
const offersTools = ({ type }: JsonObject): boolean => type === 'additional_tools' || type === 'tool_search_output'

/** Reads all tools of a request, from `tools` and from input items. */
export const readTools = ({ tools, input }: JsonObject): Tool[] => {
  const own = objectsOf(tools).flatMap((tool) => readTool(tool))
  const items = objectsOf(input).filter(offersTools)
  if (items.length === 0) return own
  return withoutDoubles([...own, ...items.flatMap((item) => objectsOf(item.tools).flatMap((tool) => readTool(tool)))])
}

/** A namespace in `allowed_tools` allows all its tools. Tools of the provider have a type only. */
const allowedNames = (entry: JsonObject, tools: readonly Tool[]): string[] =>
  entry.type === 'namespace'
    ? tools.flatMap((tool) => (tool.kind !== 'built_in' && tool.namespace?.name === entry.name ? [tool.name] : []))
    : [textOf(entry.name) || textOf(entry.type)]

export const readChoice = (choice: unknown, offered: readonly Tool[]): ToolChoice | undefined => {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { kind: choice }
  const { type, name, mode, tools } = membersOf(choice)
  if (type === 'function') return { kind: 'tool', name: textOf(name) }
  if (type === 'custom') return { kind: 'tool', name: textOf(name), custom: true }
  const own = offered.find(
    (tool) => tool.kind === 'function' && tool.clientTool !== undefined && tool.clientTool.type === type,
  )
  if (own?.kind === 'function') return { kind: 'tool', name: own.name }
  if (type !== 'allowed_tools') return undefined
  const names = objectsOf(tools).flatMap((entry) => allowedNames(entry, offered))
  return { kind: 'allowed', names, required: mode === 'required' }
}
