import { rootPassword } from './site.ts'

interface Envelope<T> {
  success: boolean
  message: string
  data: T
}

/** A person at the console API: keeps the cookie and sends the user id, like the console does. */
export interface Person {
  readonly id: number
  ask<T = unknown>(method: string, path: string, body?: unknown): Promise<Envelope<T>>
  /** Like `ask`, but a refusal throws its message. */
  must<T = unknown>(method: string, path: string, body?: unknown): Promise<T>
}

export const signIn = async (url: string, username = 'root', password = rootPassword): Promise<Person> => {
  // A kept connection may lead to a process that a test has killed meanwhile.
  const headers: Record<string, string> = { 'content-type': 'application/json', connection: 'close' }
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<Envelope<T>> => {
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const cookie = response.headers.getSetCookie()[0]?.split(';')[0]
    if (cookie) headers.cookie = cookie
    return (await response.json()) as Envelope<T>
  }
  const must = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const envelope = await ask<T>(method, path, body)
    if (!envelope.success) throw new Error(`${method} ${path}: ${envelope.message}`)
    return envelope.data
  }
  const user = await must<{ id: number }>('POST', '/api/user/login', { username, password })
  headers['new-api-user'] = String(user.id)
  return { id: user.id, ask, must }
}

/** Adds a channel to `upstreamUrl`. */
export const addChannel = async (
  operator: Person,
  upstreamUrl: string,
  more: Record<string, unknown> = {},
): Promise<void> => {
  await operator.must('POST', '/api/channel/', {
    type: 1,
    name: 'main',
    key: 'sk-upstream',
    base_url: upstreamUrl,
    models: 'gpt-4o,gpt-4o-mini,text-embedding-3-small',
    group: 'default',
    ...more,
  })
}

/** An API key of this person; unlimited unless it says otherwise. */
export const addKey = async (person: Person, more: Record<string, unknown> = {}): Promise<string> => {
  const token = await person.must<{ key: string }>('POST', '/api/token/', {
    name: 'first',
    unlimited_quota: true,
    ...more,
  })
  return `sk-${token.key}`
}

/** Adds a channel to `upstreamUrl` and an unlimited token; returns the API key. */
export const openForBusiness = async (
  person: Person,
  upstreamUrl: string,
  more: Record<string, unknown> = {},
): Promise<string> => {
  await addChannel(person, upstreamUrl, more)
  return addKey(person)
}

/** An ordinary user with this balance, signed in. */
export const addCustomer = async (url: string, operator: Person, username: string, quota: number): Promise<Person> => {
  const password = 'battery-staple'
  await operator.must('POST', '/api/user/', { username, password, display_name: username })
  const customer = await signIn(url, username, password)
  await operator.must('PUT', '/api/user/', { id: customer.id, quota })
  return customer
}
