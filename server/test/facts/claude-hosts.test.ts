import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { upstream, useScene } from '../support/gateway/scene.ts'
import { messagesPath, sent } from '../support/gateway/sent.ts'

/** Anthropic's beta features at Bedrock and Vertex: the host gets what it takes, and a member goes with the name of its feature. */

useScene()

const bedrock = { type: 33, keys: ['AK|SK|us-east-1'] }
const messages = [{ role: 'user', content: 'hi' }]
const scoped = { type: 'ephemeral', scope: 'global' }
const schema = { type: 'object', properties: {} }
const betas = (...names: readonly string[]) => ({ 'anthropic-beta': names.join(',') })

const claudeCode = ['claude-code-20250219', 'prompt-caching-scope-2026-01-05', 'advanced-tool-use-2025-11-20']
const call = {
  model: 'claude-sonnet-4-5',
  max_tokens: 50,
  system: [{ type: 'text', text: 'Be brief.', cache_control: scoped }],
  tools: [
    { name: 'ToolSearch', input_schema: schema },
    { name: 'WebFetch', input_schema: schema, defer_loading: true, cache_control: scoped },
    { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
  ],
  context_management: { edits: [] },
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'x', cache_control: scoped }] },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'ToolSearch', input: {} }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'tool_reference', tool_name: 'WebFetch' }] },
      ],
    },
  ],
}

it('Bedrock gets the names that it takes, and no members of the others', async () => {
  const { body, lost, status } = await sent(bedrock, messagesPath, call, betas(...claudeCode))
  expect(status).toBe(200)
  const mark = { type: 'ephemeral' }
  expect(body).toMatchObject({
    anthropic_beta: ['claude-code-20250219'],
    system: [{ cache_control: mark }],
    messages: [
      { content: [{ cache_control: mark }] },
      {},
      { content: [{ tool_use_id: 't1', content: [{ type: 'text', text: 'Loaded: WebFetch' }] }] },
    ],
  })
  expect(body.tools).toEqual([
    { name: 'ToolSearch', input_schema: schema },
    { name: 'WebFetch', input_schema: schema, cache_control: mark },
  ])
  expect(JSON.stringify(body)).not.toMatch(/scope|defer_loading|context_management|tool_search/)
  expect(lost).toEqual(
    expect.arrayContaining([
      'anthropic-beta.advanced-tool-use-2025-11-20',
      'anthropic-beta.prompt-caching-scope-2026-01-05',
      'context_management',
      'tools.defer_loading',
    ]),
  )
})

it('Bedrock keeps members whose feature it takes', async () => {
  const kept = ['tool-search-tool-2025-10-19', 'context-management-2025-06-27']
  const { body, lost } = await sent(bedrock, messagesPath, call, betas(...kept))
  expect(body.anthropic_beta).toEqual(kept)
  expect(body.tools).toHaveLength(3)
  expect(body.tools?.[1]?.defer_loading).toBe(true)
  expect(body.context_management).toEqual({ edits: [] })
  expect(body.messages).toEqual(call.messages)
  expect(lost).toEqual([])
})

it.each([
  ['claude-opus-4-7', ['interleaved-thinking-2025-05-14']],
  ['claude-opus-4-6', ['claude-code-20250219', 'interleaved-thinking-2025-05-14', 'effort-2025-11-24']],
])('%s at Bedrock takes %j', async (model, expected) => {
  const names = ['claude-code-20250219', 'interleaved-thinking-2025-05-14', 'effort-2025-11-24', 'fast-mode-2026-02-01']
  const { body } = await sent(bedrock, messagesPath, { model, max_tokens: 9, messages }, betas(...names))
  expect(body.anthropic_beta).toEqual(expected)
})

it('Bedrock gets no list where it takes none of the names', async () => {
  const { body } = await sent(
    bedrock,
    messagesPath,
    { model: 'claude-opus-4-6', max_tokens: 9, messages },
    betas('x-1'),
  )
  expect(body).not.toHaveProperty('anthropic_beta')
})

describe('Vertex', () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const account = () => ({
    project_id: 'p',
    private_key_id: 'k',
    client_email: 'a@p.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    token_uri: `${upstream.url}/token`,
  })

  it('gets the names that it takes in its header', async () => {
    const names = [...claudeCode, 'effort-2025-11-24', 'interleaved-thinking-2025-05-14']
    const vertex = { type: 41, other: 'us-east5', keys: [JSON.stringify(account())] }
    const { body, headers } = await sent(vertex, messagesPath, call, betas(...names))
    expect(headers['anthropic-beta']).toBe('claude-code-20250219,interleaved-thinking-2025-05-14')
    expect(JSON.stringify(body)).not.toMatch(/scope|defer_loading|context_management/)
  })
})
