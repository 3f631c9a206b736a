import { keepsBreakpoints } from '../conversation/cache-breakpoints.ts'
import { shortUser } from '../conversation/call-ids.ts'
import type { AnswerFormat, Conversation, Tool, ToolChoice } from '../conversation/conversation.ts'
import { effortOf } from '../conversation/effort.ts'
import { withoutEmptyTurns } from '../conversation/gaps/empty-turns.ts'
import { defined, type JsonObject, listOf, numberIn } from '../conversation/json.ts'
import { openaiEffort, withoutRefused } from '../conversation/openai-models.ts'
import { writeProviderFields } from '../conversation/provider-fields.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import { searchesIn } from '../facts/model-facts.ts'
import { rulesOf } from '../facts/models.ts'
import { strictness } from '../openai-chat/strict-schema.ts'
import { sharedWith } from '../openai-chat/write-request.ts'
import { approximately, supportedSearchOptions } from '../tools/web-search.ts'
import { isWritten, writeItems } from './items.ts'
import { logprobsIncluded } from './read-request.ts'

const searchOf = (tool: Extract<Tool, { kind: 'built_in' }>, unsupported: UnsupportedFields): JsonObject => {
  // `max_uses` becomes a field of the request (`mostSearches`).
  const searchOptions = ['allowed_domains', 'user_location', 'search_context_size', 'max_uses'] as const
  const {
    allowed_domains,
    user_location,
    max_uses: _,
    ...options
  } = supportedSearchOptions(tool, searchOptions, unsupported)
  const filters = allowed_domains && { allowed_domains }
  return defined({ ...options, filters, user_location: approximately(user_location) })
}

/** `max_tool_calls`, the limit on calls of all the provider's tools together. */
const mostSearches = ({ tools, own }: Conversation): number | undefined => {
  if (own.dialect === 'openai-responses') return undefined
  const search = tools.find((tool) => tool.kind === 'built_in' && tool.type === 'web_search')
  return search?.kind === 'built_in' ? numberIn(search.value.max_uses) : undefined
}

const writeTool = (tool: Tool, conversation: Conversation, unsupported: UnsupportedFields): JsonObject[] => {
  if (tool.kind === 'function') {
    if (tool.clientTool !== undefined) return [tool.clientTool.value]
    if (tool.cache !== undefined) unsupported.add('tools.cache_control')
    const { name, description, parameters = { type: 'object', properties: {} } } = tool
    // Responses default to strict: true.
    const refused = conversation.own.dialect === 'openai-responses' ? undefined : false
    const strict = strictness(
      conversation,
      { strict: tool.strict ?? refused, schema: parameters },
      'tools.strict',
      unsupported,
    )
    const own = writeProviderFields(tool, 'openai-responses', unsupported)
    return [{ type: 'function', name, ...defined({ description }), parameters, ...defined({ strict }), ...own }]
  }
  if (tool.kind === 'custom')
    return [{ type: 'custom', name: tool.name, ...defined({ description: tool.description, format: tool.format }) }]
  if (tool.dialect === 'openai-responses') return [tool.value]
  if (tool.type === 'web_search' && !searchesIn(rulesOf(conversation.model), 'responses')) {
    unsupported.add('tools.web_search')
    return []
  }
  if (tool.type === 'web_search') return [{ type: 'web_search', ...searchOf(tool, unsupported) }]
  if (tool.type === 'code_execution') return [{ type: 'code_interpreter', container: { type: 'auto' } }]
  unsupported.add(`tools.${String(tool.value.type ?? tool.type)}`)
  return []
}

/** Groups the tools of a namespace at the position of its first tool. */
const writeTools = (conversation: Conversation, unsupported: UnsupportedFields): JsonObject[] => {
  const groups = new Map<string, JsonObject[]>()
  return conversation.tools.flatMap((tool) => {
    const written = writeTool(tool, conversation, unsupported)
    const namespace = tool.kind === 'built_in' ? undefined : tool.namespace
    if (namespace === undefined) return written
    const group = groups.get(namespace.name)
    if (group !== undefined) {
      group.push(...written)
      return []
    }
    groups.set(namespace.name, written)
    return [{ type: 'namespace', ...namespace, tools: written }]
  })
}

const searches = ({ tools }: Conversation): boolean =>
  tools.some((tool) => tool.kind === 'built_in' && tool.type === 'web_search')

/** True if the client offered the built-in web search under this name, as other dialects allow. */
const isSearch = (name: string, { tools }: Conversation): boolean =>
  tools.some((tool) => tool.kind === 'built_in' && tool.type === 'web_search' && tool.value.name === name)

const writeChoice = (choice: ToolChoice, conversation: Conversation): unknown => {
  switch (choice.kind) {
    case 'tool':
      if (isSearch(choice.name, conversation)) return { type: 'web_search' }
      return { type: choice.custom ? 'custom' : 'function', name: choice.name }
    case 'allowed':
      return {
        type: 'allowed_tools',
        mode: choice.required ? 'required' : 'auto',
        tools: choice.names.map((name) => ({ type: 'function', name })),
      }
    default:
      return choice.kind
  }
}

const writeFormat = (format: AnswerFormat, conversation: Conversation, unsupported: UnsupportedFields): JsonObject => {
  if (format.kind === 'text') return { type: 'text' }
  if (format.kind === 'json') return { type: 'json_object' }
  const { name, schema, description } = format
  const strict = strictness(conversation, { strict: format.strict, schema }, 'response_format.strict', unsupported)
  return { type: 'json_schema', name, schema, ...defined({ strict, description }) }
}

/** Models without reasoning refuse the field `reasoning`. */
const reasoningMember = (conversation: Conversation, unsupported: UnsupportedFields): JsonObject | undefined => {
  const { reasoning, model } = conversation
  if (reasoning === undefined) return undefined
  if (rulesOf(model)?.efforts?.length === 0) {
    if (effortOf(reasoning) !== 'none') unsupported.add('reasoning')
    return undefined
  }
  const summary = reasoning.summary === 'none' ? undefined : (reasoning.summary ?? 'auto')
  return defined({ effort: openaiEffort(conversation, unsupported), summary })
}

const dropRest = (conversation: Conversation, unsupported: UnsupportedFields): void => {
  const { n, seed, stop, topK, frequencyPenalty, presencePenalty, modalities, own } = conversation
  const refused = {
    n: n === undefined || n === 1 ? undefined : n,
    seed,
    stop,
    top_k: topK,
    frequency_penalty: frequencyPenalty || undefined,
    presence_penalty: presencePenalty || undefined,
    modalities: modalities?.some((modality) => modality !== 'text') || undefined,
  }
  for (const [name, value] of Object.entries(refused)) if (value !== undefined) unsupported.add(name)
  const shared = sharedWith('openai-chat', conversation)
  if (own.dialect !== 'openai-responses')
    for (const name of Object.keys(own.members)) if (!Object.hasOwn(shared, name)) unsupported.add(name)
}

/** The `include` list: parts that an answer has only on request. */
const included = (conversation: Conversation): JsonObject => {
  const { logprobs, own } = conversation
  const isOwn = own.dialect === 'openai-responses'
  const include = new Set(isOwn ? listOf(own.quiet?.include) : ['reasoning.encrypted_content'])
  if (logprobs === true) include.add(logprobsIncluded)
  if (!isOwn && searches(conversation)) include.add('web_search_call.action.sources')
  return include.size === 0 ? {} : { include: [...include] }
}

const smallestBound = 16

/** Writes a conversation as a Responses request with store: false. Reasoning is returned encrypted. */
export const writeRequest = (original: Conversation, unsupported: UnsupportedFields): JsonObject => {
  const conversation = withoutRefused(original, unsupported)
  dropRest(conversation, unsupported)
  const { own, model, stream, format, verbosity, maxTokens, toolChoice } = conversation
  const tools = writeTools(conversation, unsupported)
  const text = defined({ format: format && writeFormat(format, conversation, unsupported), verbosity })
  if (maxTokens !== undefined && maxTokens < smallestBound) unsupported.add('max_tokens')
  const isOwn = own.dialect === 'openai-responses'
  const writing = { breakpoints: keepsBreakpoints(conversation, 'openai-responses'), unsupported }
  return {
    ...(isOwn ? { ...own.quiet, ...own.members } : sharedWith('openai-chat', conversation)),
    model,
    input: writeItems(withoutEmptyTurns(conversation, isWritten(writing), unsupported), writing),
    ...(stream ? { stream: true } : {}),
    ...(isOwn ? {} : { store: false }),
    ...included(conversation),
    ...(tools.length === 0
      ? {}
      : defined({
          tools,
          tool_choice: toolChoice && writeChoice(toolChoice, conversation),
          max_tool_calls: mostSearches(conversation),
          parallel_tool_calls: conversation.parallelToolCalls,
        })),
    ...(Object.keys(text).length > 0 ? { text } : {}),
    ...defined({
      reasoning: reasoningMember(conversation, unsupported),
      max_output_tokens: maxTokens === undefined ? undefined : Math.max(smallestBound, maxTokens),
      temperature: conversation.temperature,
      top_p: conversation.topP,
      top_logprobs: conversation.topLogprobs,
      user: conversation.user && shortUser(conversation.user),
      service_tier: conversation.serviceTier,
    }),
  }
}
