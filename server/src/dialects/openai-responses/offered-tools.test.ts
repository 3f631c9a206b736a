import { describe, expect, it } from 'vitest'
import { adapted } from '../adapted.ts'
import { anthropicMessages } from '../anthropic/dialect.ts'
import { eventsOf } from '../conversation/collect.ts'
import type { Answer, Part } from '../conversation/conversation.ts'
import { type JsonObject, objectsOf } from '../conversation/json.ts'
import { createUnsupportedFields } from '../conversation/unsupported-fields.ts'
import type { UpstreamDialect } from '../dialect.ts'
import { geminiContent } from '../gemini/dialect.ts'
import { openaiChat } from '../openai-chat/dialect.ts'
import { openaiResponses, openaiResponsesDialect } from './dialect.ts'

/** Newer Responses clients offer tools in input items, in namespaces, and without a schema. */

const empty = { type: 'object', properties: {} }
const fn = (name: string, more: object = {}) => ({
  type: 'function',
  name,
  description: name,
  parameters: empty,
  ...more,
})
const message = { type: 'message', role: 'user', content: 'go' }

/** A shortened request of Codex 0.169.0 to gpt-5.6. */
const codex: JsonObject = {
  tool_choice: 'auto',
  input: [
    {
      type: 'additional_tools',
      role: 'developer',
      tools: [
        {
          type: 'namespace',
          name: 'functions',
          description: '',
          tools: [{ type: 'custom', name: 'exec', description: 'Runs' }, fn('wait')],
        },
        { type: 'namespace', name: 'collaboration', description: 'Agents.', tools: [fn('wait'), fn('spawn')] },
        { type: 'namespace', name: 'mcp__files__', description: 'Files', tools: [fn('read', { defer_loading: true })] },
      ],
    },
    message,
    { type: 'function_call', call_id: 'c1', namespace: 'collaboration', name: 'spawn', arguments: '{}' },
    { type: 'function_call_output', call_id: 'c1', output: 'ok' },
    { type: 'custom_tool_call', call_id: 'c2', namespace: 'functions', name: 'exec', input: 'x' },
    { type: 'custom_tool_call_output', call_id: 'c2', output: 'ok' },
  ],
}

const ask = (upstream: UpstreamDialect, body: JsonObject) => {
  const unsupported = createUnsupportedFields()
  const conversation = openaiResponsesDialect.readRequest(body, { model: 'm', stream: false })
  const { conversation: translated, dialect } = adapted(conversation, upstream, unsupported)
  const written = dialect.writeRequest(translated, unsupported)
  return { conversation, dialect, written, unsupported: unsupported.list() }
}

const call = (id: string, name: string, text = '{}') => ({
  id,
  type: 'function',
  function: { name, arguments: text },
})

/** A chat completions answer, as the client gets it: complete and streamed. */
const answered = (
  body: JsonObject,
  calls: readonly object[],
): { whole: readonly JsonObject[]; streamed: readonly JsonObject[] } => {
  const { conversation, dialect } = ask(openaiChat(), body)
  const json = {
    id: 'x',
    choices: [{ index: 0, message: { content: null, tool_calls: calls }, finish_reason: 'tool_calls' }],
  }
  const answer = dialect.readAnswer(json)
  const stream = dialect.openStream()
  const chunk = {
    id: 'x',
    choices: [{ index: 0, delta: { tool_calls: calls.map((call, index) => ({ index, ...call })) } }],
  }
  const events = [...stream.read(JSON.stringify(chunk), ''), ...stream.end()]
  const writer = openaiResponsesDialect.openStream(conversation)
  const texts = events.map((event) => writer.write(event)).join('')
  const done = texts
    .split('\n')
    .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6)) as JsonObject] : []))
    .filter(({ type }) => type === 'response.output_item.done')
  return {
    whole: objectsOf(openaiResponsesDialect.writeAnswer(answer, conversation).output),
    streamed: done
      .toSorted((a, b) => Number(a.output_index) - Number(b.output_index))
      .map(({ item }) => item as JsonObject),
  }
}

const namesIn = (tools: unknown): unknown[] =>
  objectsOf(tools).flatMap((tool) =>
    tool.functionDeclarations === undefined
      ? [tool.name ?? (tool.function as JsonObject).name]
      : objectsOf(tool.functionDeclarations).map(({ name }) => name),
  )

describe('tools in items of the input and in namespaces', () => {
  const names = ['exec', 'wait', 'collaboration__wait', 'collaboration__spawn', 'mcp__files__read']

  it.each([
    ['chat completions', openaiChat({ customTools: false })],
    ['Anthropic', anthropicMessages()],
    ['Gemini', geminiContent()],
  ])('are functions of %s, none of them dropped', (_, upstream) => {
    const { written, unsupported } = ask(upstream, codex)
    expect(namesIn(written.tools)).toEqual(names)
    expect(unsupported).toEqual([])
    expect(JSON.stringify(written)).toContain('Agents.\\n\\nwait')
    expect(JSON.stringify(written.messages ?? written.contents)).toMatch(/"name":"collaboration__spawn"/)
    expect(JSON.stringify(written.messages ?? written.contents)).toMatch(/"name":"exec"/)
  })

  it('are called with their namespaces, whole and in streams', () => {
    const calls = [
      call('a', 'collaboration__wait'),
      call('b', 'exec', '{"input":"ls"}'),
      call('c', 'mcp__files__read'),
      call('d', 'somebody_elses'),
    ]
    const { whole, streamed } = answered(codex, calls)
    const expected = [
      { type: 'function_call', namespace: 'collaboration', name: 'wait', arguments: '{}' },
      { type: 'custom_tool_call', namespace: 'functions', name: 'exec', input: 'ls' },
      { type: 'function_call', namespace: 'mcp__files__', name: 'read' },
      { type: 'function_call', name: 'somebody_elses' },
    ]
    expect(whole).toMatchObject(expected)
    expect(streamed).toMatchObject(expected)
    for (const items of [whole, streamed]) expect(items[1]?.id).toMatch(/^ctc_/)
    expect(whole[3]).not.toHaveProperty('namespace')
  })

  it('stay what they are for a provider of responses', () => {
    const { written } = ask(openaiResponses, codex)
    const [item] = objectsOf(codex.input)
    expect(written.tools).toMatchObject(
      objectsOf(item?.tools).map(({ type, name, tools }) => ({
        type,
        name,
        tools: objectsOf(tools).map((tool) => ({ type: tool.type, name: tool.name })),
      })),
    )
    expect(objectsOf(written.input).slice(1)).toMatchObject([
      { type: 'function_call', namespace: 'collaboration', name: 'spawn' },
      {},
      { type: 'custom_tool_call', namespace: 'functions', name: 'exec' },
      {},
    ])
  })

  it('keep apart what would have one name', () => {
    const tools = [fn('a__b'), { type: 'namespace', name: 'a', description: '', tools: [fn('b')] }]
    const { written } = ask(openaiChat(), { input: 'x', tools })
    const [plain, other] = namesIn(written.tools)
    expect(plain).toBe('a__b')
    expect(other).toMatch(/^a__b_[0-9a-f]{8}$/)
    const { whole } = answered({ input: 'x', tools }, [call('1', 'a__b'), call('2', String(other))])
    expect(whole).toMatchObject([{ name: 'a__b' }, { namespace: 'a', name: 'b' }])
    expect(whole[0]).not.toHaveProperty('namespace')
  })

  it('come back with names that the provider takes', () => {
    const namespace = 'mcp__a_server_with_a_rather_long_name_of_its_own__'
    const tools = [{ type: 'namespace', name: namespace, description: '', tools: [fn('a.tool_with_a_long_name')] }]
    const [name] = namesIn(ask(openaiChat(), { input: 'x', tools }).written.tools)
    expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    const { whole, streamed } = answered({ input: 'x', tools }, [call('1', String(name))])
    expect(whole).toMatchObject([{ namespace, name: 'a.tool_with_a_long_name' }])
    expect(streamed).toMatchObject([{ namespace, name: 'a.tool_with_a_long_name' }])
  })

  it('that are offered again have their last definition', () => {
    const again = { type: 'additional_tools', role: 'developer', tools: [fn('a', { description: 'new' })] }
    const { written } = ask(openaiChat(), { tools: [fn('a'), fn('b')], input: [message, again] })
    expect(written.tools).toMatchObject([{ function: { name: 'a', description: 'new' } }, { function: { name: 'b' } }])
  })

  it('may be chosen', () => {
    const body = {
      ...codex,
      tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'namespace', name: 'collaboration' }] },
    }
    const { written } = ask(geminiContent(), body)
    expect(written.toolConfig).toMatchObject({
      functionCallingConfig: {
        allowedFunctionNames: expect.arrayContaining(['collaboration__wait', 'collaboration__spawn']),
      },
    })
  })
})

describe('tools that clients run without a schema', () => {
  const action = { type: 'exec', command: ['ls'], env: {}, timeout_ms: 5 }
  const search = { type: 'tool_search', execution: 'client', description: 'Finds', parameters: empty }
  const found = { type: 'namespace', name: 'crm', description: '', tools: [fn('list')] }
  const body: JsonObject = {
    tools: [{ type: 'local_shell' }, { type: 'shell' }, { type: 'apply_patch' }, search],
    input: [
      message,
      { type: 'local_shell_call', id: 'l', call_id: 'c1', status: 'completed', action },
      { type: 'local_shell_call_output', id: 'c1', output: '{"output":"a.ts"}' },
      { type: 'tool_search_call', call_id: 'c2', execution: 'client', arguments: { query: 'crm' } },
      { type: 'tool_search_output', call_id: 'c2', execution: 'client', tools: [found] },
      { type: 'shell_call', call_id: 'c3', action: { commands: ['pwd'] } },
      {
        type: 'shell_call_output',
        call_id: 'c3',
        output: [{ stdout: '/', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
      },
    ],
  }

  it('are functions, and what they gave comes back', () => {
    const { written, unsupported } = ask(openaiChat(), body)
    expect(unsupported).toEqual([])
    expect(namesIn(written.tools)).toEqual(['local_shell', 'shell', 'apply_patch', 'tool_search', 'crm__list'])
    expect(written.messages).toMatchObject([
      { role: 'user' },
      { tool_calls: [{ id: 'c1', function: { name: 'local_shell', arguments: '{"command":["ls"],"timeout_ms":5}' } }] },
      { role: 'tool', tool_call_id: 'c1', content: '{"output":"a.ts"}' },
      { tool_calls: [{ id: 'c2', function: { name: 'tool_search', arguments: '{"query":"crm"}' } }] },
      { role: 'tool', tool_call_id: 'c2', content: expect.stringContaining('"name":"crm"') },
      { tool_calls: [{ id: 'c3', function: { name: 'shell', arguments: '{"commands":["pwd"]}' } }] },
      { role: 'tool', tool_call_id: 'c3', content: expect.stringContaining('"exit_code":0') },
    ])
  })

  it('are called in items of their own types, whole and in streams', () => {
    const { whole, streamed } = answered(body, [
      call('1', 'local_shell', '{"command":["ls","-l"],"working_directory":"/w"}'),
      call('2', 'shell', '{"commands":["pwd"]}'),
      call('3', 'apply_patch', '{"type":"create_file","path":"a.ts","diff":"+x"}'),
      call('4', 'tool_search', '{"query":"mail"}'),
      call('5', 'crm__list'),
    ])
    const expected = [
      {
        type: 'local_shell_call',
        call_id: '1',
        action: { type: 'exec', command: ['ls', '-l'], env: {}, working_directory: '/w' },
      },
      { type: 'shell_call', call_id: '2', action: { commands: ['pwd'], timeout_ms: null, max_output_length: null } },
      { type: 'apply_patch_call', call_id: '3', operation: { type: 'create_file', path: 'a.ts', diff: '+x' } },
      { type: 'tool_search_call', call_id: '4', execution: 'client', arguments: { query: 'mail' } },
      { type: 'function_call', call_id: '5', namespace: 'crm', name: 'list' },
    ]
    expect(whole).toMatchObject(expected)
    expect(streamed).toMatchObject(expected)
  })

  it('stay what they are for a provider of responses', () => {
    const { written } = ask(openaiResponses, body)
    expect(written.tools).toMatchObject([...objectsOf(body.tools), { type: 'namespace', name: 'crm' }])
    expect(objectsOf(written.input).slice(1)).toMatchObject(
      objectsOf(body.input)
        .slice(1)
        .map(({ type }) => ({ type })),
    )
  })

  it('are named as unsupported where OpenAI runs them', () => {
    const tools = [
      { type: 'tool_search' },
      { type: 'shell', environment: { type: 'container_auto' } },
      { type: 'mcp', server_label: 'x' },
    ]
    expect(ask(openaiChat(), { input: 'x', tools }).unsupported).toEqual([
      'tools.mcp',
      'tools.shell',
      'tools.tool_search',
    ])
  })

  it('survive arguments that are none', () => {
    const { whole } = answered(body, [call('1', 'local_shell', '[1]'), call('2', 'apply_patch', 'nonsense')])
    expect(whole).toMatchObject([{ action: { command: [] } }, { operation: { path: '' } }])
  })
})

it('writes a whole answer as a stream with the same items', () => {
  const { conversation } = ask(openaiChat(), codex)
  const part: Part = { kind: 'tool_call', id: 'a', name: 'wait', namespace: 'collaboration', arguments: '{}' }
  const answer: Answer = {
    id: 'x',
    model: 'm',
    created: 1,
    usage: undefined,
    choices: [{ index: 0, parts: [part], finish: 'tool_calls' }],
  }
  const writer = openaiResponsesDialect.openStream(conversation)
  const text = eventsOf(answer)
    .map((event) => writer.write(event))
    .join('')
  expect(text).toContain('"namespace":"collaboration"')
})

it('a request without a choice leaves it to the model', () => {
  for (const body of [
    { input: 'x', tools: [fn('a'), fn('b')] },
    { input: 'x', tools: [fn('a')], tool_choice: null },
  ]) {
    expect(ask(openaiChat(), body).written).not.toHaveProperty('tool_choice')
    expect(ask(anthropicMessages(), body).written).not.toHaveProperty('tool_choice')
  }
})
