import type { ConsoleCaller, On } from '../../../src/http/route.ts'
import { callApi, type TestAnswer, testApi, testCaller } from '../http/console.ts'

/** Calls the console API as one signed-in user; `more` are headers. */
export type SignedIn = (
  method: string,
  path: string,
  body?: unknown,
  more?: Record<string, string>,
) => Promise<TestAnswer>

/** The console API with some routes, as `who` sees it: access, parsing and envelope included. */
export const signedIn = (routes: (on: On) => void, fields: Partial<ConsoleCaller> = {}): SignedIn => {
  const caller = testCaller(fields)
  const api = testApi({
    callers: { bySession: async () => ({ caller }), byAccessToken: async () => undefined },
  })
  routes(api.on)
  const headers = {
    cookie: 'session=test',
    'new-api-user': String(caller.id),
    'content-type': 'application/json',
    origin: 'http://console.test',
  }
  return (method, path, body, more = {}) =>
    callApi(api, method, path, { headers: { ...headers, ...more }, ...(body === undefined ? {} : { body }) })
}
