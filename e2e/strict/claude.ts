import {
  type Complaint,
  checkSchema,
  each,
  firstOf,
  isJson,
  type Json,
  letters,
  list,
  objectAt,
  picturesIn,
  type ReceivedRequest,
  type Seals,
  type Step,
  type Tokens,
  text,
  unknownMembers,
} from './model.ts'

/** Refusals of Anthropic (platform.claude.com/docs/en/api/messages, .../build-with-claude/extended-thinking). */

const members = [
  'model',
  'messages',
  'max_tokens',
  'system',
  'stream',
  'tools',
  'tool_choice',
  'thinking',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'metadata',
  'service_tier',
  'output_config',
  'container',
  'context_management',
  'mcp_servers',
  'speed',
]

const blockMembers: Readonly<Record<string, readonly string[]>> = {
  text: ['type', 'text', 'cache_control', 'citations'],
  thinking: ['type', 'thinking', 'signature'],
  redacted_thinking: ['type', 'data'],
  tool_use: ['type', 'id', 'name', 'input', 'cache_control'],
  tool_result: ['type', 'tool_use_id', 'content', 'is_error', 'cache_control'],
  image: ['type', 'source', 'cache_control'],
  tool_reference: ['type', 'tool_name', 'cache_control'],
}

/** `claude-opus-4-7` → 4.7. */
const versionOf = (model: string): number => Number(/claude-[a-z]+-(\d+)-(\d)\b/.exec(model)?.slice(1).join('.') ?? 0)

const blocksOf = (content: unknown): readonly Json[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : list(content)

const checkBlock = (block: Json, where: string, seals: Seals): Complaint => {
  const type = text(block.type)
  const allowed = blockMembers[type]
  if (allowed === undefined) return `${where}: Input tag '${type}' is not expected`
  if (type === 'text' && text(block.text).trim() === '')
    return `${where}: text content blocks must contain non-whitespace text`
  if (type === 'tool_use' && !/^[a-zA-Z0-9_-]+$/.test(text(block.id))) return `${where}.id: String should match pattern`
  if (type === 'tool_use' && !isJson(block.input)) return `${where}.input: Input should be a valid dictionary`
  if (type === 'thinking' && seals.thoughtOf(text(block.signature)) !== block.thinking)
    return `${where}: Invalid \`signature\` in \`thinking\` block`
  if (type === 'redacted_thinking') return `${where}: Invalid \`data\` in \`redacted_thinking\` block`
  if (type === 'tool_result')
    return firstOf(
      () => unknownMembers(block, allowed, `${where}.`),
      () => each(list(block.content), (inner, at) => checkBlock(inner, `${where}.content.${at}`, seals)),
    )
  return unknownMembers(block, allowed, `${where}.`)
}

const idsOf = (message: Json | undefined, type: string, name: string): string[] =>
  blocksOf(message?.content).flatMap((block) => (block.type === type ? [text(block[name])] : []))

/** Each call is answered in the very next message, before anything else in it. */
const checkResults = (messages: readonly Json[]): Complaint =>
  each(messages, (message, at) => {
    const calls = idsOf(message, 'tool_use', 'id')
    if (new Set(calls).size !== calls.length) return `messages.${at}: \`tool_use\` ids must be unique`
    const next = messages[at + 1]
    const results = idsOf(next, 'tool_result', 'tool_use_id')
    const missing = calls.filter((id) => !results.includes(id))
    if (missing.length > 0)
      return `messages.${at}: \`tool_use\` ids were found without \`tool_result\` blocks: ${missing}`
    const stray = results.filter((id) => !calls.includes(id))
    if (stray.length > 0)
      return `messages.${at + 1}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}`
    const types = blocksOf(next?.content).map(({ type }) => type === 'tool_result')
    return calls.length > 0 && types.indexOf(false) >= 0 && types.lastIndexOf(true) > types.indexOf(false)
      ? `messages.${at + 1}: tool results have to come first`
      : undefined
  })

/** platform.claude.com/docs/en/about-claude/models/migration-guide. */
const checkSampling = (body: Json, version: number): Complaint => {
  const { temperature, top_p, top_k } = body
  if (version >= 4.7 && [temperature, top_p, top_k].some((value) => value !== undefined))
    return 'temperature, top_p and top_k are not supported for this model'
  return version >= 4.1 && temperature !== undefined && top_p !== undefined
    ? '`temperature` and `top_p` cannot both be specified for this model. Please use only one.'
    : undefined
}

const checkThinking = (body: Json, messages: readonly Json[], version: number): Complaint => {
  const { type, budget_tokens: budget } = objectAt(body, 'thinking')
  if (type === 'adaptive' && version < 4.6) return 'adaptive thinking is not supported on this model'
  if (type === 'enabled' && version >= 4.7) return '"thinking.type.enabled" is not supported for this model'
  if (type !== 'enabled') return undefined
  if (Number(budget) < 1024) return 'thinking.budget_tokens: Input should be greater than or equal to 1024'
  if (Number(budget) >= Number(body.max_tokens)) return '`max_tokens` must be greater than `thinking.budget_tokens`'
  if ((body.temperature !== undefined && body.temperature !== 1) || body.top_k !== undefined)
    return '`temperature` may only be set to 1, and `top_k` not at all, when thinking'
  if (['any', 'tool'].includes(text(objectAt(body, 'tool_choice').type)))
    return 'Thinking may not be enabled when tool_choice forces tool use'
  const last = messages.findLast(({ role }) => role === 'assistant')
  const [first] = blocksOf(last?.content)
  if (idsOf(last, 'tool_use', 'id').length > 0 && !/thinking$/.test(text(first?.type)))
    return 'Expected `thinking` or `redacted_thinking`, but found `tool_use`: a final `assistant` message must start with a thinking block'
  return undefined
}

/** Tools that are found by a search, which a header switches on. */
const defersTools = (betas: string): boolean => /advanced-tool-use|tool-search/.test(betas)

const toolMembers = [
  ...['name', 'description', 'input_schema', 'cache_control', 'strict', 'type'],
  // Of platform.claude.com/docs/en/agents-and-tools/tool-use/fine-grained-tool-streaming.
  'eager_input_streaming',
]

const checkTool = (tool: Json, at: number, betas: string): Complaint => {
  if (typeof tool.type === 'string' && tool.type !== 'custom') return undefined
  if (!/^[a-zA-Z0-9_-]{1,128}$/.test(text(tool.name))) return `tools.${at}.name: String should match pattern`
  return firstOf(
    () => checkSchema(tool.input_schema, `tools.${at}.input_schema`),
    () => unknownMembers(tool, defersTools(betas) ? [...toolMembers, 'defer_loading'] : toolMembers, `tools.${at}.`),
  )
}

const marksIn = (value: unknown): number => (JSON.stringify(value).match(/"cache_control":\{/g) ?? []).length

export const refusesMessages = (body: Json, seals: Seals, model: string, betas = ''): Complaint => {
  const messages = list(body.messages)
  const version = versionOf(model)
  return firstOf(
    () => unknownMembers(body, members, ''),
    () => (typeof body.max_tokens === 'number' ? undefined : 'max_tokens: Field required'),
    () => (messages.length > 0 ? undefined : 'messages: at least one message is required'),
    () => (messages[0]?.role === 'user' ? undefined : 'messages: first message must use the "user" role'),
    () => (marksIn(body) > 4 ? 'A maximum of 4 blocks with cache_control may be provided' : undefined),
    () => each(list(body.tools), (tool, at) => checkTool(tool, at, betas)),
    () =>
      each(messages, (message, at) => {
        const blocks = blocksOf(message.content)
        if (!['user', 'assistant'].includes(text(message.role)))
          return `messages.${at}.role: Input should be 'user' or 'assistant'`
        if (blocks.length === 0) return `messages.${at}: all messages must have non-empty content`
        return firstOf(
          () => unknownMembers(message, ['role', 'content'], `messages.${at}.`),
          () => each(blocks, (block, inner) => checkBlock(block, `messages.${at}.content.${inner}`, seals)),
        )
      }),
    () => checkResults(messages),
    () => checkSampling(body, version),
    () => checkThinking(body, messages, version),
  )
}

const textsOf = (content: unknown): string =>
  blocksOf(content)
    .map((block) => text(block.text))
    .join('\n')

/** A message request in words that all languages share. */
export const readMessages = (body: Json, seals: Seals): ReceivedRequest => {
  const messages = list(body.messages)
  const blocks = (role: string): Json[] =>
    messages.flatMap((message) => (message.role === role ? blocksOf(message.content) : []))
  const texts = (role: string): string[] =>
    blocks(role).flatMap((block) => (block.type === 'text' ? [text(block.text)] : []))
  const answered = blocks('assistant')
  return {
    system: textsOf(body.system),
    userTexts: texts('user'),
    assistantTexts: texts('assistant'),
    thoughts: answered.flatMap(({ type, signature }) =>
      type === 'thinking' ? [seals.thoughtOf(text(signature)) ?? 'unknown'] : [],
    ),
    calls: answered.flatMap(({ type, id, name, input }) =>
      type === 'tool_use' ? [{ id: text(id), name: text(name), input }] : [],
    ),
    results: blocks('user').flatMap(({ type, tool_use_id: id, content }) =>
      type === 'tool_result' ? [{ id: text(id), text: textsOf(content) }] : [],
    ),
    tools: list(body.tools).map(({ name, input_schema: schema }) => ({ name: text(name), schema })),
    pictures: picturesIn(body),
  }
}

const printed = (type: string, more: Json): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`

const blockEvents = (index: number, start: Json, deltas: readonly Json[]): string =>
  printed('content_block_start', { index, content_block: start }) +
  deltas.map((delta) => printed('content_block_delta', { index, delta })).join('') +
  printed('content_block_stop', { index })

const ids = { next: 0 }
const blocksOfStep = (
  { thought, text: answerText, calls }: Step,
  seals: Seals,
): { whole: Json; start: Json; deltas: Json[] }[] => [
  ...(thought === undefined
    ? []
    : [seals.issue(thought)].map((signature) => ({
        whole: { type: 'thinking', thinking: thought, signature },
        start: { type: 'thinking', thinking: '', signature: '' },
        deltas: [
          ...letters(thought).map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature },
        ],
      }))),
  ...(answerText === undefined
    ? []
    : [
        {
          whole: { type: 'text', text: answerText },
          start: { type: 'text', text: '' },
          deltas: letters(answerText).map((piece) => ({ type: 'text_delta', text: piece })),
        },
      ]),
  ...calls.map(({ name, input }) => {
    ids.next += 1
    const call = { type: 'tool_use', id: `toolu_${ids.next}`, name }
    const json = JSON.stringify(typeof input === 'string' ? { input } : input)
    return {
      whole: { ...call, input: JSON.parse(json) },
      start: { ...call, input: {} },
      deltas: letters(json).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    }
  }),
]

/** A step as a message, whole or as its events. */
export const asMessage = (step: Step, body: Json, tokens: Tokens, seals: Seals): string => {
  const thinks = ['enabled', 'adaptive'].includes(text(objectAt(body, 'thinking').type))
  const { thought: _, ...quiet } = step
  const blocks = blocksOfStep(thinks ? step : quiet, seals)
  const stop_reason = step.calls.length > 0 ? 'tool_use' : 'end_turn'
  const { input, cached, output } = tokens
  const usage = { input_tokens: input, cache_creation_input_tokens: 0, cache_read_input_tokens: cached }
  const head = { id: 'msg_1', type: 'message', role: 'assistant', model: body.model, stop_sequence: null }
  if (body.stream !== true) {
    const content = blocks.map(({ whole }) => whole)
    return JSON.stringify({ ...head, content, stop_reason, usage: { ...usage, output_tokens: output } })
  }
  const begun = { ...head, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } }
  return (
    printed('message_start', { message: begun }) +
    printed('ping', {}) +
    blocks.map(({ start, deltas }, index) => blockEvents(index, start, deltas)).join('') +
    printed('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: output } }) +
    printed('message_stop', {})
  )
}
