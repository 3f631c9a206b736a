import { request } from 'node:http'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openProviderAccount, type ProviderAccount } from '../../../test/support/direct/provider-account.ts'
import { testToken, testUser } from '../../../test/support/gateway/listener.ts'
import { channel, gateway, useChannels, useScene } from '../../../test/support/gateway/scene.ts'
import { decimal } from '../../billing/decimal.ts'

/** Queries of direct calls, metered or not, that a provider could read as another call, however they are spelled. */

useScene()

let account: ProviderAccount

beforeEach(async () => {
  account = await openProviderAccount({ files: 'file-' })
  gateway.tokens.set('ben', { ...testToken, tokenId: 9, user: { ...testUser, id: 8, username: 'ben' } })
})
afterEach(() => account.close())

const open = (type: number): void => {
  const everybody = { groups: new Set(['default']), keys: new Set<number>(), paths: [], shared: false }
  const passthrough = { ...everybody, price: decimal(0.01) }
  useChannels(channel({ id: 7, type, keys: ['sk-account'], baseUrl: account.url, passthrough }))
}

/** The status of a call whose address is sent as it is written: `fetch` would tidy it up. */
const send = (who: 'good' | 'ben', path: string, body: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer sk-${who}`, 'content-type': 'application/json' }
    const { hostname, port } = new URL(gateway.url)
    const call = request({ hostname, port, path, method: 'POST', headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    call.on('error', reject)
    call.end(body)
  })

const messages = [{ role: 'user', content: 'hi' }]
const contents = [{ role: 'user', parts: [{ text: 'hi' }] }]
const calls = [
  [1, '/v1/chat/completions', { model: 'gpt-4o', messages }],
  [1, '/openai/v1/chat/completions', { model: 'gpt-4o', messages }],
  [1, '/v1/responses', { model: 'gpt-4o', input: 'hi' }],
  [1, '/v1/embeddings', { model: 'gpt-4o', input: 'hi' }],
  [1, '/v1/batches', {}],
  [14, '/v1/messages', { model: 'gpt-4o', max_tokens: 5, messages }],
  [14, '/v1/messages/batches', {}],
  [24, '/v1beta/models/gpt-4o:generateContent', { contents }],
  [24, '/v1beta/models/gpt-4o:streamGenerateContent', { contents }],
  [24, '/v1beta/batches', {}],
  [43, '/v1/chat/completions', { model: 'gpt-4o', messages }],
] as const

/** A letter as it is, in the other case, or behind a percent sign, once or twice. */
const spelled = (letter: string, how: number): string => {
  const code = letter.charCodeAt(0).toString(16)
  if (how === 1) return `%${code}`
  if (how === 2) return `%25${code}`
  return how === 3 ? letter.toUpperCase() : letter
}

const spellings = (name: string): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(0, 0, 0, 1, 2, 3), { minLength: name.length, maxLength: name.length })
    .map((hows) => [...name].map((letter, at) => spelled(letter, hows[at] ?? 0)).join(''))

/** Contexts of a parameter: others, the same one repeated, lists, empty and unknown names. */
const frames: readonly ((parameter: string, name: string) => string)[] = [
  (parameter) => parameter,
  (parameter) => `limit=1&${parameter}`,
  (parameter) => `limit=1;${parameter}`,
  (parameter) => `=&${parameter}`,
  (parameter, name) => `${name}=x&${parameter}`,
  (parameter, name) => `${parameter}&${name}=x`,
  (parameter) => `&&${parameter}&alt=json`,
]

const overriding = ['$httpMethod', '$httpHeaders', '$method', '_method', 'x-http-method-override', 'X-HTTP-Method']

describe.each(calls)('a direct call of %s to %s', (type, path, body) => {
  const sends = async (who: 'good' | 'ben', query: string): Promise<number> => {
    account.received.length = 0
    const status = await send(who, `/p/7${path}?${query}`, JSON.stringify(body))
    return account.received.length === 0 ? status : 0
  }

  it('takes no other method or headers by its query', async () => {
    open(type)
    const parameters = fc
      .constantFrom(...overriding)
      .chain((name) =>
        fc.tuple(spellings(name), fc.constantFrom(...frames), fc.constantFrom('', '[]', '+', '%20', '[a]')),
      )
    await fc.assert(
      fc.asyncProperty(parameters, async ([name, frame, end]) => {
        expect(await sends('good', frame(`${name}${end}=GET`, name))).toBeGreaterThanOrEqual(400)
      }),
      { numRuns: 20 },
    )
  })

  it('names nothing of somebody else, and nothing that no list knows', async () => {
    open(1)
    const form = new FormData()
    form.set('purpose', 'user_data')
    form.set('file', new Blob(['secret']), 'a.txt')
    const made = await fetch(`${gateway.url}/p/7/v1/files`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-good' },
      body: form,
    })
    const { id } = (await made.json()) as { id: string }
    open(type)
    const values = fc.constantFrom(id, `x,${id}`, `"${id}"`, id.replace('-', '%2D'), id.replace('-', '%252D'), `+${id}`)
    const parameters = fc
      .constantFrom('after', 'file_id', 'ids', 'name', 'file_id[]', 'callback', 'fields', 'unheard_of')
      .chain((name) => fc.tuple(spellings(name), values, fc.constantFrom(...frames)))
    await fc.assert(
      fc.asyncProperty(parameters, async ([name, value, frame]) => {
        expect([400, 404]).toContain(await sends('ben', frame(`${name}=${value}`, name)))
      }),
      { numRuns: 20 },
    )
  })

  it('has no path that is another one for its provider', async () => {
    open(type)
    const [, version = '', rest = ''] = /^(\/v1(?:beta)?|\/openai\/v1)(\/.*)$/.exec(path) ?? []
    for (const other of [
      `${version}/x/..%2F${rest}`,
      `${version}/%2e%2e${path}`,
      `${version}/${rest}`,
      `${version}${rest.replaceAll('/', '%2F')}`,
      `${version};a=b${rest}`,
      `${version}${rest};a=b`,
      `${version}${rest}%3Ba=b`,
      `${version}${rest.replace(/.$/, '%252e%252e')}`,
      `${version}/models/..%2f..%2ffiles%2f1:generateContent`,
      `${version}/models/a%2F..%2F..%2Ffiles:streamGenerateContent`,
      `${version}/models/a;b:generateContent`,
    ]) {
      account.received.length = 0
      const status = await send('good', `/p/7${other}`, JSON.stringify(body))
      expect([other, status >= 400, account.received.length]).toEqual([other, true, 0])
    }
  })
})

it('passes the queries of official clients', async () => {
  for (const [type, path, query, body] of [
    [14, '/v1/messages', 'beta=true', { model: 'gpt-4o', max_tokens: 5, messages }],
    [24, '/v1beta/models/gpt-4o:generateContent', '%24alt=json%3Benum-encoding%3Dint', { contents }],
    [24, '/v1beta/models/gpt-4o:streamGenerateContent', 'alt=sse', { contents }],
    [1, '/v1/chat/completions', '', { model: 'gpt-4o', messages }],
  ] as const) {
    open(type)
    account.received.length = 0
    await send('good', `/p/7${path}?${query}`, JSON.stringify(body))
    expect([path, account.received.length]).toEqual([path, 1])
  }
})

it.each(['/v1/chat/completions', '/v1beta/cachedContents', '/v1/embeddings'])(
  'ordinary calls of %s take no other method either',
  async (path) => {
    useChannels(channel({ type: path.includes('beta') ? 24 : 1, baseUrl: account.url }))
    for (const query of ['$httpMethod=GET', '%24%68ttpMethod=GET', 'alt=json&_method=GET']) {
      const body = JSON.stringify({ model: 'gpt-4o', messages, input: 'hi', contents })
      const status = await send('good', `${path}?${query}`, body)
      expect([query, status >= 400, account.received.length]).toEqual([query, true, 0])
    }
  },
)
