import {
  type Complaint,
  checkSchema,
  each,
  firstOf,
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

/**
 * Refusals of OpenAI's chat completions (developers.openai.com/api/reference/resources/chat), and of DeepSeek's, which wants its
 * thoughts back (api-docs.deepseek.com/guides/thinking_mode).
 */

const members = new Set([
  ...['model', 'messages', 'stream', 'stream_options', 'tools', 'tool_choice', 'parallel_tool_calls', 'temperature'],
  ...['max_completion_tokens', 'max_tokens', 'top_p', 'n', 'stop', 'seed', 'user', 'reasoning_effort', 'verbosity'],
  ...['response_format', 'service_tier', 'metadata', 'store', 'logprobs', 'top_logprobs', 'frequency_penalty'],
  ...['presence_penalty', 'modalities', 'prompt_cache_key', 'prompt_cache_retention', 'safety_identifier'],
  ...['logit_bias', 'prediction', 'audio', 'web_search_options'],
])

const isDeepseek = (model: string): boolean => model.startsWith('deepseek')

const messageMembers = ['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'refusal', 'audio']

/** Which parts may stand in whose content. */
const partTypes: Readonly<Record<string, RegExp>> = {
  system: /^text$/,
  developer: /^text$/,
  user: /^(text|image_url|input_audio|file)$/,
  assistant: /^(text|refusal)$/,
  tool: /^text$/,
}

const toolName = /^[a-zA-Z0-9_-]{1,64}$/
const kindOf = ({ type }: Json): 'custom' | 'function' => (type === 'custom' ? 'custom' : 'function')

const checkCall = (call: Json, where: string): Complaint => {
  const id = text(call.id)
  if (id === '' || id.length > 40) return `${where}.id: string too long. Expected at most 40: ${id}`
  if (call.type !== 'function' && call.type !== 'custom') return `${where}.type: Invalid value`
  const inner = objectAt(call, kindOf(call))
  if (!toolName.test(text(inner.name))) return `${where}.function.name: does not match pattern`
  const argumentsText = call.type === 'custom' ? inner.input : inner.arguments
  if (typeof argumentsText !== 'string') return `${where}.function.arguments: not a string`
  // OpenAI's client for Python keeps the index of streams in what its helper gives back.
  return unknownMembers(call, ['id', 'type', 'function', 'custom', 'index'], `${where}.`)
}

const checkMessage = (message: Json, where: string, model: string): Complaint => {
  const { role, content } = message
  const types = partTypes[text(role)]
  if (types === undefined) return `${where}.role: Invalid value`
  const isEmpty = content === null || content === undefined
  if (isEmpty && (role !== 'assistant' || list(message.tool_calls).length === 0))
    return `${where}.content: expected a string, got null`
  const allowed = isDeepseek(model) ? [...messageMembers, 'reasoning_content'] : messageMembers
  return firstOf(
    () => unknownMembers(message, allowed, `${where}.`),
    () => each(list(message.tool_calls), (call, at) => checkCall(call, `${where}.tool_calls[${at}]`)),
    () =>
      each(list(content), (part, at) => {
        if (!types.test(text(part.type))) return `${where}.content[${at}].type: Invalid value: '${part.type}'`
        return unknownMembers(part, ['type', text(part.type)], `${where}.content[${at}].`)
      }),
  )
}

const unanswered = (open: ReadonlySet<string>): Complaint =>
  open.size > 0
    ? `An assistant message with 'tool_calls' must be followed by tool messages responding to: ${[...open]}`
    : undefined

/** Each call is answered by a message of its own, right behind. */
const checkResults = (messages: readonly Json[]): Complaint => {
  const open = new Set<string>()
  for (const [at, message] of messages.entries()) {
    if (message.role === 'tool') {
      if (!open.delete(text(message.tool_call_id)))
        return `messages[${at}]: messages with role 'tool' must be a response to a preceding message with 'tool_calls'`
      continue
    }
    const complaint = unanswered(open)
    if (complaint !== undefined) return complaint
    for (const call of list(message.tool_calls)) open.add(text(call.id))
  }
  return unanswered(open)
}

const checkTool = (tool: Json, at: number): Complaint => {
  const where = `tools[${at}].function`
  const inner = objectAt(tool, kindOf(tool))
  if (!toolName.test(text(inner.name))) return `${where}.name: does not match pattern`
  return firstOf(
    () => unknownMembers(tool, ['type', 'function', 'custom'], `tools[${at}].`),
    () => unknownMembers(inner, ['name', 'description', 'parameters', 'strict', 'format'], `${where}.`),
    () => (inner.parameters === undefined ? undefined : checkSchema(inner.parameters, where)),
  )
}

/** Models that think without being asked; the others between 5.1 and 5.4 do not (…/docs/guides/latest-model). */
const thinksUnasked = (model: string): boolean => /^(o\d|gpt-5(-mini|-nano)?($|-\d)|gpt-5\.[5-9]|gpt-[6-9])/.test(model)

const samplings = ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'logprobs', 'top_logprobs']

/** Models after 5.3 do not think here while they have tools (github.com/openai/openai-openapi/issues/541). */
const checkThinking = (body: Json, model: string): Complaint => {
  const unsupported = (name: string): string => `Unsupported parameter: '${name}' is not supported with this model`
  if (body.max_tokens !== undefined) return unsupported('max_tokens')
  if (body.stop !== undefined) return unsupported('stop')
  const effort = body.reasoning_effort ?? (thinksUnasked(model) ? 'medium' : 'none')
  if (!['none', 'low', 'medium', 'high', 'xhigh'].includes(text(effort))) return `Unsupported value: '${effort}'`
  const sampling = effort === 'none' ? undefined : samplings.find((name) => body[name] !== undefined)
  if (sampling !== undefined) return unsupported(sampling)
  if (/^gpt-(5\.[4-9]|6)/.test(model) && list(body.tools).length > 0 && body.reasoning_effort !== 'none')
    return `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions`
  return undefined
}

const checkSearch = (body: Json, model: string): Complaint =>
  body.web_search_options !== undefined && !/-search-/.test(model)
    ? `Web search options not supported with this model: ${model}`
    : undefined

const checkDeepseek = (body: Json): Complaint => {
  const { type } = objectAt(body, 'thinking')
  if (body.thinking !== undefined && type !== 'enabled' && type !== 'disabled') return 'thinking.type: unknown variant'
  if (list(body.tools).some(({ type }) => type !== 'function')) return 'tools: unknown variant `custom`'
  if (list(body.messages).some(({ role }) => role === 'developer'))
    return 'messages: unknown variant `developer`, expected one of `system`, `user`, `assistant`, `tool`'
  if (objectAt(body, 'response_format').type === 'json_schema') return 'This response_format type is unavailable now'
  return each(list(body.messages), (message, at) =>
    list(message.tool_calls).length > 0 && text(message.reasoning_content) === ''
      ? `Missing reasoning_content field in the assistant message at message index ${at}`
      : undefined,
  )
}

export const refusesChat = (body: Json, model: string): Complaint => {
  const messages = list(body.messages)
  return firstOf(
    () =>
      unknownMembers(
        body,
        isDeepseek(model) ? [...members, 'thinking'] : [...members],
        'Unrecognized request argument supplied: ',
      ),
    () => (messages.length > 0 ? undefined : 'messages: too short'),
    () => (body.stream_options !== undefined && body.stream !== true ? 'stream_options without stream' : undefined),
    () => (body.tool_choice !== undefined && body.tools === undefined ? 'tool_choice without tools' : undefined),
    () =>
      isDeepseek(model) ? checkDeepseek(body) : /^(o\d|gpt-[5-9])/.test(model) ? checkThinking(body, model) : undefined,
    () => checkSearch(body, model),
    () => each(list(body.tools), checkTool),
    () => each(messages, (message, at) => checkMessage(message, `messages[${at}]`, model)),
    () => checkResults(messages),
  )
}

const textsOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : list(content)
        .map((part) => text(part.text))
        .join('\n')

/** A completion request in words that all languages share. */
export const readChat = (body: Json, seals: Seals): ReceivedRequest => {
  const messages = list(body.messages)
  const of = (...roles: string[]): string[] =>
    messages.filter(({ role }) => roles.includes(text(role))).map(({ content }) => textsOf(content))
  return {
    system: of('system', 'developer').join('\n'),
    userTexts: of('user'),
    assistantTexts: of('assistant').filter((argumentsText) => argumentsText !== ''),
    thoughts: messages.map((message) => text(message.reasoning_content)).filter(seals.knows),
    calls: messages.flatMap(({ tool_calls: calls }) =>
      list(calls).map((call) => {
        const { name, input, arguments: argumentsText } = objectAt(call, kindOf(call))
        return {
          id: text(call.id),
          name: text(name),
          input: call.type === 'custom' ? input : JSON.parse(text(argumentsText)),
        }
      }),
    ),
    results: messages.flatMap(({ role, tool_call_id: id, content }) =>
      role === 'tool' ? [{ id: text(id), text: textsOf(content) }] : [],
    ),
    tools: list(body.tools).map((tool) => {
      const { name, parameters } = objectAt(tool, kindOf(tool))
      return { name: text(name), schema: parameters }
    }),
    pictures: picturesIn(body),
  }
}

const usageOf = ({ input, cached, output, thought }: Tokens): Json => ({
  prompt_tokens: input + cached,
  completion_tokens: output,
  total_tokens: input + cached + output,
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens_details: { reasoning_tokens: thought },
})

const ids = { next: 0 }

const callsOf = ({ calls }: Step, body: Json): Json[] =>
  calls.map(({ name, input }) => {
    ids.next += 1
    const call = { id: `call_${ids.next}` }
    const isCustom = list(body.tools).some((tool) => tool.type === 'custom' && objectAt(tool, 'custom').name === name)
    if (isCustom) return { ...call, type: 'custom', custom: { name, input } }
    const argumentsText = JSON.stringify(typeof input === 'string' ? { input } : input)
    return { ...call, type: 'function', function: { name, arguments: argumentsText } }
  })

const pieces = (call: Json, index: number): Json[] => {
  const kind = kindOf(call)
  const member = kind === 'custom' ? 'input' : 'arguments'
  const { name, [member]: argumentsText } = objectAt(call, kind)
  return [
    { index, id: call.id, type: call.type, [kind]: { name, [member]: '' } },
    ...letters(text(argumentsText)).map((letter) => ({ index, [kind]: { [member]: letter } })),
  ]
}

/** A step as a chat completion, whole or in chunks. OpenAI keeps its thoughts here. */
export const asCompletion = (step: Step, body: Json, tokens: Tokens, seals: Seals): string => {
  const calls = callsOf(step, body)
  const thought = isDeepseek(text(body.model)) ? step.thought : undefined
  if (thought !== undefined) seals.issue(thought)
  const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop'
  const head = { id: 'chatcmpl-1', created: 1_700_000_000, model: body.model }
  const usage = usageOf(tokens)
  if (body.stream !== true) {
    const its_ = { role: 'assistant', content: step.text ?? null, refusal: null }
    const message = { ...its_, reasoning_content: thought, ...(calls.length > 0 ? { tool_calls: calls } : {}) }
    return JSON.stringify({
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason }],
      usage,
    })
  }
  const chunk = (delta: Json, reason: string | null = null): Json => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason: reason }],
  })
  const asksUsage = objectAt(body, 'stream_options').include_usage === true
  const chunks = [
    chunk({ role: 'assistant', content: '' }),
    ...letters(thought ?? '').map((reasoning_content) => chunk({ reasoning_content })),
    ...letters(step.text ?? '').map((content) => chunk({ content })),
    ...calls.flatMap(pieces).map((call) => chunk({ tool_calls: [call] })),
    // DeepSeek tells it unasked.
    { ...chunk({}, finish_reason), ...(isDeepseek(text(body.model)) && !asksUsage ? { usage } : {}) },
    ...(asksUsage ? [{ ...chunk({}), choices: [], usage }] : []),
  ]
  return `${chunks.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')}data: [DONE]\n\n`
}
