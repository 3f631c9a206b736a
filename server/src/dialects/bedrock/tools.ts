import type { Conversation, Message, Tool, ToolChoice } from '../conversation/conversation.ts'
import { defined, type JsonObject } from '../conversation/json.ts'
import { writeProviderFields } from '../conversation/provider-fields.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import { cachePoint } from './write-blocks.ts'

const emptySchema: JsonObject = { type: 'object', properties: {} }

const writeTool = (tool: Tool, unsupported: UnsupportedFields): JsonObject[] => {
  if (tool.kind !== 'function') {
    unsupported.add(`tools.${tool.kind === 'custom' ? 'custom' : String(tool.value.type ?? tool.type)}`)
    return []
  }
  writeProviderFields(tool, undefined, unsupported)
  const { name, description, parameters = emptySchema, strict, cache } = tool
  const json = parameters.type === undefined ? { ...parameters, type: 'object' } : parameters
  const fields = defined({ description: description || undefined, strict: strict === true ? true : undefined })
  const spec = { toolSpec: { name, ...fields, inputSchema: { json } } }
  return cache === undefined ? [spec] : [spec, cachePoint(cache)]
}

/** Tools of earlier calls. Converse refuses a history with calls whose tools are not declared. */
const toolsOfHistory = (messages: readonly Message[]): Tool[] => {
  const names = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'tool_call' ? [part.name] : [])))
  return [...new Set(names)].map((name) => ({ kind: 'function', name }))
}

const writeChoice = (choice: ToolChoice, unsupported: UnsupportedFields): JsonObject | undefined => {
  switch (choice.kind) {
    case 'auto':
      return { auto: {} }
    case 'required':
      return { any: {} }
    case 'tool':
      return { tool: { name: choice.name } }
    case 'allowed':
      unsupported.add('tool_choice.allowed_tools')
      return choice.required ? { any: {} } : { auto: {} }
    case 'none':
      return undefined
  }
}

/** Converse has no tool choice `none`: the tools are left out, unless the history needs them. */
export const toolConfig = (
  { tools, toolChoice, parallelToolCalls, messages }: Conversation,
  unsupported: UnsupportedFields,
): JsonObject | undefined => {
  const history = toolsOfHistory(messages)
  const offered = toolChoice?.kind === 'none' ? history : tools
  if (toolChoice?.kind === 'none' && history.length > 0) unsupported.add('tool_choice')
  const declared = offered.length === 0 ? history : offered
  const written = declared.flatMap((tool) => writeTool(tool, unsupported))
  if (written.length === 0) return undefined
  if (parallelToolCalls === false) unsupported.add('parallel_tool_calls')
  const choice = toolChoice === undefined || offered.length === 0 ? undefined : writeChoice(toolChoice, unsupported)
  return { tools: written, ...defined({ toolChoice: choice }) }
}
