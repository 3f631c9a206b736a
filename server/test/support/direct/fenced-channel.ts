import { afterEach, beforeEach } from 'vitest'
import { decimal } from '../../../src/billing/decimal.ts'
import { collections } from '../../../src/relay/direct/collections.ts'
import type { RawPermission, RelayChannel } from '../../../src/relay/ports.ts'
import { testToken, testUser } from '../gateway/listener.ts'
import { channel, gateway, useChannels, useScene } from '../gateway/scene.ts'
import { openProviderAccount, type ProviderAccount } from './provider-account.ts'

/** Ids of kinds that the table knows by their prefix; of the others the collection is the prefix. */
const prefixes = {
  files: 'file-',
  batches: 'batch_',
  vector_stores: 'vs_',
  assistants: 'asst_',
  responses: 'resp_',
  models: 'ft:gpt-4o:org::',
}

let opened: ProviderAccount | undefined

/** The account of the channel 7 in this test. */
export const account = (): ProviderAccount => {
  if (opened === undefined) throw new Error('no test has begun')
  return opened
}

export const open = (permission: Partial<RawPermission> = {}, changes: Partial<RelayChannel> = {}): RelayChannel =>
  channel({
    id: 7,
    keys: ['sk-account'],
    baseUrl: account().url,
    passthrough: {
      groups: new Set(['default']),
      keys: new Set(),
      paths: [],
      shared: false,
      price: decimal(0.01),
      ...permission,
    },
    ...changes,
  })

/** The same channel, which nobody may call directly any more. */
export const closed = (): RelayChannel => channel({ id: 7, keys: ['sk-account'], baseUrl: account().url })

/** Each test has a fenced channel for direct calls, and the keys `good` and `ben` of two people. */
export const useFencedChannel = (): void => {
  useScene()
  beforeEach(async () => {
    opened = await openProviderAccount(prefixes)
    gateway.tokens.set('ben', { ...testToken, tokenId: 9, user: { ...testUser, id: 8, username: 'ben' } })
    useChannels(open())
  })
  afterEach(() => account().close())
}

interface Call {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly channel?: number
}

export const call = async (who: string, path: string, { method, body, headers, channel: id = 7 }: Call = {}) => {
  const answer = await fetch(`${gateway.url}/p/${id}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      authorization: `Bearer sk-${who}`,
      ...(body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    text,
    json: (text.startsWith('{') ? JSON.parse(text) : {}) as Readonly<Record<string, unknown>>,
  }
}

export const secret = 'secretOfAnn'
export const idOf = ({ json }: { readonly json: Readonly<Record<string, unknown>> }): string =>
  String(json.id ?? String(json.name ?? (json.file as { name?: string } | undefined)?.name).replace(/^.*\//, ''))

export const form = (text: string, purpose = 'batch'): FormData => {
  const body = new FormData()
  body.set('purpose', purpose)
  body.set('file', new Blob([text]), 'input.jsonl')
  return body
}

/** The address of each collection whose objects are made there. */
export const addresses = collections.flatMap(({ kind, paths: [path = ''] }) => {
  if (path.includes('*')) return []
  const isGoogle = /[A-Z]/.test(path) || kind === 'corpora' || kind === 'interactions'
  return [[kind, `/${isGoogle ? 'v1beta' : 'v1'}/${path}`] as const]
})
