import type { Callers } from '../../../src/http/access.ts'
import type { RateLimiter, RateRule } from '../../../src/http/limits/rate-limit.ts'
import type { AssertHuman } from '../../../src/http/limits/turnstile.ts'
import { createRequestContexts } from '../../../src/http/request-context.ts'
import type { ConsoleCaller } from '../../../src/http/route.ts'
import { type ConsoleApi, type ConsoleApiParts, createConsoleApi } from '../../../src/http/serve.ts'
import { type Log, silentLog } from '../../../src/lib/log.ts'
import { testRateLimiter } from '../limits/limiter.ts'

/** Options of a test's call beside method and path. */
export interface TestCall {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly from?: string
}

export interface TestAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Readonly<Record<string, unknown>>
}

const unlimited: RateRule = { enabled: false, count: 0, seconds: 1 }

/** A console API without a network; limits are off unless given. */
export const testApi = (parts: {
  callers: Callers
  apiLimit?: RateRule
  trustedProxies?: readonly string[]
  log?: Log
  clock?: () => number
  limiter?: RateLimiter
  assertHuman?: AssertHuman
  demoSite?: () => boolean
  assertConfirmed?: ConsoleApiParts['assertConfirmed']
}): ConsoleApi => {
  const log = parts.log ?? silentLog
  return createConsoleApi({
    callers: parts.callers,
    assertConfirmed: parts.assertConfirmed ?? (async () => {}),
    limiter: parts.limiter ?? testRateLimiter({ clock: parts.clock ?? Date.now }),
    apiLimit: parts.apiLimit ?? unlimited,
    requestContexts: createRequestContexts({ trustedProxies: parts.trustedProxies ?? [], log }),
    log,
    ...(parts.assertHuman === undefined ? {} : { assertHuman: parts.assertHuman }),
    ...(parts.demoSite ? { demoSite: parts.demoSite } : {}),
  })
}

/** Calls an API as a client at `from` (this machine by default) would. */
export const callApi = async (
  api: ConsoleApi,
  method: string,
  path: string,
  { body, headers = {}, from = '127.0.0.1' }: TestCall = {},
): Promise<TestAnswer> => {
  const request = new Request(`http://console.test${path}`, {
    method,
    headers: { host: 'console.test', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const answer = await api.fetch(request, { address: from })
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') && text !== ''
  return { status: answer.status, headers: answer.headers, text, json: isJson ? JSON.parse(text) : {} }
}

/** An ordinary signed-in user, changed where a test says so. */
export const testCaller = (change: Partial<ConsoleCaller> = {}): ConsoleCaller => ({
  id: 7,
  username: 'alice',
  role: 1,
  status: 1,
  group: 'default',
  permissions: undefined,
  viaAccessToken: false,
  sessionIdHash: 'hash',
  ...change,
})
