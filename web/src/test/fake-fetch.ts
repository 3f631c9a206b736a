import { vi } from 'vitest'

export interface Sent {
  method: string
  path: string
  query: Record<string, string>
  headers: Headers
  body: unknown
}

/** An answer of the fake server: data of a successful envelope, or a whole Response. */
export type FakeAnswer = (sent: Sent) => unknown

/**
 * Puts a fake server in place of `fetch`: answers by `METHOD /path`, without the query. Gives back the list of calls.
 * `fakeFetch({ 'GET /api/user/self': () => user })`
 */
export const fakeFetch = (answers: Readonly<Record<string, FakeAnswer>>): Sent[] => {
  const calls: Sent[] = []
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    const url = new URL(address, 'http://console.test')
    const sent: Sent = {
      method: init.method ?? 'GET',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: new Headers(init.headers),
      body: typeof init.body === 'string' ? JSON.parse(init.body) : undefined,
    }
    calls.push(sent)
    const answer = answers[`${sent.method} ${sent.path}`]
    if (!answer) return Response.json({ success: false, message: `no fake for ${sent.method} ${sent.path}` })
    const data = await answer(sent)
    return data instanceof Response ? data : Response.json({ success: true, message: '', data })
  })
  return calls
}

/** An answer of one JSON object a line. */
export const lines = (...values: readonly unknown[]): Response =>
  new Response(values.map((value) => `${JSON.stringify(value)}\n`).join(''), {
    headers: { 'content-disposition': 'attachment; filename="lines.ndjson"' },
  })

export const refused = (message: string, code = 'refused', status = 200, data?: unknown): Response =>
  Response.json({ success: false, message, code, data, request_id: 'req_test' }, { status })
