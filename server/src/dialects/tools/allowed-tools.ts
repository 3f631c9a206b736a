import type { Conversation, Tool } from '../conversation/conversation.ts'
import { textOf } from '../conversation/json.ts'

/** The lists of allowed tools that a provider takes: all, or only those from which the model must call one. */
export type ToolLists = 'all' | 'required'

/** Lists name functions, and other tools by their type. Google's lists are about functions alone. */
const isAllowed = (tool: Tool, names: ReadonlySet<string>): boolean => {
  if (tool.kind !== 'built_in') return names.has(tool.name)
  return tool.dialect === 'gemini' || names.has(textOf(tool.value.type))
}

/**
 * Offers only the allowed tools where the provider takes no list of them, so that the model cannot call another one. Without the
 * others the prompt begins differently, and a cache does not find it.
 */
export const withAllowedTools = (conversation: Conversation, lists: ToolLists | undefined): Conversation => {
  const { toolChoice, ...rest } = conversation
  if (toolChoice?.kind !== 'allowed') return conversation
  const names = new Set(toolChoice.names)
  const tools = conversation.tools.filter((tool) => isAllowed(tool, names))
  const isTaken = lists === 'all' || (lists === 'required' && toolChoice.required)
  if (isTaken && tools.every(({ kind }) => kind !== 'built_in')) return conversation
  if (tools.length === 0) return { ...rest, tools }
  return { ...rest, tools, toolChoice: { kind: toolChoice.required ? 'required' : 'auto' } }
}
