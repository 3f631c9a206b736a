import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { describedSignature } from '../../../test/support/lib/described-signature.ts'
import type { ProviderCall, SigningTools } from '../provider.ts'
import { bedrockModel, isClaude } from './model-ids.ts'
import { bedrock } from './provider.ts'
import { bedrockCredential } from './signature.ts'

const options: ProviderCall['options'] = {
  claude: { headers: {}, maxTokens: { default: 8192 }, thinkingAdapter: true, thinkingShare: 0.8 },
  gemini: { safety: {}, versions: {} },
}

const call = (more: Partial<ProviderCall> & { base?: string } = {}): ProviderCall => ({
  channel: { baseUrl: more.base ?? '', organization: '', other: '' },
  key: 'AK|SK|eu-west-1',
  path: '/v1/messages',
  query: '',
  model: 'claude-3-haiku-20240307',
  stream: false,
  passed: {},
  options,
  ...more,
})

const noNetwork: SigningTools = {
  now: () => Date.parse('2026-01-02T03:04:05Z'),
  post: () => Promise.reject(new Error('signing fetches nothing')),
}

const signed = (more: Partial<ProviderCall> & { base?: string }) => {
  const providerCall = call(more)
  const unsigned = {
    call: providerCall,
    url: bedrock.url(providerCall),
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{"a":1}'),
  }
  if (bedrock.sign === undefined) throw new Error('Bedrock signs')
  return bedrock.sign(unsigned, noNetwork)
}

describe('credentials', () => {
  it.each([
    ['a|b|us-east-1', { kind: 'signed', accessKey: 'a', secretKey: 'b', region: 'us-east-1' }],
    [' a | b | us-east-1 ', { kind: 'signed', accessKey: 'a', secretKey: 'b', region: 'us-east-1' }],
    ['ABSK123=|us-west-2', { kind: 'bearer', apiKey: 'ABSK123=', region: 'us-west-2' }],
    ['a', undefined],
    ['a||us-east-1', undefined],
    ['a|b|c|d', undefined],
    ['a|b|x.example/', undefined],
  ])('reads %s', (key, expected) => expect(bedrockCredential(key)).toEqual(expected))
})

describe('model ids', () => {
  it.each([
    ['claude-instant-1.2', 'us-east-1', 'anthropic.claude-instant-v1'],
    ['claude-2.1', 'us-east-1', 'anthropic.claude-v2:1'],
    ['claude-3-haiku-20240307', 'us-west-2', 'us.anthropic.claude-3-haiku-20240307-v1:0'],
    ['claude-3-haiku-20240307', 'ap-south-1', 'apac.anthropic.claude-3-haiku-20240307-v1:0'],
    ['claude-3-opus-20240229', 'eu-west-1', 'anthropic.claude-3-opus-20240229-v1:0'],
    ['claude-3-5-sonnet-20241022', 'us-east-1', 'us.anthropic.claude-3-5-sonnet-20241022-v2:0'],
    ['claude-sonnet-4-20250514', 'sa-east-1', 'global.anthropic.claude-sonnet-4-20250514-v1:0'],
    ['claude-sonnet-4-5-20250929', 'ap-northeast-1', 'jp.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    ['claude-sonnet-4-5-20250929', 'ap-south-1', 'global.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    ['claude-opus-4-6', 'ap-southeast-2', 'au.anthropic.claude-opus-4-6-v1'],
    ['claude-sonnet-4-6', 'eu-north-1', 'eu.anthropic.claude-sonnet-4-6'],
    ['us.anthropic.claude-opus-4-6-v1', 'eu-west-1', 'us.anthropic.claude-opus-4-6-v1'],
    ['amazon.nova-lite-v1:0', 'eu-west-1', 'amazon.nova-lite-v1:0'],
  ])('%s in %s is %s', (name, region, id) => expect(bedrockModel(name, region)).toBe(id))

  it('select Anthropic’s dialect for Claude, and Converse for other models', () => {
    const { channel, key } = call()
    const languages = (model: string) => bedrock.languagesOf?.(model, { channel, key }) ?? []
    expect(['claude-2.1', 'eu.anthropic.claude-sonnet-4-6', 'amazon.nova-lite-v1:0'].map(isClaude)).toEqual([
      true,
      true,
      false,
    ])
    expect(languages('claude-2.1').map(({ name }) => name)).toEqual(['anthropic'])
    expect(languages('meta.llama4').map(({ name }) => name)).toEqual(['bedrock-converse'])
  })
})

describe('addresses', () => {
  const id = 'eu.anthropic.claude-3-haiku-20240307-v1%3A0'
  const arn = 'arn:aws:bedrock:us-east-1:1:application-inference-profile/x'
  it.each([
    [{}, `https://bedrock-runtime.eu-west-1.amazonaws.com/model/${id}/invoke`],
    [{ stream: true }, `https://bedrock-runtime.eu-west-1.amazonaws.com/model/${id}/invoke-with-response-stream`],
    [{ base: 'https://up.example' }, `https://up.example/model/${id}/invoke`],
    [
      { path: '/converse', model: arn, key: 'k|us-east-1', stream: true },
      `https://bedrock-runtime.us-east-1.amazonaws.com/model/${encodeURIComponent(arn)}/converse-stream`,
    ],
    [
      { path: '/converse', model: 'm', key: 'a|b|cn-north-1' },
      'https://bedrock-runtime.cn-north-1.amazonaws.com.cn/model/m/converse',
    ],
    [
      { path: '/rerank', model: 'cohere.rerank-v3-5:0', base: 'http://x' },
      'http://x/model/cohere.rerank-v3-5%3A0/invoke',
    ],
  ])('%j', (more, url) => expect(bedrock.url(call(more))).toBe(url))
})

describe('signatures', () => {
  it('equal AWS’s published algorithm, also for ids with colons and for other ports', async () => {
    const { url, headers } = await signed({ base: 'http://localhost:4010' })
    const path = '/model/eu.anthropic.claude-3-haiku-20240307-v1%3A0/invoke'
    expect(url).toBe(`http://localhost:4010${path}`)
    const signedHeaders = {
      'content-type': 'application/json',
      host: 'localhost:4010',
      'x-amz-content-sha256': createHash('sha256').update('{"a":1}').digest('hex'),
      'x-amz-date': '20260102T030405Z',
    }
    const canonical = { method: 'POST', path: path.replace('%', '%25'), query: '', headers: signedHeaders }
    const signatory = { accessKeyId: 'AK', secretAccessKey: 'SK', region: 'eu-west-1', service: 'bedrock' }
    const authorization = describedSignature(canonical, signatory)
    expect(headers).toEqual({ ...signedHeaders, authorization, accept: 'application/json' })
  })

  it('are not made for an API key, which is sent as a bearer token', async () => {
    const { headers } = await signed({ key: 'ABSK|eu-west-1', stream: true })
    expect(headers).toMatchObject({ authorization: 'Bearer ABSK', accept: 'application/vnd.amazon.eventstream' })
    expect(headers['x-amz-date']).toBeUndefined()
  })

  it('are refused for any other key', async () => {
    await expect(signed({ key: 'sk-123' })).rejects.toThrow('AccessKey|SecretKey|Region')
  })
})

describe('bodies for Claude', () => {
  const ask = (more: { model?: string; passed?: Record<string, string>; body?: Record<string, unknown> } = {}) =>
    bedrock.adjust?.({
      path: '/v1/messages',
      model: 'claude-3-7-sonnet-20250219',
      body: { max_tokens: 5 },
      options,
      stream: true,
      passed: {},
      ...more,
    })

  it('contain the version, and neither model nor stream', () => {
    expect(ask()).toEqual({
      members: { anthropic_version: 'bedrock-2023-05-31', model: undefined, stream: undefined },
    })
    expect(ask({ model: 'amazon.nova-lite-v1:0' })).toBeUndefined()
  })

  it('contain the beta names and the default max_tokens', () => {
    const anthropic_beta = ['context-1m-2025-08-07', 'interleaved-thinking-2025-05-14']
    const passed = { 'anthropic-beta': anthropic_beta.join(', '), 'anthropic-version': '2023-06-01' }
    expect(ask({ passed, body: {} })?.members).toMatchObject({ anthropic_beta, max_tokens: 8192 })
  })

  it('turn thinking on for names that end in -thinking', () => {
    expect(ask({ model: 'claude-3-7-sonnet-20250219-thinking', body: { max_tokens: 10_000 } })).toMatchObject({
      model: 'claude-3-7-sonnet-20250219',
      members: { thinking: { type: 'enabled', budget_tokens: 8000 } },
    })
  })
})
