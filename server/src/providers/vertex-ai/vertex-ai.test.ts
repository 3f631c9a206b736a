import { generateKeyPairSync } from 'node:crypto'
import { importSPKI, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import type { ProviderCall, SigningTools } from '../provider.ts'
import { createAccessTokens } from './access-token.ts'
import { regionOf, vertexClaude, vertexUrl } from './address.ts'
import { vertexCredential } from './credential.ts'
import { vertexAi } from './provider.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()

const document = (more: Record<string, string> = {}): string =>
  JSON.stringify({
    type: 'service_account',
    project_id: 'p1',
    private_key_id: 'key-7',
    private_key: pem,
    client_email: 'svc@p1.iam.gserviceaccount.com',
    token_uri: 'https://tokens.example/token',
    ...more,
  })

const account = (more: Record<string, string> = {}) => {
  const credential = vertexCredential(document(more))
  if (credential?.kind !== 'account') throw new Error('no account')
  return credential
}

const options: ProviderCall['options'] = {
  claude: { headers: {}, maxTokens: { default: 8192 }, thinkingAdapter: true, thinkingShare: 0.8 },
  gemini: { safety: {}, versions: {} },
}

const call = (more: Partial<ProviderCall> & { base?: string; other?: string } = {}): ProviderCall => ({
  channel: { baseUrl: more.base ?? '', organization: '', other: more.other ?? 'us-east5' },
  key: document(),
  path: '/v1beta/models',
  query: '',
  model: 'gemini-2.5-flash',
  stream: false,
  passed: {},
  options,
  ...more,
})

describe('addresses', () => {
  const place = 'projects/p1/locations/us-east5'
  const host = 'https://us-east5-aiplatform.googleapis.com'
  it.each([
    [{}, `${host}/v1beta1/${place}/publishers/google/models/gemini-2.5-flash:generateContent`],
    [
      { stream: true },
      `${host}/v1beta1/${place}/publishers/google/models/gemini-2.5-flash:streamGenerateContent?alt=sse`,
    ],
    [
      { other: 'global' },
      'https://aiplatform.googleapis.com/v1beta1/projects/p1/locations/global/publishers/google/models/gemini-2.5-flash:generateContent',
    ],
    [
      { model: 'claude-sonnet-4-5-20250929', path: '/v1/messages' },
      `${host}/v1/${place}/publishers/anthropic/models/claude-sonnet-4-5@20250929:rawPredict`,
    ],
    [
      { model: 'claude-opus-4-6', path: '/v1/messages', stream: true },
      `${host}/v1/${place}/publishers/anthropic/models/claude-opus-4-6:streamRawPredict`,
    ],
    [
      { model: 'meta/llama-4', path: '/v1/chat/completions' },
      `${host}/v1beta1/${place}/endpoints/openapi/chat/completions`,
    ],
    [
      { path: '/embeddings', model: 'text-embedding-004' },
      `${host}/v1beta1/${place}/publishers/google/models/text-embedding-004:predict`,
    ],
    [
      { path: '/embeddings', model: 'gemini-embedding-2' },
      `${host}/v1beta1/${place}/publishers/google/models/gemini-embedding-2:embedContent`,
    ],
    [
      { base: 'http://up.example' },
      `http://up.example/v1beta1/${place}/publishers/google/models/gemini-2.5-flash:generateContent`,
    ],
    [
      { key: 'AQ.express', other: 'global' },
      'https://aiplatform.googleapis.com/v1/publishers/google/models/gemini-2.5-flash:generateContent',
    ],
  ])('%j', (more, url) => expect(vertexUrl(call(more))).toBe(url))

  it('reads the region per model, before and after the channel’s mapping', () => {
    const other = '{"default":"global","claude":"us-east5","gemini-2.5-flash":"europe-west4"}'
    expect(regionOf(call({ other }))).toBe('europe-west4')
    expect(regionOf(call({ other, model: 'claude-opus-4-6', origin: 'claude' }))).toBe('us-east5')
    expect(regionOf(call({ other, model: 'gemini-x' }))).toBe('global')
    expect(regionOf(call({ other: ' ' }))).toBe('global')
  })

  it.each([
    ['claude-3-5-sonnet-20241022', 'claude-3-5-sonnet-v2@20241022'],
    ['claude-3-opus-20240229', 'claude-3-opus@20240229'],
    ['claude-3-opus@20240229', 'claude-3-opus@20240229'],
    ['claude-sonnet-4-6', 'claude-sonnet-4-6'],
  ])('Claude model %s is %s at Vertex', (name, id) => expect(vertexClaude(name)).toBe(id))
})

describe('credentials', () => {
  it('are read with doubled and with lost line breaks', () => {
    expect(account({ private_key: pem.replaceAll('\n', '\\n') }).privateKey).toBe(account().privateKey)
    expect(account({ private_key: pem.replaceAll('\n', ' ') }).privateKey).toBe(account().privateKey)
  })

  it('are service-account documents or API keys', () => {
    expect(vertexCredential(' AQ.1 ')).toEqual({ kind: 'key', key: 'AQ.1' })
    expect(vertexCredential('')).toBeUndefined()
    expect(vertexCredential('{"client_email":"x"}')).toBeUndefined()
    expect(vertexCredential('{broken')).toBeUndefined()
  })
})

interface Exchange {
  readonly url: string
  readonly body: URLSearchParams
}

/** A token server with a clock that tests can move. */
const openTokenServer = () => {
  const exchanges: Exchange[] = []
  const server = {
    exchanges,
    now: Date.parse('2026-01-02T03:04:05Z'),
    answer: (): { status: number; json: Record<string, unknown> } => ({
      status: 200,
      json: { access_token: `token-${exchanges.length}`, expires_in: 3600 },
    }),
  }
  const tools: SigningTools = {
    now: () => server.now,
    post: async ({ url, body }) => {
      exchanges.push({ url, body: new URLSearchParams(String(body)) })
      return server.answer()
    },
  }
  return { server, tools }
}

const minutes = (count: number): number => count * 60_000

describe('access tokens', () => {
  it('are fetched with a signed assertion from the credential’s token_uri', async () => {
    const { server, tools } = openTokenServer()
    expect(await createAccessTokens().of(account(), tools)).toBe('token-1')
    const [{ url, body } = { url: '', body: new URLSearchParams() }] = server.exchanges
    expect(url).toBe('https://tokens.example/token')
    expect(body.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
    const key = await importSPKI(publicKey.export({ type: 'spki', format: 'pem' }).toString(), 'RS256')
    const read = await jwtVerify(body.get('assertion') ?? '', key, { currentDate: new Date(server.now) })
    expect(read.protectedHeader).toEqual({ alg: 'RS256', typ: 'JWT', kid: 'key-7' })
    const issuedAt = server.now / 1000
    expect(read.payload).toEqual({
      iss: 'svc@p1.iam.gserviceaccount.com',
      aud: 'https://tokens.example/token',
      scope: 'https://www.googleapis.com/auth/cloud-platform',
      iat: issuedAt,
      exp: issuedAt + 2100,
    })
  })

  it('are cached until they expire', async () => {
    const { server, tools } = openTokenServer()
    const tokens = createAccessTokens()
    for (let minute = 0; minute < 54; minute += 9) {
      expect(await tokens.of(account(), tools)).toBe('token-1')
      server.now += minutes(9)
    }
    server.now += minutes(2)
    expect(await tokens.of(account(), tools)).toBe('token-2')
    expect(server.exchanges).toHaveLength(2)
  })

  it('are fetched once for concurrent calls, at first and after expiry', async () => {
    const { server, tools } = openTokenServer()
    const tokens = createAccessTokens()
    const together = () => Promise.all([1, 2, 3].map(() => tokens.of(account(), tools)))
    expect(await together()).toEqual(['token-1', 'token-1', 'token-1'])
    server.now += minutes(60)
    expect(await together()).toEqual(['token-2', 'token-2', 'token-2'])
  })

  it('are cached per credential', async () => {
    const { tools } = openTokenServer()
    const tokens = createAccessTokens()
    expect(await tokens.of(account(), tools)).toBe('token-1')
    expect(await tokens.of(account({ client_email: 'other@x' }), tools)).toBe('token-2')
    expect(await tokens.of(account({ private_key_id: 'key-8' }), tools)).toBe('token-3')
    expect(await tokens.of(account(), tools)).toBe('token-1')
  })

  it('are fetched again after a refusal', async () => {
    const { server, tools } = openTokenServer()
    const tokens = createAccessTokens()
    const { answer } = server
    server.answer = () => ({ status: 400, json: { error: 'invalid_grant', error_description: 'Invalid JWT' } })
    await expect(tokens.of(account(), tools)).rejects.toThrow('status 400 invalid_grant Invalid JWT')
    server.answer = answer
    expect(await tokens.of(account(), tools)).toBe('token-2')
  })
})

describe('signing', () => {
  const sign = (more: Parameters<typeof call>[0]) => {
    const providerCall = call(more)
    if (vertexAi.sign === undefined) throw new Error('Vertex signs')
    return vertexAi.sign(
      { call: providerCall, url: vertexUrl(providerCall), headers: { a: 'b' }, body: Buffer.from('') },
      openTokenServer().tools,
    )
  }

  it('sends an account’s token, or an API key for Google’s own models', async () => {
    expect((await sign({ key: document({ client_email: 'proof@x' }) })).headers).toEqual({
      a: 'b',
      authorization: 'Bearer token-1',
    })
    expect((await sign({ key: 'AQ.1' })).headers).toEqual({ a: 'b', 'x-goog-api-key': 'AQ.1' })
    await expect(sign({ key: 'AQ.1', model: 'claude-opus-4-6' })).rejects.toThrow('Google’s own models')
    await expect(sign({ key: '{}' })).rejects.toThrow('neither')
    await expect(sign({ other: 'x.example/' })).rejects.toThrow('region')
  })
})

describe('bodies', () => {
  const ask = (model: string, body: Record<string, unknown>) =>
    vertexAi.adjust?.({ path: '', model, body, options, stream: false, passed: {} })

  it('get the role `user` for contents without a role', () => {
    expect(ask('gemini-2.5-flash', { contents: [{ parts: [1] }, { role: 'model', parts: [2] }] })).toEqual({
      members: {
        contents: [
          { role: 'user', parts: [1] },
          { role: 'model', parts: [2] },
        ],
      },
    })
    expect(ask('gemini-2.5-flash', { contents: [{ role: 'user', parts: [] }] })).toBeUndefined()
  })

  it('contain the version for Claude, and not the model', () => {
    expect(ask('claude-opus-4-6', { max_tokens: 1 })).toEqual({
      members: { anthropic_version: 'vertex-2023-10-16', model: undefined },
    })
    expect(ask('meta/llama-4', {})).toBeUndefined()
  })
})
