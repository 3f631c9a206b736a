import { ownMember } from '@tollgate/contract/own-member'
import type { Conversation, Message, Part, ThinkingPart, Tool, ToolChoice } from '../conversation/conversation.ts'
import { withoutEmptyTurns } from '../conversation/gaps/empty-turns.ts'
import { assistantBegan } from '../conversation/gaps/filler-texts.ts'
import { defined, type JsonObject, membersOf } from '../conversation/json.ts'
import { writeProviderFields } from '../conversation/provider-fields.ts'
import type { UnsupportedFields } from '../conversation/unsupported-fields.ts'
import { isSystem, withUserMessage } from '../joined-instructions.ts'
import { asFunction } from '../tools/custom-tools.ts'
import { supportedSearchOptions } from '../tools/web-search.ts'
import { noSignature, withMediaBehind, writePart } from './parts.ts'
import { withoutBesides } from './schemas/references.ts'
import { takesLevels, thinkingOf } from './thinking.ts'

/** Differences between providers and models of this dialect. */
export interface GeminiCapabilities {
  /** Safety thresholds for requests without their own (option gemini.safety_settings). */
  readonly safety: readonly JsonObject[]
  /**
   * How one request combines Google's tools with functions: `declared` sets includeServerSideToolInvocations, `plain` sets
   * nothing. Models before Gemini 3 accept only one of the two kinds.
   */
  readonly toolsTogether: 'declared' | 'plain'
  /** True if requests may name a service tier; Vertex takes it in a header. */
  readonly tiers: boolean
}

export const geminiCapabilities: GeminiCapabilities = {
  safety: [],
  toolsTogether: 'declared',
  tiers: true,
}

const tiers: Readonly<Record<string, string>> = { default: 'standard', flex: 'flex', priority: 'priority' }

const tierMember = (
  { serviceTier }: Conversation,
  capabilities: GeminiCapabilities,
  unsupported: UnsupportedFields,
): JsonObject => {
  if (serviceTier === undefined) return {}
  const tier = capabilities.tiers ? ownMember(tiers, serviceTier) : undefined
  if (tier === undefined) unsupported.add('service_tier')
  return defined({ serviceTier: tier })
}

/** Adds the function's name to each result: Gemini matches results to calls by it. */
const namedResults = (messages: readonly Message[]): Message[] => {
  const names = new Map<string, string>()
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => {
      if (part.kind === 'tool_call') names.set(part.id, part.name)
      if (part.kind !== 'tool_result') return part
      const name = part.name ?? names.get(part.id)
      return name === undefined ? part : { ...part, name }
    }),
  }))
}

const isSeal = (part: Part): part is ThinkingPart =>
  part.kind === 'thinking' && part.by === 'gemini' && part.text === '' && part.signature !== undefined

/** Moves Gemini's signatures from thinking parts to the calls after them: other dialects send them before the call. */
const withSignatures = (parts: readonly Part[]): Part[] => {
  let seal: ThinkingPart | undefined
  const signed: Part[] = []
  for (const part of parts) {
    if (isSeal(part)) seal = part
    else if (part.kind === 'tool_call' && seal?.signature !== undefined) {
      signed.push({ ...part, signature: part.signature ?? seal.signature })
      seal = undefined
    } else signed.push(part)
  }
  return seal === undefined ? signed : [...signed, seal]
}

/** Gemini 3 requires a signature on the first call of a step. */
const signedCalls = (parts: readonly Part[]): Part[] => {
  const first = parts.findIndex(({ kind }) => kind === 'tool_call')
  return parts.map((part, at) =>
    at === first && part.kind === 'tool_call' && part.signature === undefined
      ? { ...part, signature: noSignature }
      : part,
  )
}

/** Google takes an empty text of its own clients; others leave it out. */
const writeParts = (parts: readonly Part[], isOwn: boolean, unsupported: UnsupportedFields): JsonObject[] => {
  const written = parts.flatMap((part) => writePart(part, unsupported))
  return written.length === 0 && isOwn && parts.some(({ kind }) => kind === 'text') ? [{ text: '' }] : written
}

interface Placing {
  /** True for models since Gemini 3. */
  readonly third: boolean
  readonly isOwn: boolean
}

/** Google refuses a call that follows no turn of the user. */
const withFirstTurn = <Turn extends { readonly role: string; readonly parts: readonly JsonObject[] }>(
  turns: readonly Turn[],
): readonly JsonObject[] =>
  turns[0]?.role === 'model' && turns[0].parts.some(({ functionCall }) => functionCall !== undefined)
    ? [{ role: 'user', parts: [{ text: assistantBegan }] }, ...turns]
    : turns

const contentsOf = (
  messages: readonly Message[],
  { third, isOwn }: Placing,
  unsupported: UnsupportedFields,
): readonly JsonObject[] => {
  const turns: { role: 'user' | 'model'; parts: JsonObject[] }[] = []
  for (const message of namedResults(messages)) {
    if (isSystem(message)) continue
    if (message.name !== undefined) unsupported.add('messages.name')
    const role = message.role === 'assistant' ? 'model' : 'user'
    const signed = withSignatures(message.parts)
    const placed = third ? signed : withMediaBehind(signed)
    const parts = writeParts(third ? signedCalls(placed) : placed, isOwn, unsupported)
    const last = turns.at(-1)
    if (last?.role === role) last.parts.push(...parts)
    else if (parts.length > 0) turns.push({ role, parts })
  }
  return withFirstTurn(turns)
}

/** Schemas of Google's own clients stay as they are. */
const resolved = (schema: JsonObject, { dialect }: Conversation['own']): JsonObject =>
  dialect === 'gemini' ? schema : withoutBesides(schema)

const isEmptyText = (part: Part): boolean => part.kind === 'text' && part.text === '' && part.signature === undefined

/** Vertex refuses empty texts (github.com/Portkey-AI/gateway/issues/462); Google's own clients may know why they send them. */
const withoutEmptyTexts = (messages: readonly Message[]): readonly Message[] =>
  messages.map((message) =>
    message.parts.some(isEmptyText)
      ? { ...message, parts: message.parts.filter((part) => !isEmptyText(part)) }
      : message,
  )

const instructionOf = (messages: readonly Message[], unsupported: UnsupportedFields): JsonObject => {
  const first = messages.findIndex((message) => !isSystem(message))
  if (first >= 0 && messages.slice(first).some(isSystem)) unsupported.add('messages.system.position')
  const parts = messages
    .filter(isSystem)
    .flatMap((message) => message.parts.flatMap((part) => writePart(part, unsupported)))
  return parts.length === 0 ? {} : { systemInstruction: { parts } }
}

const builtIns = {
  web_search: { googleSearch: {} },
  code_execution: { codeExecution: {} },
  web_fetch: { urlContext: {} },
}

const builtIn = (tool: Extract<Tool, { kind: 'built_in' }>, unsupported: UnsupportedFields): JsonObject[] => {
  if (tool.dialect === 'gemini') return [tool.value]
  if (tool.type === 'web_search') supportedSearchOptions(tool, [], unsupported)
  if (tool.type === 'web_search' || tool.type === 'code_execution' || tool.type === 'web_fetch')
    return [builtIns[tool.type]]
  unsupported.add(`tools.${String(tool.value.type ?? tool.type)}`)
  return []
}

/** Function names that clients use for Google's own tools. */
const reserved: Readonly<Record<string, JsonObject>> = {
  googleSearch: { googleSearch: {} },
  codeExecution: { codeExecution: {} },
}

interface WrittenTools {
  readonly tools: readonly JsonObject[]
  /** True if the request has both Google's tools and functions. */
  readonly mixed: boolean
}

const toolsOf = ({ tools, model, own: client }: Conversation, unsupported: UnsupportedFields): WrittenTools => {
  const declarations: JsonObject[] = []
  const others: JsonObject[] = []
  for (const offered of tools) {
    const tool = offered.kind === 'custom' ? asFunction(offered, unsupported) : offered
    if (tool.kind === 'built_in') others.push(...builtIn(tool, unsupported))
    else {
      const own = ownMember(reserved, tool.name)
      if (own !== undefined) others.push(own)
      else {
        const { name, description, parameters, strict, cache } = tool
        if (strict) unsupported.add('tools.strict')
        if (cache !== undefined) unsupported.add('tools.cache_control')
        const fields = defined({ description, parametersJsonSchema: parameters && resolved(parameters, client) })
        declarations.push({ name, ...fields, ...writeProviderFields(tool, 'gemini', unsupported) })
      }
    }
  }
  if (declarations.length === 0) return { tools: others, mixed: false }
  const functions = { functionDeclarations: declarations }
  // Clients of this dialect choose themselves, so their choice stays.
  if (others.length === 0 || client.dialect === 'gemini') return { tools: [...others, functions], mixed: false }
  if (takesLevels(model)) return { tools: [...others, functions], mixed: true }
  for (const name of others.flatMap(Object.keys)) unsupported.add(`tools.${ownMember(toolNames, name) ?? name}`)
  return { tools: [functions], mixed: false }
}

/** Google's tool → its name in other dialects, for the list of unsupported fields. */
const toolNames: Readonly<Record<string, string>> = {
  googleSearch: 'web_search',
  codeExecution: 'code_execution',
  urlContext: 'web_fetch',
}

const choiceOf = (choice: ToolChoice, unsupported: UnsupportedFields): JsonObject => {
  switch (choice.kind) {
    case 'none':
      return { mode: 'NONE' }
    case 'auto':
      return { mode: 'AUTO' }
    case 'required':
      return { mode: 'ANY' }
    case 'tool':
      return { mode: 'ANY', allowedFunctionNames: [choice.name] }
    case 'allowed':
      if (choice.required) return { mode: 'ANY', allowedFunctionNames: choice.names }
      unsupported.add('tool_choice.allowed_tools')
      return { mode: 'AUTO' }
  }
}

const formatOf = ({ format, own }: Conversation): JsonObject => {
  if (format === undefined || format.kind === 'text') return {}
  const mime = { responseMimeType: format.kind === 'schema' && format.word ? 'text/x.enum' : 'application/json' }
  return format.kind === 'json' ? mime : { ...mime, responseJsonSchema: resolved(format.schema, own) }
}

const settingsOf = (conversation: Conversation, unsupported: UnsupportedFields): JsonObject => {
  const { reasoning, modalities, own } = conversation
  const ownConfig = own.dialect === 'gemini' ? membersOf(own.members.generationConfig) : {}
  return {
    ...ownConfig,
    ...formatOf(conversation),
    ...(reasoning === undefined ? {} : thinkingOf(reasoning, conversation.model, unsupported)),
    ...defined({
      maxOutputTokens: conversation.maxTokens,
      temperature: conversation.temperature,
      topP: conversation.topP,
      topK: conversation.topK,
      candidateCount: conversation.n,
      seed: conversation.seed,
      presencePenalty: conversation.presencePenalty,
      frequencyPenalty: conversation.frequencyPenalty,
      stopSequences: conversation.stop,
      responseLogprobs: conversation.logprobs,
      logprobs: conversation.topLogprobs,
      responseModalities: modalities?.map((modality) => modality.toUpperCase()),
    }),
  }
}

const dropRest = (conversation: Conversation, unsupported: UnsupportedFields): void => {
  const { own, parallelToolCalls, user, verbosity } = conversation
  const refused = {
    parallel_tool_calls: parallelToolCalls === false || undefined,
    user,
    verbosity,
  }
  for (const [name, value] of Object.entries(refused)) if (value !== undefined) unsupported.add(name)
  if (own.dialect !== 'gemini') for (const name of Object.keys(own.members)) unsupported.add(name)
}

/**
 * Writes toolConfig. With Google's tools and functions together, AI Studio refuses AUTO and requires that answers include its
 * tool invocations (ai.google.dev/gemini-api/docs/tool-combination). Vertex has no such setting (github.com/vercel/ai/issues/14655).
 */
const toolConfigOf = (
  { toolChoice }: Conversation,
  { tools, mixed, own }: WrittenTools & { readonly own: JsonObject },
  capabilities: GeminiCapabilities,
  unsupported: UnsupportedFields,
): JsonObject => {
  if (tools.length === 0) return {}
  const choice = toolChoice && choiceOf(toolChoice, unsupported)
  const includesInvocations = mixed && capabilities.toolsTogether === 'declared'
  if (choice === undefined && !includesInvocations) return {}
  const calling = includesInvocations && (choice?.mode ?? 'AUTO') === 'AUTO' ? { mode: 'VALIDATED' } : choice
  const invocations = includesInvocations ? { includeServerSideToolInvocations: true } : {}
  return { toolConfig: { ...own, functionCallingConfig: calling, ...invocations } }
}

/** Writes a conversation as a generateContent request. Model and stream are part of the URL. */
export const writeRequest = (
  conversation: Conversation,
  unsupported: UnsupportedFields,
  capabilities: GeminiCapabilities = geminiCapabilities,
): JsonObject => {
  dropRest(conversation, unsupported)
  const { own } = conversation
  const isOwn = own.dialect === 'gemini'
  const isWritten = ({ parts }: Message): boolean => writeParts(parts, isOwn, unsupported).length > 0
  const kept = withoutEmptyTurns(conversation, isWritten, unsupported)
  const messages = withUserMessage(isOwn ? kept : withoutEmptyTexts(kept))
  const { generationConfig: _, ...members } = own.dialect === 'gemini' ? own.members : {}
  const settings = settingsOf(conversation, unsupported)
  const written = toolsOf(conversation, unsupported)
  const safety =
    capabilities.safety.length > 0 && members.safetySettings === undefined
      ? { safetySettings: capabilities.safety }
      : {}
  return {
    ...members,
    ...safety,
    ...tierMember(conversation, capabilities, unsupported),
    ...instructionOf(messages, unsupported),
    contents: contentsOf(messages, { third: takesLevels(conversation.model), isOwn }, unsupported),
    ...(written.tools.length > 0 ? { tools: written.tools } : {}),
    ...toolConfigOf(conversation, { ...written, own: membersOf(members.toolConfig) }, capabilities, unsupported),
    ...(Object.keys(settings).length > 0 ? { generationConfig: settings } : {}),
  }
}
