import type { Conversation, Reasoning, Tool } from '../conversation/conversation.ts'
import { effortOf } from '../conversation/effort.ts'
import { withoutEmptyTurns } from '../conversation/gaps/empty-turns.ts'
import { defined, type JsonObject, membersOf } from '../conversation/json.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import { joinedInstructions } from '../joined-instructions.ts'
import { isWritten, writeMessages } from './write-messages.ts'

const writeTool = (tool: Tool, unsupported: UnsupportedFields): JsonObject[] => {
  if (tool.kind !== 'function') {
    unsupported.add(`tools.${tool.kind === 'custom' ? 'custom' : String(tool.value.type ?? tool.type)}`)
    return []
  }
  if (tool.cache !== undefined) unsupported.add('tools.cache_control')
  const { name, description, parameters = { type: 'object', properties: {} } } = tool
  return [{ type: 'function', function: { name, ...defined({ description }), parameters } }]
}

/** Ollama has no tool choice: `none` leaves the tools out, other choices are unsupported. */
const toolsOf = (
  { tools, toolChoice, parallelToolCalls }: Conversation,
  unsupported: UnsupportedFields,
): JsonObject[] => {
  if (toolChoice?.kind === 'none') return []
  if (toolChoice !== undefined && toolChoice.kind !== 'auto') unsupported.add('tool_choice')
  if (parallelToolCalls === false) unsupported.add('parallel_tool_calls')
  return tools.flatMap((tool) => writeTool(tool, unsupported))
}

const levels = { minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'high', max: 'high' } as const

/** Most models take a boolean. gpt-oss takes a level and always reasons. */
const thinkOf = (reasoning: Reasoning, model: string): unknown => {
  const effort = effortOf(reasoning)
  if (!model.includes('gpt-oss')) return effort !== 'none'
  return effort === undefined || effort === 'none' ? undefined : levels[effort]
}

const formatOf = ({ format }: Conversation): unknown => {
  if (format === undefined || format.kind === 'text') return undefined
  return format.kind === 'json' ? 'json' : format.schema
}

/** Fields of Ollama that clients of other dialects may add. */
const ownNames: ReadonlySet<string> = new Set(['keep_alive', 'think', 'format', 'options'])

const ownMembers = ({ own }: Conversation, unsupported: UnsupportedFields): JsonObject =>
  Object.fromEntries(
    Object.entries(own.members).filter(([name]) => {
      if (!ownNames.has(name)) unsupported.add(name)
      return ownNames.has(name)
    }),
  )

const dropRest = (conversation: Conversation, unsupported: UnsupportedFields): void => {
  const { n, user, serviceTier, verbosity, modalities } = conversation
  const refused = {
    n: n === undefined || n === 1 ? undefined : n,
    user,
    service_tier: serviceTier,
    verbosity,
    modalities: modalities?.some((modality) => modality !== 'text') || undefined,
  }
  for (const [name, value] of Object.entries(refused)) if (value !== undefined) unsupported.add(name)
}

const optionsOf = (conversation: Conversation, own: JsonObject): JsonObject => ({
  ...membersOf(own.options),
  ...defined({
    num_predict: conversation.maxTokens,
    temperature: conversation.temperature,
    top_p: conversation.topP,
    top_k: conversation.topK,
    seed: conversation.seed,
    stop: conversation.stop,
    frequency_penalty: conversation.frequencyPenalty,
    presence_penalty: conversation.presencePenalty,
  }),
})

/** Writes a conversation for Ollama (docs.ollama.com/api/chat). `stream` is always set, because Ollama streams by default. */
export const writeRequest = (conversation: Conversation, unsupported: UnsupportedFields): JsonObject => {
  dropRest(conversation, unsupported)
  const { model, stream, reasoning, logprobs, topLogprobs } = conversation
  const messages = withoutEmptyTurns(conversation, isWritten(unsupported), unsupported)
  const own = ownMembers(conversation, unsupported)
  const tools = toolsOf(conversation, unsupported)
  const options = optionsOf(conversation, own)
  return {
    ...own,
    model,
    messages: writeMessages(joinedInstructions(messages, unsupported), unsupported),
    stream,
    ...(tools.length > 0 ? { tools } : {}),
    ...defined({
      format: formatOf(conversation),
      think: reasoning && thinkOf(reasoning, model),
      logprobs: logprobs || undefined,
      top_logprobs: topLogprobs,
    }),
    ...(Object.keys(options).length > 0 ? { options } : {}),
  }
}
