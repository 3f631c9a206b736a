import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { zhipuToken } from './dialects/zhipu.ts'
import { modelOwners, providerOf, providers, typesInSelectOrder, unbuiltProviderOf, unbuiltProviders } from './index.ts'
import type { ProviderCall } from './provider.ts'

const call = (
  more: Partial<ProviderCall> & { base?: string; other?: string; organization?: string },
): ProviderCall => ({
  channel: {
    baseUrl: more.base ?? 'https://up.example',
    organization: more.organization ?? '',
    other: more.other ?? '',
  },
  key: 'k',
  path: '/v1/chat/completions',
  query: '',
  model: 'm',
  stream: false,
  passed: {},
  options: {
    claude: { headers: {}, maxTokens: { default: 8192 }, thinkingAdapter: true, thinkingShare: 0.8 },
    gemini: { safety: { default: 'OFF' }, versions: { default: 'v1beta' } },
  },
  ...more,
})

const providerOfType = (type: number) => {
  const provider = providerOf(type)
  if (provider === undefined) throw new Error(`no provider ${type}`)
  return provider
}

const adjusted = (type: number, model: string, body: Record<string, unknown>, path = '/v1/chat/completions') =>
  providerOfType(type).adjust?.({ path, model, body, options: call({}).options, stream: false, passed: {} })

it.each(providers.map(({ name, models }) => [name, models] as const))('offers each model of %s once', (_, models) => {
  expect(new Set(models).size).toBe(models.length)
  expect(models.filter((model) => model.trim() !== model || model === '')).toEqual([])
})

describe('addresses', () => {
  it.each([
    [1, { query: '?a=1' }, 'https://up.example/v1/chat/completions?a=1'],
    [
      1,
      { base: 'https://gateway.ai.cloudflare.com/v1/a/g/openai' },
      'https://gateway.ai.cloudflare.com/v1/a/g/openai/chat/completions',
    ],
    [
      3,
      { model: 'gpt-3.5-turbo' },
      'https://up.example/openai/deployments/gpt-35-turbo/chat/completions?api-version=2024-12-01-preview',
    ],
    [3, { other: '2023-05-15' }, 'https://up.example/openai/deployments/m/chat/completions?api-version=2023-05-15'],
    [
      3,
      { other: 'o', defaultApiVersion: 'd', query: '?api-version=q' },
      'https://up.example/openai/deployments/m/chat/completions?api-version=q',
    ],
    [3, { defaultApiVersion: 'd' }, 'https://up.example/openai/deployments/m/chat/completions?api-version=d'],
    [
      3,
      { base: 'https://gateway.ai.cloudflare.com/v1/a/g/azure/r' },
      'https://gateway.ai.cloudflare.com/v1/a/g/azure/r/m/chat/completions?api-version=2024-12-01-preview',
    ],
    [3, { other: 'v1', model: 'gpt-4.1', query: '?api-version=q' }, 'https://up.example/openai/v1/chat/completions'],
    [
      3,
      { other: 'preview', path: '/v1/responses/resp_1' },
      'https://up.example/openai/v1/responses/resp_1?api-version=preview',
    ],
    [3, { base: 'https://up.example/openai/v1', path: '/v1/embeddings' }, 'https://up.example/openai/v1/embeddings'],
    [8, { base: 'https://x.example/{model}/say?m={model}' }, 'https://x.example/m/say?m=m'],
    [8, { base: 'https://x.example/{model}', model: 'a/通义 b' }, 'https://x.example/a/%E9%80%9A%E4%B9%89%20b'],
    [26, {}, 'https://up.example/api/paas/v4/chat/completions'],
    [27, {}, 'https://up.example/chat/completions'],
    [35, {}, 'https://up.example/v1/text/chatcompletion_v2'],
    [43, { path: '/v1/completions' }, 'https://up.example/beta/completions'],
    [45, {}, 'https://up.example/api/v3/chat/completions'],
    [45, { model: 'bot-1' }, 'https://up.example/api/v3/bots/chat/completions'],
    [45, { path: '/v1/embeddings' }, 'https://up.example/api/v3/embeddings'],
    [46, {}, 'https://up.example/v2/chat/completions'],
    [48, {}, 'https://up.example/v1/chat/completions'],
  ])('type %i, %j', (type, more, url) => expect(providerOfType(type).url(call(more))).toBe(url))
})

describe('headers', () => {
  it.each([
    [1, {}, { authorization: 'Bearer k' }],
    [1, { organization: 'org-1' }, { authorization: 'Bearer k', 'openai-organization': 'org-1' }],
    [3, {}, { 'api-key': 'k' }],
    [20, {}, { authorization: 'Bearer k', 'http-referer': 'https://tollgate.local', 'x-title': 'Tollgate' }],
    [26, { key: 'plain' }, { authorization: 'Bearer plain' }],
  ])('type %i, %j', (type, more, headers) => expect(providerOfType(type).headers(call(more))).toEqual(headers))

  it('contain a signed token for a Zhipu key', () => {
    const [head = '', body = '', signature] = zhipuToken('id.secret', 1000).split('.')
    const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())
    expect(read(head)).toEqual({ alg: 'HS256', sign_type: 'SIGN', typ: 'JWT' })
    expect(read(body)).toEqual({ api_key: 'id', exp: 86_401_000, timestamp: 1000 })
    expect(signature).toHaveLength(43)
  })
})

describe('bodies', () => {
  it('are adjusted for reasoning models', () => {
    const system = [{ role: 'system', content: 'x' }]
    expect(adjusted(1, 'o3-mini-high', { max_tokens: 5, temperature: 1, messages: system })).toEqual({
      model: 'o3-mini',
      effort: 'high',
      firstRole: 'developer',
      members: { max_tokens: undefined, max_completion_tokens: 5, temperature: undefined, reasoning_effort: 'high' },
    })
    expect(adjusted(1, 'o1-mini', { reasoning_effort: 'low', messages: system })).toEqual({
      effort: 'low',
    })
    expect(adjusted(1, 'gpt-4o', { temperature: 1, max_tokens: 5 })).toBeUndefined()
    expect(adjusted(48, 'grok-3-mini-beta-low', { temperature: 1, max_tokens: 5 })).toEqual({
      model: 'grok-3-mini-beta',
      effort: 'low',
      members: { max_tokens: undefined, max_completion_tokens: 5, reasoning_effort: 'low' },
    })
  })

  it('have top_p below 1 and images without data URL prefix where the provider needs it', () => {
    expect(adjusted(27, 'sonar', { top_p: 1 })).toEqual({ members: { top_p: 0.99 } })
    expect(adjusted(27, 'sonar', { top_p: 0.5 })).toBeUndefined()
    const image = (url: string) => [
      { role: 'user', content: [{ type: 'image_url', image_url: { url, detail: 'low' } }] },
    ]
    expect(adjusted(26, 'glm-4v', { top_p: 1, stop: 'x', messages: image('data:image/png;base64,AAAA') })).toEqual({
      members: { top_p: 0.99, stop: ['x'], messages: image('AAAA') },
    })
    expect(adjusted(26, 'glm-4v', { messages: image('https://x.example/a.png') })).toEqual({ members: {} })
  })
})

it('replaces tool call ids that Mistral refuses', () => {
  const messages = (id: string) => [
    { role: 'assistant', tool_calls: [{ id, function: { name: 'f', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: id, content: 'x' },
  ]
  expect(adjusted(42, 'mistral-large', { messages: messages('a1B2c3D4e') })).toBeUndefined()
  const changed = adjusted(42, 'mistral-large', { messages: messages('call_1') })?.members?.messages
  const id = /"id":"(\w{9})"/.exec(JSON.stringify(changed))?.[1] ?? ''
  expect(changed).toEqual(messages(id))
})

describe('the list of providers', () => {
  it('contains what every folder exports', async () => {
    const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'dialects')
      .map(({ name }) => name)
    const found = await Promise.all(
      folders.map(async (name) => {
        const exported: readonly unknown[] = Object.values(await import(`./${name}/provider.ts`))
        return exported.filter((value) => typeof value === 'object' && value !== null && 'type' in value)
      }),
    )
    expect(folders.filter((_, index) => found[index]?.length === 0)).toEqual([])
    expect(new Set(found.flat())).toEqual(new Set(providers))
  })

  it('contains each type once, and every type that the console offers', () => {
    const types = [...providers, ...unbuiltProviders].map(({ type }) => type)
    expect(new Set(types).size).toBe(types.length)
    for (const type of typesInSelectOrder) expect(providerOf(type) ?? unbuiltProviderOf(type)).toBeDefined()
    expect(types).toHaveLength(typesInSelectOrder.length + 7)
  })

  it('names the maker of a model before its resellers', () => {
    expect(modelOwners.get('gpt-4o')).toBe('openai')
    expect(modelOwners.get('claude-3-opus-20240229')).toBe('claude')
    expect(modelOwners.get('deepseek-chat')).toBe('deepseek')
  })
})
