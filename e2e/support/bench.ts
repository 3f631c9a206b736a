import { type Books, openBooks } from './books.ts'
import { addChannel, addCustomer, addKey, type Person, signIn } from './operator.ts'
import { type ScriptedUpstream, startScriptedUpstream } from './scripted-upstream.ts'
import { type Site, startSite } from './site.ts'

/** An answer of the relay, read. */
export interface ReceivedAnswer {
  readonly status: number
  readonly headers: Headers
  readonly requestId: string
  readonly text: string
}

export interface Request {
  readonly path?: string
  readonly method?: string
  readonly key?: string
  readonly headers?: Record<string, string>
  /** Sent as it is when it is no plain object. */
  readonly body?: unknown
}

/** The started product with one provider, an operator, and a customer who has money and a key. */
export interface Bench {
  readonly site: Site
  readonly upstream: ScriptedUpstream
  readonly operator: Person
  readonly customer: Person
  readonly books: Books
  readonly key: string
  /** Sends a call with the customer's key; a chat unless it says otherwise. */
  ask(request?: Request): Promise<ReceivedAnswer>
  /** Saves an option. */
  set(key: string, value: string | number | boolean): Promise<void>
  close(): Promise<void>
}

export const hello = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Say hello.' }] }

const isRaw = (body: unknown): body is NonNullable<RequestInit['body']> =>
  typeof body === 'string' || body instanceof Uint8Array || body instanceof ReadableStream

const startingBalance = 1_000_000

/** `channel` changes the only channel; none is made when it is null. */
export const openBench = async (
  environment: Record<string, string> = {},
  channel: Record<string, unknown> | null = {},
): Promise<Bench> => {
  const upstream = await startScriptedUpstream()
  const site = await startSite(environment)
  const operator = await signIn(site.url)
  const customer = await addCustomer(site.url, operator, 'alice', startingBalance)
  if (channel !== null) await addChannel(operator, upstream.url, channel)
  const key = await addKey(customer)
  return {
    site,
    upstream,
    operator,
    customer,
    books: openBooks(operator),
    key,
    async ask({
      path = '/v1/chat/completions',
      method = 'POST',
      key: otherKey = key,
      headers = {},
      body = hello,
    } = {}) {
      const response = await fetch(site.url + path, {
        method,
        headers: {
          ...(otherKey === '' ? {} : { authorization: `Bearer ${otherKey}` }),
          'content-type': 'application/json',
          'accept-language': 'zh',
          ...headers,
        },
        ...(method === 'GET' ? {} : { body: isRaw(body) ? body : JSON.stringify(body), duplex: 'half' as const }),
      })
      return {
        status: response.status,
        headers: response.headers,
        requestId: response.headers.get('x-oneapi-request-id') ?? '',
        text: await response.text(),
      }
    },
    set: (option, value) => operator.must<void>('PUT', '/api/option/', { key: option, value }),
    async close() {
      await site.remove()
      await upstream.close()
    },
  }
}

/** The error object of an answer, or of the last event of a stream. */
export const errorOf = ({ text }: ReceivedAnswer): { message: string; type?: string; code?: unknown } => {
  const [last = ''] = text
    .split('\n')
    .filter((line) => line.startsWith('{') || line.startsWith('data: {'))
    .slice(-1)
  return (JSON.parse(last.replace('data: ', '')) as { error: { message: string } }).error
}
