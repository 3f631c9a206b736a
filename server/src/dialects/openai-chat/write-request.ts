import { keepsBreakpoints } from '../conversation/cache-breakpoints.ts'
import { shortUser } from '../conversation/call-ids.ts'
import type {
  AnswerFormat,
  Conversation,
  DialectName,
  Message,
  Tool,
  ToolChoice,
} from '../conversation/conversation.ts'
import { withoutEmptyTurns } from '../conversation/gaps/empty-turns.ts'
import { defined, type JsonObject } from '../conversation/json.ts'
import { takesEffort, withoutRefused } from '../conversation/openai-models.ts'
import { writeProviderFields } from '../conversation/provider-fields.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import { hostOf } from '../facts/hosts.ts'
import { searchesIn } from '../facts/model-facts.ts'
import { familyOf, rulesOf } from '../facts/models.ts'
import { joinedInstructions } from '../joined-instructions.ts'
import { asFunction } from '../tools/custom-tools.ts'
import { supportedSearchOptions } from '../tools/web-search.ts'
import type { ChatCapabilities } from './capabilities.ts'
import { strictness } from './strict-schema.ts'
import { thinkingMembers } from './thinking.ts'
import { isWritten, writeMessages } from './write-messages.ts'

export const openaiCapabilities: ChatCapabilities = {
  host: hostOf('OpenAI'),
  maxTokens: 'max_completion_tokens',
  thoughts: 'none',
  wantsThoughts: false,
  callSignatures: false,
  effort: takesEffort,
  topK: false,
  customTools: true,
  toolPictures: false,
  cacheMarks: false,
  cacheKeys: true,
  streamOptions: true,
  ownModels: true,
  developers: true,
  toolLists: true,
  passes: [],
  search: (model) => searchesIn(rulesOf(model), 'chat'),
}

const writeFormat = (format: AnswerFormat, conversation: Conversation, unsupported: UnsupportedFields): JsonObject => {
  if (format.kind === 'text') return { type: 'text' }
  if (format.kind === 'json') return { type: 'json_object' }
  const { name, schema, description } = format
  const strict = strictness(conversation, { strict: format.strict, schema }, 'response_format.strict', unsupported)
  return { type: 'json_schema', json_schema: { name, schema, ...defined({ strict, description }) } }
}

const writeTool = (
  offered: Tool,
  conversation: Conversation,
  capabilities: ChatCapabilities,
  unsupported: UnsupportedFields,
): JsonObject[] => {
  const tool = offered.kind === 'custom' && !capabilities.customTools ? asFunction(offered, unsupported) : offered
  if (tool.kind === 'function') {
    if (tool.cache !== undefined && !capabilities.cacheMarks) unsupported.add('tools.cache_control')
    const { name, description, parameters } = tool
    const strict = strictness(conversation, { strict: tool.strict, schema: parameters }, 'tools.strict', unsupported)
    const own = writeProviderFields(tool, 'openai-chat', unsupported)
    return [{ type: 'function', function: { name, ...defined({ description, parameters, strict }), ...own } }]
  }
  if (tool.kind === 'custom') {
    return [
      {
        type: 'custom',
        custom: { name: tool.name, ...defined({ description: tool.description, format: tool.format }) },
      },
    ]
  }
  if (tool.dialect === 'openai-chat' && tool.value.type !== 'web_search_options') return [tool.value]
  // `searchOptions` writes the search beside the tools.
  if (tool.type !== 'web_search' || !capabilities.search(conversation.model))
    unsupported.add(`tools.${String(tool.value.type ?? tool.type)}`)
  return []
}

const searchOptions = (
  { tools, model }: Conversation,
  capabilities: ChatCapabilities,
  unsupported: UnsupportedFields,
): JsonObject | undefined => {
  if (!capabilities.search(model)) return undefined
  const search = tools.find((tool) => tool.kind === 'built_in' && tool.type === 'web_search')
  if (search?.kind !== 'built_in') return undefined
  if (search.dialect !== 'openai-chat') {
    const { user_location: place, ...options } = supportedSearchOptions(
      search,
      ['user_location', 'search_context_size'],
      unsupported,
    )
    return defined({ ...options, user_location: place && { type: 'approximate', approximate: place } })
  }
  const { type, ...options } = search.value
  return type === 'web_search_options' ? options : undefined
}

const writeChoice = (choice: ToolChoice, capabilities: ChatCapabilities): unknown => {
  switch (choice.kind) {
    case 'tool':
      return choice.custom && capabilities.customTools
        ? { type: 'custom', custom: { name: choice.name } }
        : { type: 'function', function: { name: choice.name } }
    case 'allowed':
      return {
        type: 'allowed_tools',
        allowed_tools: {
          mode: choice.required ? 'required' : 'auto',
          tools: choice.names.map((name) => ({ type: 'function', function: { name } })),
        },
      }
    default:
      return choice.kind
  }
}

const toolMembers = (
  conversation: Conversation,
  capabilities: ChatCapabilities,
  unsupported: UnsupportedFields,
): JsonObject => {
  const tools = conversation.tools.flatMap((tool) => writeTool(tool, conversation, capabilities, unsupported))
  const { toolChoice, parallelToolCalls } = conversation
  return defined({
    // Most providers refuse a tool choice without tools.
    ...(tools.length === 0
      ? {}
      : {
          tools,
          tool_choice: toolChoice === undefined ? undefined : writeChoice(toolChoice, capabilities),
          parallel_tool_calls: parallelToolCalls,
        }),
    web_search_options: searchOptions(conversation, capabilities, unsupported),
  })
}

/** Members of another dialect's request that the provider has, too. */
const passing = ({ own }: Conversation, { passes }: ChatCapabilities): JsonObject =>
  passes.length === 0 ? {} : Object.fromEntries(Object.entries(own.members).filter(([name]) => passes.includes(name)))

const dropOwn = ({ own }: Conversation, kept: JsonObject, unsupported: UnsupportedFields): void => {
  if (own.dialect === 'openai-chat') return
  for (const name of Object.keys(own.members)) if (!Object.hasOwn(kept, name)) unsupported.add(name)
}

/** Fields with the same name in Responses and chat completions. */
const sharedNames = ['prompt_cache_key', 'prompt_cache_retention'] as const

/** The shared fields of a request in the dialect `dialect`; empty for other dialects. */
export const sharedWith = (dialect: DialectName, { own }: Conversation): JsonObject =>
  own.dialect === dialect ? defined(Object.fromEntries(sharedNames.map((name) => [name, own.members[name]]))) : {}

/** Models that refuse calls without the reasoning before them get it back wherever they are hosted. */
export const withThoughtsOf = (model: string, capabilities: ChatCapabilities): ChatCapabilities =>
  capabilities.thoughts === 'none' && capabilities.host.ownThoughts !== true && familyOf(model)?.wantsThoughts === true
    ? { ...capabilities, thoughts: 'reasoning_content', wantsThoughts: true }
    : capabilities

const placed = (
  { messages, model }: Conversation,
  { host }: ChatCapabilities,
  unsupported: UnsupportedFields,
): readonly Message[] =>
  host.laterInstructions === true && familyOf(model)?.laterInstructions !== false
    ? messages
    : joinedInstructions(messages, unsupported)

/** Writes a conversation as a chat completion request. Adds fields that the dialect lacks to `unsupported`. */
export const writeRequest = (
  original: Conversation,
  unsupported: UnsupportedFields,
  capable: ChatCapabilities = openaiCapabilities,
): JsonObject => {
  const capabilities = withThoughtsOf(original.model, capable)
  const conversation = capabilities.ownModels ? withoutRefused(original, unsupported) : original
  const alike = capabilities.cacheKeys ? sharedWith('openai-responses', conversation) : {}
  const shared = { ...alike, ...passing(conversation, capabilities) }
  dropOwn(conversation, shared, unsupported)
  if (conversation.topK !== undefined && !capabilities.topK) unsupported.add('top_k')
  const writing = {
    capabilities,
    breakpoints: capabilities.cacheKeys && keepsBreakpoints(conversation, 'openai-chat'),
    unsupported,
  }
  const ordered = { ...conversation, messages: placed(conversation, capabilities, unsupported) }
  return {
    ...(conversation.own.dialect === 'openai-chat' ? conversation.own.members : shared),
    model: conversation.model,
    messages: writeMessages(withoutEmptyTurns(ordered, isWritten(writing), unsupported), writing),
    ...(conversation.stream ? { stream: true } : {}),
    ...(conversation.stream && capabilities.streamOptions ? { stream_options: { include_usage: true } } : {}),
    ...toolMembers(conversation, capabilities, unsupported),
    ...defined({
      response_format: conversation.format && writeFormat(conversation.format, conversation, unsupported),
      ...thinkingMembers(conversation, capabilities, unsupported),
      [capabilities.maxTokens]: conversation.maxTokens,
      temperature: conversation.temperature,
      top_p: conversation.topP,
      top_k: capabilities.topK ? conversation.topK : undefined,
      frequency_penalty: conversation.frequencyPenalty,
      presence_penalty: conversation.presencePenalty,
      seed: conversation.seed,
      stop: conversation.stop,
      n: conversation.n,
      logprobs: conversation.logprobs,
      // OpenAI refuses top_logprobs without logprobs.
      top_logprobs: conversation.logprobs === true ? conversation.topLogprobs : undefined,
      user: conversation.user && shortUser(conversation.user),
      service_tier: conversation.serviceTier,
      verbosity: conversation.verbosity,
      modalities: conversation.modalities,
    }),
  }
}
