import type { Conversation, Tool } from '../conversation/conversation.ts'
import { InexpressibleError } from '../conversation/gaps/inexpressible.ts'
import { type JsonObject, membersOf, textOf } from '../conversation/json.ts'

type BuiltIn = Extract<Tool, { kind: 'built_in' }>

const isBuiltIn = (tool: Tool): tool is BuiltIn => tool.kind === 'built_in'

/** Names under which the writers of dialects report that they left a tool out. */
const reportsOf = ({ value, type }: BuiltIn): readonly string[] => [
  `tools.${textOf(value.type) || type}`,
  `tools.${type}`,
]

/** A choice that names a tool of the provider by its type (Responses). */
const chosenType = ({ own }: Conversation): string => {
  const choice = membersOf(own.members.tool_choice)
  return textOf(choice.type)
}

const isForced = (tool: BuiltIn, conversation: Conversation): boolean => {
  const { toolChoice, tools } = conversation
  const value: JsonObject = tool.value
  if (toolChoice === undefined) return chosenType(conversation) !== '' && chosenType(conversation) === value.type
  if (toolChoice.kind === 'required') return tools.every(isBuiltIn)
  if (toolChoice.kind === 'tool') return toolChoice.name === value.name
  if (toolChoice.kind !== 'allowed' || !toolChoice.required) return false
  return toolChoice.names.every((name) => name === value.type || name === value.name)
}

/** Tools that the answer rests on where a request offers nothing else: without them a model makes the result up. */
const isAlone = ({ type }: BuiltIn, { tools, toolChoice }: Conversation): boolean =>
  (type === 'web_search' || type === 'web_fetch') && toolChoice?.kind !== 'none' && tools.every(isBuiltIn)

/**
 * Throws InexpressibleError where a request demands a tool of the provider, or offers a search alone, and none of its tools is
 * run there: an answer from memory would pass for what was found.
 */
export const checkToolsRun = (conversation: Conversation, unsupported: readonly string[]): void => {
  const offered = conversation.tools.filter(isBuiltIn)
  if (offered.length === 0) return
  const left = offered.filter((tool) => reportsOf(tool).some((name) => unsupported.includes(name)))
  const areAllLeft = left.length === offered.length
  const missed = left.find((tool) => isForced(tool, conversation) || (areAllLeft && isAlone(tool, conversation)))
  if (missed === undefined) return
  const tool = textOf(missed.value.name) || textOf(missed.value.type) || missed.type
  throw new InexpressibleError('tool_not_run', { params: { model: conversation.model, tool } })
}
