import OpenAI from 'openai'
import type { ResponseInput, ResponseOutputItem, Tool } from 'openai/resources/responses/responses'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type StrictUpstream, startStrictUpstream } from './strict/upstream.ts'
import { addChannel, addKey, signIn } from './support/operator.ts'
import { type Site, startSite } from './support/site.ts'

/**
 * As Codex 0.169 asks newer models: tools in an item of the input and in namespaces, instructions of developers, and a search
 * of the web on every call; at providers that refuse what the real ones refuse.
 */

let site: Site
let upstream: StrictUpstream
let client: OpenAI

const channels = [
  { models: 'gpt-5.2', type: 8 },
  { models: 'deepseek-v4-pro', type: 43 },
  { models: 'claude-sonnet-4-5', type: 14 },
  { models: 'gemini-3-pro-preview', type: 24 },
  { models: 'gemini-2.5-pro', type: 24 },
  { models: 'gemini-3-flash-preview', type: 41, other: 'global' },
]

beforeAll(async () => {
  upstream = await startStrictUpstream()
  site = await startSite()
  const operator = await signIn(site.url)
  await operator.must('PUT', '/api/user/', { id: operator.id, quota: 1_000_000_000 })
  await operator.must('PUT', '/api/option/', { key: 'SelfUseModeEnabled', value: true })
  for (const channel of channels) {
    const url = channel.type === 8 ? `${upstream.url}/v1/chat/completions` : upstream.url
    await addChannel(operator, url, { name: channel.models, ...channel })
  }
  client = new OpenAI({ baseURL: `${site.url}/v1`, apiKey: await addKey(operator), maxRetries: 0 })
})
afterAll(async () => {
  await site?.remove()
  await upstream?.close()
})

const empty = { type: 'object', properties: {}, additionalProperties: false }
const fn = (name: string) => ({
  type: 'function' as const,
  name,
  description: `${name} it`,
  strict: false,
  parameters: empty,
})

const offered: Tool[] = [
  {
    type: 'namespace',
    name: 'functions',
    description: '',
    tools: [
      {
        type: 'custom',
        name: 'exec',
        description: 'Runs JavaScript.',
        format: { type: 'grammar', syntax: 'lark', definition: 'start: /.+/s' },
      },
      fn('wait'),
    ],
  },
  { type: 'namespace', name: 'collaboration', description: 'Sub-agents.', tools: [fn('wait'), fn('list_agents')] },
]

const developer = (text: string) => ({
  type: 'message' as const,
  role: 'developer' as const,
  content: [{ type: 'input_text' as const, text }],
})

const script = [
  {
    thought: 'I look first.',
    calls: [
      { name: 'exec', input: 'await tools.ls("é")' },
      { name: 'collaboration__list_agents', input: {} },
    ],
  },
  { text: 'Done.', calls: [] },
]

const ask = async (model: string, input: ResponseInput) => {
  const stream = await client.responses.create({
    model,
    input,
    tools: [{ type: 'web_search' }],
    tool_choice: 'auto',
    parallel_tool_calls: false,
    reasoning: { effort: 'low' },
    store: false,
    stream: true,
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: 'session-1',
  })
  const items: ResponseOutputItem[] = []
  for await (const event of stream) if (event.type === 'response.output_item.done') items.push(event.item)
  return items
}

const inputItem = (item: ResponseOutputItem): ResponseInput[number] => {
  const { id: _, ...rest } = item as ResponseOutputItem & { id?: string }
  return rest as ResponseInput[number]
}

it.each(channels.map(({ models }) => models))('works with its tools at %s', async (model) => {
  upstream.play(script)
  const input: ResponseInput = [
    { type: 'additional_tools', role: 'developer', tools: offered },
    developer('You are Codex.'),
    developer('Sandbox: read-only.'),
    { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'List the files.' }] },
  ]
  const called = await ask(model, input).catch((error: unknown) => {
    throw new Error(`${upstream.complaints}\n${error}`)
  })
  const calls = called.filter(({ type }) => type.endsWith('_call'))
  expect(calls).toMatchObject([
    { type: 'custom_tool_call', namespace: 'functions', name: 'exec', input: 'await tools.ls("é")' },
    { type: 'function_call', namespace: 'collaboration', name: 'list_agents', arguments: '{}' },
  ])
  const results = calls.map((call) => ({
    type: `${call.type}_output` as 'function_call_output',
    call_id: (call as { call_id: string }).call_id,
    output: 'nothing',
  }))
  const output = await ask(model, [...input, ...called.map(inputItem), ...results])
  expect(upstream.complaints).toEqual([])
  expect(output.at(-1)).toMatchObject({ type: 'message', content: [{ text: 'Done.' }] })
  const [last] = upstream.received.slice(-1)
  const named = last?.tools.map(({ name }) => name)
  // Anthropic's search has a name, too.
  expect(named?.filter((name) => name !== '' && name !== 'web_search')).toEqual([
    'exec',
    'wait',
    'collaboration__wait',
    'collaboration__list_agents',
  ])
  expect(last?.system).toContain('Sandbox: read-only.')
  expect(last?.results).toHaveLength(2)
  for (const { text } of last?.results ?? []) expect(text).toContain('nothing')
})
