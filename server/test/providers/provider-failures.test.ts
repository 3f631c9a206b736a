import { options } from '@tollgate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { providers } from '../../src/providers/index.ts'
import type { RelayChannel } from '../../src/relay/ports.ts'
import { shouldDisable } from '../../src/relay/routing/auto-disable.ts'
import { openTestGateway, type TestGateway } from '../support/gateway/listener.ts'
import {
  openaiSayings,
  ownSayings,
  type ProviderFailure,
  type ProviderFailures,
  type Situation,
} from '../support/gateway/provider-failures.ts'
import { openTestUpstream, type TestUpstream } from '../support/gateway/upstream.ts'
import { openTestChannels, testChannel, testOptions } from '../support/relay/ports.ts'

/** Provider failures of every kind in clients of every dialect: the answer, the retry, and the channel's health. */

let upstream: TestUpstream
let gateway: TestGateway

beforeAll(async () => {
  upstream = await openTestUpstream()
  gateway = await openTestGateway({
    relay: { channels: openTestChannels(), settings: { ...testOptions, retryTimes: 1 } },
  })
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

const secret = 'secretsecretsecret'
/** Keys that have several parts. */
const keys: Readonly<Record<number, string>> = {
  15: `client-id-of-baidu|${secret}`,
  16: `id-of-zhipu.${secret}`,
  23: `0|id-of-tencent|${secret}`,
  26: `id-of-zhipu.${secret}`,
  33: `AKIASECRETSECRET|${secret}|us-east-1`,
}
const account = 'account-4711'

const channelOf = (type: number): RelayChannel =>
  testChannel({
    type,
    keys: [keys[type] ?? secret],
    baseUrl: type === 8 ? `${upstream.url}/v1/chat/completions` : upstream.url,
    organization: 'org-of-the-channel',
    other: type === 39 ? account : '',
  })

const asking = [{ role: 'user', content: 'hi' }]
const parts = [{ role: 'user', parts: [{ text: 'hi' }] }]
const model = (type: number): string => (type === 11 || type === 24 || type === 41 ? 'gemini-2.5-flash' : 'm')

/** Client → address and body of a call. */
const clients: Readonly<Record<string, (name: string, stream: boolean) => readonly [string, object]>> = {
  'chat completions': (name, stream) => ['/v1/chat/completions', { model: name, messages: asking, stream }],
  responses: (name, stream) => ['/v1/responses', { model: name, input: 'hi', stream }],
  Anthropic: (name, stream) => ['/v1/messages', { model: name, max_tokens: 50, messages: asking, stream }],
  Gemini: (name, stream) => [
    `/v1beta/models/${name}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    { contents: parts },
  ],
}

const answerWith = ({ status, body, headers = {} }: ProviderFailure): void => {
  upstream.answer = ({ path, response }) => {
    const isToken = path.startsWith('/oauth/')
    response.writeHead(isToken ? 200 : status, { 'content-type': 'application/json', ...(isToken ? {} : headers) })
    response.end(JSON.stringify(isToken ? { access_token: 'token-of-baidu', expires_in: 3600 } : body))
  }
}

/** Statuses that another channel is asked after; Anthropic's 400 may be about its account. */
const isRetried = (status: number, type: number): boolean =>
  status === 400 ? type === 14 : ![408, 504, 524].includes(status)

/** Situations in which the channel itself is at fault and may be disabled. */
const atFault: ReadonlySet<Situation> = new Set(['wrong key'])

const keywords = options.AutomaticDisableKeywords.fallback

const checkShape = (client: string, json: Record<string, unknown>, status: number): string => {
  const error = json.error as Record<string, unknown>
  expect(error).toBeTypeOf('object')
  if (client === 'Anthropic') expect(json.type).toBe('error')
  if (client === 'Gemini') expect(error.code).toBe(status)
  else expect(error.type).toMatch(/./)
  expect(error.message).toMatch(/./)
  return String(error.message)
}

const sayingsOf = (type: number): ProviderFailures => ownSayings[type] ?? openaiSayings(keys[type] ?? secret)

const check = async (type: number, situation: Situation, failure: ProviderFailure, client: string, stream: boolean) => {
  const { list, reports } = gateway.parts.channels
  const channel = channelOf(type)
  list.splice(0, Number.POSITIVE_INFINITY, channel, { ...channel, id: 2 })
  reports.length = 0
  answerWith(failure)
  upstream.received.length = 0
  const [path, body] = clients[client]?.(model(type), stream) ?? ['', {}]
  const response = await fetch(gateway.url + path, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-good', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  const status = failure.expectedStatus ?? failure.status
  // A refused key is the channel's: clients hear only that the upstream failed.
  const isCredential = status === 401 || status === 403
  const expectedStatus = isCredential ? 502 : status
  // An overload has the status of the client's dialect where the answer is translated.
  const isOverload = situation === 'overload' && (status === 503 || status === 529)
  const allowed = isOverload ? [status, client === 'Anthropic' ? 529 : 503] : [expectedStatus]
  expect(allowed, text).toContain(response.status)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  checkShape(client, JSON.parse(text), response.status)
  // Ids are random and may hold anything.
  expect(text.replaceAll(/request id: \w+/g, '')).not.toMatch(
    /secret|127\.0\.0\.1|id-of|account-4711|org-|proj_|123456789012|token-of|AKIA/,
  )
  if (failure.waits) expect(response.headers.get('retry-after')).toBe('7')
  const tries = upstream.received.filter((call) => !call.path.startsWith('/oauth/')).length
  expect(tries).toBe(isRetried(status, type) ? 2 : 1)
  expect(reports.map(({ failure }) => failure?.status)).toEqual(Array.from({ length: tries }, () => status))
  const [report] = reports
  const disabled = report?.failure && shouldDisable(report.failure, type, keywords)
  if (situation !== 'spent') expect(disabled).toBe(atFault.has(situation))
}

const talking = providers.filter(({ languages }) => languages.length > 0)

describe.each(talking.map(({ type, name }) => [name, type] as const))('%s', (_, type) => {
  it.each(Object.entries(sayingsOf(type)) as [Situation, ProviderFailure][])('says %s', async (situation, failure) => {
    for (const client of Object.keys(clients))
      for (const stream of [false, true]) await check(type, situation, failure, client, stream)
  })
})
