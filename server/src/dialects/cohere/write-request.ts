import type { AnswerFormat, Conversation, Reasoning, Tool } from '../conversation/conversation.ts'
import { budgetOf } from '../conversation/effort.ts'
import { withoutEmptyTurns } from '../conversation/gaps/empty-turns.ts'
import { defined, type JsonObject } from '../conversation/json.ts'
import { writeProviderFields } from '../conversation/provider-fields.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import { joinedInstructions } from '../joined-instructions.ts'
import { isWritten, writeMessages } from './write-messages.ts'

const emptySchema: JsonObject = { type: 'object', properties: {} }

const writeTool = (tool: Tool, unsupported: UnsupportedFields): JsonObject[] => {
  if (tool.kind !== 'function') {
    unsupported.add(`tools.${tool.kind === 'custom' ? 'custom' : String(tool.value.type ?? tool.type)}`)
    return []
  }
  if (tool.cache !== undefined) unsupported.add('tools.cache_control')
  writeProviderFields(tool, undefined, unsupported)
  const { name, description, parameters = emptySchema } = tool
  return [{ type: 'function', function: { name, ...defined({ description }), parameters } }]
}

/** Cohere cannot require a named tool; the request offers only that one instead. */
const offered = ({ tools, toolChoice }: Conversation): readonly Tool[] => {
  if (toolChoice?.kind !== 'tool' && toolChoice?.kind !== 'allowed') return tools
  const names = toolChoice.kind === 'tool' ? [toolChoice.name] : toolChoice.names
  return tools.filter((tool) => tool.kind === 'function' && names.includes(tool.name))
}

const choiceOf = ({ toolChoice }: Conversation): string | undefined => {
  if (toolChoice === undefined || toolChoice.kind === 'auto') return undefined
  if (toolChoice.kind === 'none') return 'NONE'
  return toolChoice.kind === 'allowed' && !toolChoice.required ? undefined : 'REQUIRED'
}

const toolMembers = (conversation: Conversation, unsupported: UnsupportedFields): JsonObject => {
  const tools = offered(conversation).flatMap((tool) => writeTool(tool, unsupported))
  if (tools.length === 0) return {}
  if (conversation.parallelToolCalls === false) unsupported.add('parallel_tool_calls')
  const strict = conversation.tools.some((tool) => tool.kind === 'function' && tool.strict === true)
  return { tools, ...defined({ tool_choice: choiceOf(conversation), strict_tools: strict ? true : undefined }) }
}

const formatOf = (format: AnswerFormat | undefined): JsonObject | undefined => {
  if (format === undefined || format.kind === 'text') return undefined
  return format.kind === 'json' ? { type: 'json_object' } : { type: 'json_object', json_schema: format.schema }
}

const thinks = (model: string): boolean => /reasoning|command-a-plus/.test(model)

const thinkingOf = (
  reasoning: Reasoning | undefined,
  model: string,
  unsupported: UnsupportedFields,
): JsonObject | undefined => {
  if (reasoning === undefined) return undefined
  const budget = budgetOf(reasoning)
  if (!thinks(model)) {
    if (budget !== 0) unsupported.add('reasoning')
    return undefined
  }
  if (budget === 0) return { type: 'disabled' }
  return { type: 'enabled', ...defined({ token_budget: budget === undefined || budget < 0 ? undefined : budget }) }
}

/** Fields of Cohere that clients of other dialects may add. */
const ownNames: ReadonlySet<string> = new Set(['documents', 'citation_options', 'safety_mode', 'priority'])

const ownMembers = ({ own }: Conversation, unsupported: UnsupportedFields): JsonObject =>
  Object.fromEntries(
    Object.entries(own.members).filter(([name]) => {
      if (!ownNames.has(name)) unsupported.add(name)
      return ownNames.has(name)
    }),
  )

const dropRest = (conversation: Conversation, unsupported: UnsupportedFields): void => {
  const { n, logprobs, topLogprobs, user, serviceTier, verbosity, modalities } = conversation
  const unsaid = {
    n: n === undefined || n === 1 ? undefined : n,
    // Its log probabilities are of pieces of text, not of tokens.
    logprobs: logprobs || undefined,
    top_logprobs: topLogprobs,
    user,
    service_tier: serviceTier,
    verbosity,
    modalities: modalities?.some((modality) => modality !== 'text') || undefined,
  }
  for (const [name, value] of Object.entries(unsaid)) if (value !== undefined) unsupported.add(name)
}

/** Writes a conversation for Cohere's API version 2 (docs.cohere.com/reference/chat), where `p` must be below 1. */
export const writeRequest = (conversation: Conversation, unsupported: UnsupportedFields): JsonObject => {
  dropRest(conversation, unsupported)
  const { model, stream, topP } = conversation
  const messages = withoutEmptyTurns(conversation, isWritten(unsupported), unsupported)
  return {
    ...ownMembers(conversation, unsupported),
    model,
    messages: writeMessages(joinedInstructions(messages, unsupported), unsupported),
    stream,
    ...toolMembers(conversation, unsupported),
    ...defined({
      response_format: formatOf(conversation.format),
      thinking: thinkingOf(conversation.reasoning, model, unsupported),
      max_tokens: conversation.maxTokens,
      temperature: conversation.temperature,
      p: topP === undefined ? undefined : Math.min(topP, 0.99),
      k: conversation.topK,
      seed: conversation.seed,
      stop_sequences: conversation.stop,
      frequency_penalty: conversation.frequencyPenalty,
      presence_penalty: conversation.presencePenalty,
    }),
  }
}
