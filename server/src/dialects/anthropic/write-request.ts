import { ownMember } from '@tollgate/contract/own-member'
import type { Conversation, Tool, ToolChoice } from '../conversation/conversation.ts'
import { withoutEmptyTurns } from '../conversation/gaps/empty-turns.ts'
import { defined, type JsonObject } from '../conversation/json.ts'
import { writeProviderFields } from '../conversation/provider-fields.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import { refusedSampling } from '../facts/claude-sampling.ts'
import { withUserMessage } from '../joined-instructions.ts'
import { asFunction } from '../tools/custom-tools.ts'
import { approximately, supportedSearchOptions } from '../tools/web-search.ts'
import { writeCache } from './blocks.ts'
import { placed } from './later-instructions.ts'
import { boundSchema } from './schema.ts'
import { type AnthropicCapabilities, claudeFacts, isForced, thinkingOf } from './thinking.ts'
import { isWritten, writeMessages, writeSystem } from './write-messages.ts'

export const anthropicCapabilities: AnthropicCapabilities = {
  maxTokens: () => 8192,
  urls: true,
  schemas: (model) => claudeFacts(model).schemas,
  adaptive: (model) => claudeFacts(model).adaptive,
  sampling: (model) => claudeFacts(model).sampling,
  bothSamplings: (model) => claudeFacts(model).bothSamplings,
  laterInstructions: (model) => claudeFacts(model).laterInstructions,
  forcedBesideThinking: true,
}

const emptySchema: JsonObject = { type: 'object', properties: {} }

const builtInTypes = { web_search: 'web_search_20250305', web_fetch: 'web_fetch_20250910' } as const

const searchOf = (tool: Extract<Tool, { kind: 'built_in' }>, unsupported: UnsupportedFields): JsonObject => {
  const searchOptions = ['max_uses', 'allowed_domains', 'blocked_domains', 'user_location'] as const
  const { user_location, ...options } = supportedSearchOptions(tool, searchOptions, unsupported)
  return defined({ ...options, user_location: approximately(user_location) })
}

const writeTool = (offered: Tool, isOwn: boolean, unsupported: UnsupportedFields): JsonObject[] => {
  const tool = offered.kind === 'custom' ? asFunction(offered, unsupported) : offered
  if (tool.kind === 'function' && tool.native?.dialect === 'anthropic') return [tool.native.value]
  if (tool.kind === 'function') {
    const { name, description, parameters = emptySchema, strict, cache } = tool
    const typed = parameters.type === undefined ? { ...parameters, type: 'object' } : parameters
    const schema = strict === true && !isOwn ? boundSchema(typed, 'tools', unsupported) : typed
    const fields = defined({ description, strict: strict === true ? true : undefined })
    const own = writeProviderFields(tool, 'anthropic', unsupported)
    return [{ name, ...fields, input_schema: schema, ...own, ...writeCache(cache) }]
  }
  if (tool.dialect === 'anthropic') return [tool.value]
  if (tool.type === 'web_search')
    return [{ type: builtInTypes.web_search, name: tool.type, ...searchOf(tool, unsupported) }]
  if (tool.type === 'web_fetch') return [{ type: builtInTypes.web_fetch, name: tool.type }]
  unsupported.add(`tools.${String(tool.value.type ?? tool.type)}`)
  return []
}

const writeChoice = (choice: ToolChoice, unsupported: UnsupportedFields): JsonObject => {
  switch (choice.kind) {
    case 'auto':
    case 'none':
      return { type: choice.kind }
    case 'required':
      return { type: 'any' }
    case 'tool':
      return { type: 'tool', name: choice.name }
    case 'allowed':
      unsupported.add('tool_choice.allowed_tools')
      return { type: choice.required ? 'any' : 'auto' }
  }
}

const toolMembers = (
  { tools, toolChoice: asked, parallelToolCalls, own, model }: Conversation,
  unsupported: UnsupportedFields,
): JsonObject => {
  const isOffered = isForced(asked) && tools.length > 0 && !claudeFacts(model).forcesTools
  if (isOffered) unsupported.add('tool_choice')
  const toolChoice: ToolChoice | undefined = isOffered ? { kind: 'auto' } : asked
  const written = tools.flatMap((tool) => writeTool(tool, own.dialect === 'anthropic', unsupported))
  if (written.length === 0) return {}
  const single = parallelToolCalls === false && toolChoice?.kind !== 'none' ? { disable_parallel_tool_use: true } : {}
  const choice = toolChoice === undefined ? undefined : writeChoice(toolChoice, unsupported)
  if (choice === undefined && Object.keys(single).length === 0) return { tools: written }
  return { tools: written, tool_choice: { type: 'auto', ...choice, ...single } }
}

const formatMember = (
  { format, model, own }: Conversation,
  capabilities: AnthropicCapabilities,
  unsupported: UnsupportedFields,
): JsonObject => {
  if (format === undefined || format.kind === 'text') return {}
  if (format.kind === 'json' || !capabilities.schemas(model)) {
    unsupported.add('response_format')
    return {}
  }
  const schema =
    own.dialect === 'anthropic' ? format.schema : boundSchema(format.schema, 'response_format', unsupported)
  return { format: { type: 'json_schema', schema } }
}

/** Sampling settings that the model takes. Temperature ends at 1. */
const sampling = (
  { temperature, topP, topK, model }: Conversation,
  thinks: boolean,
  capabilities: AnthropicCapabilities,
  unsupported: UnsupportedFields,
): JsonObject => {
  const asked = { temperature, top_p: topP, top_k: topK }
  const facts = { sampling: capabilities.sampling(model), bothSamplings: capabilities.bothSamplings(model) }
  const { refused, lost } = refusedSampling(asked, facts, thinks)
  for (const name of lost) unsupported.add(name)
  const kept = defined({ ...asked, ...Object.fromEntries(refused.map((name) => [name, undefined])) })
  if (typeof kept.temperature !== 'number' || kept.temperature <= 1) return kept
  unsupported.add('temperature')
  return { ...kept, temperature: 1 }
}

/** Drops blank stop sequences, which Anthropic refuses. */
const stopMember = (
  stop: readonly string[] | undefined,
  unsupported: UnsupportedFields,
): readonly string[] | undefined => {
  const taken = stop?.filter((text) => text.trim() !== '')
  if (stop !== undefined && taken?.length !== stop.length) unsupported.add('stop')
  return taken
}

const dropRest = (conversation: Conversation, unsupported: UnsupportedFields): void => {
  const { n, seed, logprobs, topLogprobs, frequencyPenalty, presencePenalty, verbosity, modalities, own } = conversation
  const refused = {
    seed,
    logprobs: logprobs || undefined,
    top_logprobs: topLogprobs,
    frequency_penalty: frequencyPenalty || undefined,
    presence_penalty: presencePenalty || undefined,
    verbosity,
    modalities: modalities?.some((modality) => modality !== 'text') || undefined,
    n: n === undefined || n === 1 ? undefined : n,
  }
  for (const [name, value] of Object.entries(refused)) if (value !== undefined) unsupported.add(name)
  if (own.dialect !== 'anthropic') for (const name of Object.keys(own.members)) unsupported.add(name)
}

const tiers: Readonly<Record<string, string>> = {
  auto: 'auto',
  default: 'standard_only',
  standard_only: 'standard_only',
}

const tierMember = (tier: string | undefined, unsupported: UnsupportedFields): string | undefined => {
  if (tier === undefined) return undefined
  if (ownMember(tiers, tier) === undefined) unsupported.add('service_tier')
  return ownMember(tiers, tier)
}

/** Writes a conversation as a Messages request. Fields that the dialect lacks go to `unsupported`. */
export const writeRequest = (
  conversation: Conversation,
  unsupported: UnsupportedFields,
  capabilities: AnthropicCapabilities = anthropicCapabilities,
): JsonObject => {
  dropRest(conversation, unsupported)
  const { model, maxTokens, stop, user, stream, own } = conversation
  const isTurnWritten = isWritten({ urls: capabilities.urls, unsupported })
  const messages = withUserMessage(withoutEmptyTurns(conversation, isTurnWritten, unsupported))
  const bound = maxTokens ?? capabilities.maxTokens(model)
  const { instructions, turns } = placed(messages, capabilities.laterInstructions(model), unsupported)
  const written = writeMessages(turns, { urls: capabilities.urls, unsupported })
  const thinking = thinkingOf(conversation, written, capabilities, unsupported)
  const format = formatMember(conversation, capabilities, unsupported)
  const config = { ...thinking.effort, ...format }
  return {
    ...(own.dialect === 'anthropic' ? own.members : {}),
    model,
    // max_tokens includes the budget and must exceed it.
    max_tokens: thinking.budget >= bound ? thinking.budget + bound : bound,
    ...writeSystem(instructions, unsupported),
    messages: written,
    ...(stream ? { stream: true } : {}),
    ...toolMembers(conversation, unsupported),
    ...thinking.members,
    ...(Object.keys(config).length > 0 ? { output_config: config } : {}),
    ...sampling(conversation, thinking.on, capabilities, unsupported),
    ...defined({
      stop_sequences: stopMember(stop, unsupported),
      metadata: user === undefined ? undefined : { user_id: user },
      service_tier: tierMember(conversation.serviceTier, unsupported),
    }),
  }
}
