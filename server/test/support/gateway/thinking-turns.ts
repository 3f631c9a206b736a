import { eventFrame } from '../../../src/dialects/bedrock/client-frames.ts'
import { named } from './dialects.ts'
import { ask } from './scene.ts'
import { json, type Received, stream } from './upstream.ts'

/** Claude as its hosts serve it, strict about thoughts that are bound to an account, and clients that go on with its answers. */

export type Members = Record<string, unknown>

/** The account that a call was signed with: a key, an access key of AWS, or the token that an account of Google got. */
export const keyOf = ({ headers }: Received): string => {
  const { authorization = '' } = headers
  const [, inCloud] = /Credential=(\w+)\/|^Bearer (?:ya29\.)?(\w+)$/.exec(authorization)?.filter(Boolean) ?? []
  return inCloud ?? String(headers['x-api-key'] ?? '')
}

export const bodyOf = ({ body }: Received) =>
  JSON.parse(body.toString()) as { stream?: boolean; model?: string; messages: { content: unknown }[] }

/** Thinking blocks of a request. */
export const thoughtsIn = (call: Received): Members[] =>
  bodyOf(call)
    .messages.flatMap(({ content }) => (Array.isArray(content) ? (content as Members[]) : []))
    .filter(({ type }) => type === 'thinking' || type === 'redacted_thinking')

export const signaturesIn = (call: Received): string[] =>
  thoughtsIn(call).map(({ signature, data }) => String(signature ?? data))

export const refusal = {
  type: 'error',
  error: {
    type: 'invalid_request_error',
    message:
      'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".',
  },
}

let turns = 0
const contentOf = (key: string): Members[] => {
  turns += 1
  return [
    { type: 'thinking', thinking: 'Hm.', signature: `SIG-${key}-${turns}` },
    { type: 'redacted_thinking', data: `RED-${key}-${turns}` },
    { type: 'tool_use', id: `toolu_${turns}`, name: 'look', input: {} },
  ]
}

const eventsOf = (message: Members, content: readonly Members[]): string[] => [
  named('message_start', { message: { ...message, content: [], usage: { input_tokens: 10, output_tokens: 1 } } }),
  ...content.flatMap((block, index) => {
    const deltas =
      block.type === 'thinking'
        ? [
            { type: 'thinking_delta', thinking: block.thinking },
            { type: 'signature_delta', signature: block.signature },
          ]
        : []
    const opened = block.type === 'thinking' ? { type: 'thinking', thinking: '', signature: '' } : block
    return [
      named('content_block_start', { index, content_block: opened }),
      ...deltas.map((delta) => named('content_block_delta', { index, delta })),
      named('content_block_stop', { index }),
    ]
  }),
  named('message_delta', { delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 20 } }),
  named('message_stop', {}),
]

/** The events as AWS frames them. */
const frames =
  (events: readonly string[]) =>
  ({ response }: Received): void => {
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' })
    for (const event of events) {
      const payload = event.slice(event.indexOf('data: ') + 'data: '.length).trim()
      response.write(eventFrame('chunk', { bytes: Buffer.from(payload).toString('base64') }))
    }
    response.end()
  }

/** Anthropic, as strict as it may be: it takes what the same key has made, unchanged. */
export const anthropic = (call: Received): void => {
  const key = keyOf(call)
  // Clouds have the model in the address, and name it in their answers as Anthropic does.
  const [inPath] = /claude-[\w.-]+?(?=@|:|-v\d|\/)/.exec(decodeURIComponent(call.path)) ?? []
  const { model = inPath, stream: streamed } = bodyOf(call)
  const isOwn = ({ type, thinking, signature, data }: Members): boolean =>
    type === 'thinking'
      ? thinking === 'Hm.' && String(signature).startsWith(`SIG-${key}-`)
      : String(data).startsWith(`RED-${key}-`)
  if (!thoughtsIn(call).every(isOwn)) {
    json(refusal, 400)(call)
    return
  }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model, stop_reason: 'tool_use' }
  const content = contentOf(key)
  if (call.path.endsWith('/invoke-with-response-stream')) frames(eventsOf(message, content))(call)
  else if (streamed === true) stream(...eventsOf(message, content))(call)
  else json({ ...message, content, usage: { input_tokens: 10, output_tokens: 20 } })(call)
}

const parameters = { type: 'object', properties: {} }
const listIn = (before: unknown): unknown[] =>
  (before as unknown[] | undefined) ?? [{ role: 'user', content: 'weather' }]

interface Told {
  readonly status: number
  readonly next: unknown
}
export type Turn = (before: unknown, model: string) => Promise<Told>

const eventsIn = (text: string): Members[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)))

/** A message's blocks, put together as Anthropic's SDK does it. */
const blocksOf = (events: readonly Members[]): Members[] => {
  const blocks: Members[] = []
  for (const { type, index, content_block: block, delta } of events) {
    if (type === 'content_block_start') blocks[index as number] = { ...(block as Members) }
    const { thinking, signature } = (delta ?? {}) as Members
    const open = blocks[index as number]
    if (open !== undefined && thinking !== undefined) open.thinking = String(open.thinking) + String(thinking)
    if (open !== undefined && signature !== undefined) open.signature = signature
  }
  return blocks
}

export const messagesTurn =
  (streamed: boolean): Turn =>
  async (before, model) => {
    const messages = listIn(before)
    const tools = [{ name: 'look', input_schema: parameters }]
    const response = await ask({ model, max_tokens: 4000, tools, messages, stream: streamed }, '/v1/messages')
    const text = await response.text()
    if (response.status !== 200) return { status: response.status, next: undefined }
    const content = streamed ? blocksOf(eventsIn(text)) : (JSON.parse(text).content as Members[])
    const id = content.find(({ type }) => type === 'tool_use')?.id
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'sun' }] }
    return { status: 200, next: [...messages, { role: 'assistant', content }, result] }
  }

/** `keeps` what names the reasoning; else the gateway remembers it. */
const chatTurn =
  (keeps: boolean): Turn =>
  async (before, model) => {
    const messages = listIn(before)
    const tools = [{ type: 'function', function: { name: 'look', parameters } }]
    const response = await ask({ model, reasoning_effort: 'high', tools, messages })
    const { choices } = (await response.json()) as { choices?: { message: { tool_calls: { id: string }[] } }[] }
    const message = choices?.[0]?.message
    if (message === undefined) return { status: response.status, next: undefined }
    const calls = message.tool_calls
    const kept = keeps ? message : { role: 'assistant', content: null, tool_calls: calls }
    return { status: 200, next: [...messages, kept, { role: 'tool', tool_call_id: calls[0]?.id, content: 'sun' }] }
  }

const responsesTurn: Turn = async (before, model) => {
  const input = listIn(before)
  const tools = [{ type: 'function', name: 'look', parameters }]
  const include = ['reasoning.encrypted_content']
  const response = await ask(
    { model, store: false, reasoning: { effort: 'high' }, include, tools, input },
    '/v1/responses',
  )
  const { output } = (await response.json()) as { output?: { call_id?: string }[] }
  if (output === undefined) return { status: response.status, next: undefined }
  const result = { type: 'function_call_output', call_id: output.at(-1)?.call_id, output: 'sun' }
  return { status: 200, next: [...input, ...output, result] }
}

const geminiTurn: Turn = async (before, model) => {
  const contents = (before as unknown[] | undefined) ?? [{ role: 'user', parts: [{ text: 'weather' }] }]
  const tools = [{ functionDeclarations: [{ name: 'look', parameters }] }]
  const generationConfig = { thinkingConfig: { includeThoughts: true, thinkingBudget: 4000 } }
  const response = await ask({ contents, tools, generationConfig }, `/v1beta/models/${model}:generateContent`)
  const { candidates } = (await response.json()) as { candidates?: { content: unknown }[] }
  if (candidates === undefined) return { status: response.status, next: undefined }
  const result = { role: 'user', parts: [{ functionResponse: { name: 'look', response: { output: 'sun' } } }] }
  return { status: 200, next: [...contents, candidates[0]?.content, result] }
}

export const clients: Readonly<Record<string, Turn>> = {
  Messages: messagesTurn(false),
  'streaming Messages': messagesTurn(true),
  chat: chatTurn(true),
  'forgetful chat': chatTurn(false),
  Responses: responsesTurn,
  Gemini: geminiTurn,
}
