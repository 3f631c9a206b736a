import {
  type Complaint,
  checkSchema,
  each,
  firstOf,
  type Json,
  letters,
  list,
  picturesIn,
  type ReceivedRequest,
  type Seals,
  type Step,
  type Tokens,
  text,
  unknownMembers,
} from './model.ts'

/** Refusals of OpenAI's responses (developers.openai.com/api/reference/resources/responses, .../guides/reasoning). */

const members = [
  'model',
  'input',
  'instructions',
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'reasoning',
  'store',
  'include',
  'text',
  'max_output_tokens',
  'temperature',
  'top_p',
  'user',
  'service_tier',
  'metadata',
  'truncation',
  'prompt_cache_key',
  'prompt_cache_retention',
  'safety_identifier',
  'top_logprobs',
  'max_tool_calls',
  'background',
  'previous_response_id',
  'context_management',
  // Of Codex, which sends it to OpenAI on every call (openai/codex, codex-rs/codex-api).
  'client_metadata',
]

const itemMembers: Readonly<Record<string, readonly string[]>> = {
  message: ['type', 'role', 'content', 'id', 'status', 'phase'],
  reasoning: ['type', 'id', 'summary', 'content', 'encrypted_content', 'status'],
  function_call: ['type', 'id', 'call_id', 'name', 'arguments', 'status'],
  function_call_output: ['type', 'id', 'call_id', 'output', 'status'],
  custom_tool_call: ['type', 'id', 'call_id', 'name', 'input', 'status'],
  custom_tool_call_output: ['type', 'id', 'call_id', 'output'],
}

const typeOf = (item: Json): string => text(item.type ?? 'message')

const prefixes: Readonly<Record<string, string>> = {
  message: 'msg_',
  reasoning: 'rs_',
  function_call: 'fc_',
  custom_tool_call: 'ctc_',
}

const contentTypes = (role: unknown): RegExp =>
  role === 'assistant' ? /^(output_text|refusal)$/ : /^input_(text|image|file|audio)$/

const checkItem = (item: Json, where: string, seals: Seals): Complaint => {
  const type = typeOf(item)
  const allowed = itemMembers[type]
  if (allowed === undefined) return `${where}: Invalid value: '${type}'`
  if (type === 'message') {
    const odd = list(item.content).find((part) => !contentTypes(item.role).test(text(part.type)))
    if (odd !== undefined) return `${where}.content: Invalid value: '${text(odd.type)}'`
    if (item.content === '' || item.content === null) return `${where}.content: empty`
  }
  // Without a store, the encrypted content is all that the provider has.
  if (type === 'reasoning' && seals.thoughtOf(text(item.encrypted_content)) === undefined)
    return `${where}: The encrypted content could not be verified`
  if (/_call$/.test(type) && (text(item.call_id) === '' || text(item.call_id).length > 64))
    return `${where}.call_id: wrong length`
  if (type.endsWith('_output') && typeof item.output !== 'string') {
    const odd = list(item.output).find((part) => !contentTypes('tool').test(text(part.type)))
    if (odd !== undefined || list(item.output).length === 0) return `${where}.output: Invalid value`
  }
  const prefix = prefixes[type] ?? ''
  if (item.id !== undefined && !text(item.id).startsWith(prefix))
    return `${where}.id: Expected an ID that begins with '${prefix}'`
  return unknownMembers(item, allowed, `${where}.`)
}

const checkOrder = (input: readonly Json[]): Complaint => {
  const open = new Map<string, string>()
  for (const [at, item] of input.entries()) {
    const type = typeOf(item)
    const id = text(item.call_id)
    if (type === 'function_call' || type === 'custom_tool_call') open.set(id, `${type}_output`)
    if (type.endsWith('_output')) {
      if (open.get(id) !== type) return `input[${at}]: No tool call found for ${type} with call_id ${id}`
      open.delete(id)
    }
    const next = input[at + 1]
    if (type === 'reasoning' && (next === undefined || text(next.role) === 'user' || typeOf(next).endsWith('_output')))
      return `input[${at}]: Item of type 'reasoning' was provided without its required following item`
  }
  const [missing] = open.keys()
  return missing === undefined ? undefined : `No tool output found for call ${missing}`
}

const checkTool = (tool: Json, at: number): Complaint => {
  if (tool.type === 'function') {
    if (typeof tool.strict !== 'boolean' && tool.strict !== null && tool.strict !== undefined)
      return `tools[${at}].strict: Invalid type`
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(text(tool.name))) return `tools[${at}].name: does not match pattern`
    return firstOf(
      () => unknownMembers(tool, ['type', 'name', 'description', 'parameters', 'strict'], `tools[${at}].`),
      () => checkSchema(tool.parameters, `tools[${at}].parameters`),
    )
  }
  return tool.type === 'custom'
    ? unknownMembers(tool, ['type', 'name', 'description', 'format'], `tools[${at}].`)
    : undefined
}

/** Thoughts of the turn that is going on have to come back before the calls that they led to. */
const checkThoughts = (input: readonly Json[]): Complaint => {
  const from = input.findLastIndex((item) => item.role === 'user')
  const turn = input.slice(from + 1)
  const calls = turn.filter((item) => /^(function_call|custom_tool_call)$/.test(typeOf(item))).length
  return calls > 0 && !turn.some((item) => typeOf(item) === 'reasoning')
    ? 'the reasoning of this turn was not given back'
    : undefined
}

const inputOf = ({ input }: Json): readonly Json[] =>
  typeof input === 'string' ? [{ role: 'user', content: input }] : list(input)

/** `thinks`: whether answers of this turn began with thoughts. */
export const refusesResponses = (body: Json, seals: Seals, thinks: boolean): Complaint => {
  const input = inputOf(body)
  return firstOf(
    () => unknownMembers(body, members, 'Unknown parameter: '),
    () => (input.length > 0 ? undefined : 'input: empty'),
    () => (Number(body.max_output_tokens ?? 16) < 16 ? 'max_output_tokens: below minimum value' : undefined),
    () =>
      body.temperature === undefined || !/^(o\d|gpt-[5-9])/.test(text(body.model))
        ? undefined
        : "Unsupported parameter: 'temperature'",
    () => (text(body.previous_response_id) === '' ? undefined : 'previous_response_id: Previous response not found'),
    () => (body.store === false ? undefined : 'this script keeps nothing'),
    () => each(list(body.tools), checkTool),
    () => each(input, (item, at) => checkItem(item, `input[${at}]`, seals)),
    () => checkOrder(input),
    () => (thinks ? checkThoughts(input) : undefined),
  )
}

const textsOf = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : list(content)
        .map((part) => text(part.text))
        .join('\n')

/** A response request in words that all languages share. */
export const readResponses = (body: Json, seals: Seals): ReceivedRequest => {
  const input = inputOf(body)
  const of = (...roles: string[]): string[] =>
    input.filter(({ role }) => roles.includes(text(role))).map(({ content }) => textsOf(content))
  return {
    system: [text(body.instructions), ...of('system', 'developer')].join('\n').trim(),
    userTexts: of('user'),
    assistantTexts: of('assistant'),
    thoughts: input.flatMap((item) =>
      typeOf(item) === 'reasoning' ? [seals.thoughtOf(text(item.encrypted_content)) ?? 'unknown'] : [],
    ),
    calls: input.flatMap((item) => {
      const { call_id: id, name } = item
      const call = { id: text(id), name: text(name) }
      if (item.type === 'custom_tool_call') return [{ ...call, input: item.input }]
      return item.type === 'function_call' ? [{ ...call, input: JSON.parse(text(item.arguments)) as unknown }] : []
    }),
    results: input.flatMap((item) =>
      typeOf(item).endsWith('_output') ? [{ id: text(item.call_id), text: textsOf(item.output) }] : [],
    ),
    tools: list(body.tools).map(({ name, parameters }) => ({ name: text(name), schema: parameters })),
    pictures: picturesIn(body),
  }
}

const ids = { next: 0 }

const itemsOf = (step: Step, body: Json, seals: Seals): Json[] => {
  const items: Json[] = []
  const id = (prefix: string): string => {
    ids.next += 1
    return `${prefix}_${ids.next}`
  }
  if (step.thought !== undefined) {
    const summary = [{ type: 'summary_text', text: step.thought }]
    const includes = JSON.stringify(body.include ?? []).includes('reasoning.encrypted_content')
    const sealed = includes ? { encrypted_content: seals.issue(step.thought) } : {}
    items.push({ id: id('rs'), type: 'reasoning', summary, ...sealed })
  }
  if (step.text !== undefined) {
    const content = [{ type: 'output_text', text: step.text, annotations: [], logprobs: [] }]
    items.push({ id: id('msg'), type: 'message', role: 'assistant', status: 'completed', content })
  }
  for (const { name, input } of step.calls) {
    const call = { status: 'completed', call_id: id('call'), name }
    const isCustom = list(body.tools).some((tool) => tool.type === 'custom' && tool.name === name)
    const argumentsText = JSON.stringify(typeof input === 'string' ? { input } : input)
    items.push(
      isCustom
        ? { id: id('ctc'), type: 'custom_tool_call', ...call, input }
        : { id: id('fc'), type: 'function_call', ...call, arguments: argumentsText },
    )
  }
  return items
}

/** A part of an item begins empty and ends whole. */
const framed = (name: string, place: Json & { readonly part: Json }, deltas: readonly Json[]): readonly Json[] => [
  { ...place, type: `response.${name}.added`, part: { ...place.part, text: '' } },
  ...deltas,
  { ...place, type: `response.${name}.done` },
]

const inside = (item: Json, output_index: number): Json[] => {
  const place = { item_id: item.id, output_index }
  const deltas = (type: string, argumentsText: unknown, more: Json = {}): Json[] =>
    letters(text(argumentsText)).map((delta) => ({ type, ...place, ...more, delta }))
  switch (item.type) {
    case 'reasoning':
      return list(item.summary).flatMap((part) =>
        framed(
          'reasoning_summary_part',
          { ...place, summary_index: 0, part },
          deltas('response.reasoning_summary_text.delta', part.text, { summary_index: 0 }),
        ),
      )
    case 'message':
      return list(item.content).flatMap((part) =>
        framed(
          'content_part',
          { ...place, content_index: 0, part },
          deltas('response.output_text.delta', part.text, { content_index: 0 }),
        ),
      )
    case 'custom_tool_call':
      return deltas('response.custom_tool_call_input.delta', item.input)
    default:
      return deltas('response.function_call_arguments.delta', item.arguments)
  }
}

const begun: Readonly<Record<string, Json>> = {
  reasoning: { summary: [], encrypted_content: '' },
  message: { content: [], status: 'in_progress' },
  function_call: { arguments: '', status: 'in_progress' },
  custom_tool_call: { input: '', status: 'in_progress' },
}

/** A step as a response, whole or as its events. */
export const asResponse = (step: Step, body: Json, { input, cached, output: out, thought }: Tokens, seals: Seals) => {
  const output = itemsOf(step, body, seals)
  const usage = {
    input_tokens: input + cached,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: out,
    output_tokens_details: { reasoning_tokens: thought },
    total_tokens: input + cached + out,
  }
  const head = {
    id: 'resp_1',
    object: 'response',
    created_at: 1_700_000_000,
    model: body.model,
    error: null,
    incomplete_details: null,
  }
  const whole = { ...head, status: 'completed', output, usage }
  if (body.stream !== true) return JSON.stringify(whole)
  const events: Json[] = [
    { type: 'response.created', response: { ...head, status: 'in_progress', output: [], usage: null } },
    ...output.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item: { ...item, ...begun[text(item.type)] } },
      ...inside(item, output_index),
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: 'response.completed', response: whole },
  ]
  return events
    .map(
      (event, sequence_number) =>
        `event: ${text(event.type)}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`,
    )
    .join('')
}
