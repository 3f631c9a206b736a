import { type Endpoint, isChange } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { type Context, Hono } from 'hono'
import { parse as parseCookies } from 'hono/utils/cookie'
import type { z } from 'zod'
import { AppError } from '../lib/app-error.ts'
import { belowBasePath } from '../lib/base-path.ts'
import type { Log } from '../lib/log.ts'
import { limitKey } from '../lib/security/client-address.ts'
import {
  assertAreaOpen,
  type Callers,
  type ConsoleAuthentication,
  type Credentials,
  checkAccess,
  sessionCookie,
} from './access.ts'
import {
  cookieText,
  failureEnvelope,
  failureMessage,
  fileAnswer,
  invalidUrlAnswer,
  jsonAnswer,
  redirectAnswer,
  successEnvelope,
  successMessage,
  textAnswer,
} from './answer.ts'
import { readForm, readJson } from './body.ts'
import { assertNoDemoChange } from './demo-site.ts'
import type { RateLimiter, RateRule } from './limits/rate-limit.ts'
import { createSensitiveCalls } from './limits/sensitive-calls.ts'
import type { AssertHuman } from './limits/turnstile.ts'
import { openApiDocument, openApiPath } from './openapi.ts'
import { assertOwnOrigin } from './origin.ts'
import type { createRequestContexts, Fetch, RequestFacts } from './request-context.ts'
import type { Call, ConsoleCaller, EndpointAnswer, EndpointHandler, On } from './route.ts'
import { assertInScope, assertNotOwner } from './token-scopes.ts'

export interface ConsoleApiParts {
  readonly callers: Callers
  readonly limiter: RateLimiter
  /** `config.rateLimits.api`. */
  readonly apiLimit: RateRule
  /** Throws AppError('confirmation_required') unless the caller's session has proved lately who it is; see `confirm`. */
  assertConfirmed(caller: ConsoleCaller, need: NonNullable<Endpoint['confirm']>): Promise<void>
  readonly requestContexts: ReturnType<typeof createRequestContexts>
  readonly log: Log
  /** Option DemoSiteEnabled: users may read but not change anything. */
  readonly demoSite?: () => boolean
  /** Path below which the site is reached; empty or absent for the root of its host. */
  readonly basePath?: string
  /** The human check of endpoints that ask for one; every call passes without. */
  readonly assertHuman?: AssertHuman
}

export interface ConsoleApi {
  /** Joins an endpoint to its handler; every endpoint once. */
  readonly on: On
  readonly fetch: Fetch
  /** The endpoints that were joined, in order. */
  endpoints(): readonly Endpoint[]
}

interface Registered {
  readonly endpoint: Endpoint
  readonly handler: EndpointHandler<Endpoint>
}

type HonoContext = Context<{ Bindings: { context: RequestFacts } }>

const withoutFinalSlash = (path: string): string => path.replace(/(?<=.)\/$/, '')
const parameters = (path: string): number => path.split(':').length

/** PostgreSQL cannot store NUL in texts, so such values are refused. */
const holdsNul = (value: unknown): boolean => {
  if (typeof value === 'string') return value.includes('\0')
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, inner]) => name.includes('\0') || holdsNul(inner))
}

const parsed = (schema: z.ZodType | undefined, value: unknown): unknown => {
  if (schema === undefined) return undefined
  if (holdsNul(value)) throw new AppError('invalid_parameter')
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new AppError('invalid_parameter', { details: { issues: result.error.issues.slice(0, 5).map(issueText) } })
}

/** Path and code of an issue, never the value: it may be a password. */
const issueText = (issue: { path: PropertyKey[]; code?: string | undefined }): string =>
  `${issue.path.join('.')}: ${issue.code}`

const bodyOf = (endpoint: Endpoint, request: Request, isSignedIn: boolean): Promise<unknown> =>
  endpoint.form ? readForm(request, endpoint.megabytes) : readJson(request, isSignedIn, endpoint.megabytes)

/** Invalid JSON and badly formed fields are the same to clients: 无效的参数. */
const callOf = async (
  c: HonoContext,
  endpoint: Endpoint,
  authentication: ConsoleAuthentication | undefined,
): Promise<Call<Endpoint>> => {
  const { context } = c.env
  const cookies = parseCookies(c.req.header('cookie') ?? '')
  const call = {
    ...context,
    search: new URL(c.req.url).search,
    params: parsed(endpoint.params, c.req.param()),
    query: parsed(endpoint.query, c.req.query()),
    body: endpoint.body && parsed(endpoint.body, await bodyOf(endpoint, c.req.raw, authentication !== undefined)),
    caller: authentication?.caller,
    header: (name: string) => c.req.header(name),
    cookie: (name: string) => ownMember(cookies, name),
  }
  // The schemas of this endpoint produced the parts, which the type of a list of endpoints cannot express.
  return call as Call<Endpoint>
}

/**
 * The console's API: endpoints of the contract behind access, limits, schemas and the `{success, message, data}`
 * envelope. Literal paths win over parameters, final slashes do not matter.
 */
export const createConsoleApi = (parts: ConsoleApiParts): ConsoleApi => {
  const registered: Registered[] = []
  const { basePath = '' } = parts
  const sensitiveCalls = createSensitiveCalls(parts.limiter)
  let routes: Hono<{ Bindings: { context: RequestFacts } }> | undefined

  const answered = async (c: HonoContext, { endpoint, handler }: Registered): Promise<Response> => {
    const { context } = c.env
    const header = (name: string): string | undefined => c.req.header(name)
    const sessionId = parseCookies(header('cookie') ?? '', sessionCookie)[sessionCookie]
    // Without a cookie, too: another site must not sign a visitor in to an account of its own.
    const fromPages = sessionId !== undefined || endpoint.method !== 'GET'
    // Endpoints that answer with text are called by signing servers such as payment gateways, from any origin.
    const anyOrigin = endpoint.answers === 'text' || endpoint.fromOtherSites === true
    if (fromPages && !anyOrigin) assertOwnOrigin(isChange(endpoint), header)
    const credentials: Credentials = { sessionId, ip: context.ip, header }
    const authentication = await checkAccess(endpoint.access, parts.callers, credentials)
    if (authentication !== undefined) {
      assertInScope(endpoint, authentication.caller)
      assertAreaOpen(endpoint, authentication.caller)
    }
    if (parts.demoSite?.()) {
      const people = { caller: authentication?.caller, visitor: context }
      await assertNoDemoChange(endpoint, people, () => readJson(c.req.raw.clone(), authentication !== undefined))
    }
    if (endpoint.confirm && authentication !== undefined)
      await parts.assertConfirmed(authentication.caller, endpoint.confirm)
    const handled = async (): Promise<EndpointAnswer<Endpoint>> => {
      if (endpoint.human !== undefined) {
        const claim = { action: endpoint.human, token: c.req.query('turnstile') ?? '', ip: context.ip }
        await parts.assertHuman?.({ ...claim, host: header('x-forwarded-host') ?? header('host') })
      }
      const call = await callOf(c, endpoint, authentication)
      assertNotOwner(endpoint, call)
      return handler(call)
    }
    const kind = endpoint.critical
    const by = { address: limitKey(context.ip), userId: authentication?.caller.id }
    const ended = kind && (await sensitiveCalls.take(kind, by))
    if (kind && ended === undefined) return tooMany()
    const limited = async () => {
      if (ended === undefined) return handled()
      let succeeded = false
      try {
        const answer = await handled()
        succeeded = true
        return answer
      } finally {
        await ended(succeeded)
      }
    }
    if (endpoint.answers === 'text') return textAnswer((await limited()).message ?? 'success')
    if (endpoint.answers === 'message') {
      return limited().then(
        (answer) => jsonAnswer(c.req.raw, successMessage(answer)),
        (error) => jsonAnswer(c.req.raw, failureMessage(loggedFailure(c.req.raw, context, error), context.language)),
      )
    }
    const answer = await limited()
    if (answer.file !== undefined) return fileAnswer(answer.file)
    const response =
      answer.redirect === undefined
        ? await jsonAnswer(c.req.raw, successEnvelope(answer))
        : redirectAnswer(belowBasePath(basePath, answer.redirect))
    const cookies = answer.cookies ?? (authentication?.renewal ? [authentication.renewal] : [])
    for (const cookie of cookies)
      response.headers.append('Set-Cookie', cookieText(cookie, { secure: context.secure, basePath }))
    return response
  }

  /** The error to answer with. Its cause and details are logged. */
  const loggedFailure = (request: Request, context: RequestFacts, error: unknown): AppError => {
    const failure = error instanceof AppError ? error : new AppError('internal_error', { cause: error })
    const facts = { request_id: context.requestId, code: failure.code, path: new URL(request.url).pathname }
    if (failure.entry.origin !== 'client')
      parts.log.error('console_call_failed', { ...facts, error: failure.cause ?? failure })
    else if (failure.cause !== undefined || Object.keys(failure.details).length > 0) {
      parts.log.debug('console_call_refused', { ...facts, error: failure })
    }
    return failure
  }

  /** Sends 401 only for errors with that `consoleStatus`: the console jumps to the login page on it. */
  const refused = (
    request: Request,
    context: RequestFacts,
    error: unknown,
    unusableBodyStatus = 200,
  ): Promise<Response> => {
    const failure = loggedFailure(request, context, error)
    const status = failure.entry.consoleStatus ?? (failure.code === 'invalid_parameter' ? unusableBodyStatus : 200)
    return jsonAnswer(request, failureEnvelope(failure, context.language, context.requestId), status)
  }

  const build = (): Hono<{ Bindings: { context: RequestFacts } }> => {
    const app = new Hono<{ Bindings: { context: RequestFacts } }>({ strict: false })
    app.get(openApiPath, (c) => jsonAnswer(c.req.raw, openApiDocument()))
    const literalFirst = registered.toSorted((a, b) => parameters(a.endpoint.path) - parameters(b.endpoint.path))
    for (const entry of literalFirst) {
      const { method, path, unusableBodyStatus, answers, cors } = entry.endpoint
      const answer = (c: HonoContext): Promise<Response> =>
        answered(c, entry).catch((error) => {
          if (answers !== 'text') return refused(c.req.raw, c.env.context, error, unusableBodyStatus)
          loggedFailure(c.req.raw, c.env.context, error)
          return textAnswer('fail')
        })
      app.on(method, withoutFinalSlash(path), cors ? async (c) => forEverySite(await answer(c)) : answer)
      if (cors) app.options(withoutFinalSlash(path), () => forEverySite(optionsAnswer()))
    }
    app.notFound((c) => invalidUrlAnswer(c.req.raw, c.env.context.language))
    app.onError((error, c) => refused(c.req.raw, c.env.context, error))
    return app
  }

  const handle = async (request: Request, context: RequestFacts): Promise<Response> => {
    routes ??= build()
    if (request.method === 'OPTIONS') {
      const answer = await routes.fetch(request, { context })
      return answer.status === 204 ? answer : optionsAnswer()
    }
    if (!(await parts.limiter.take(`GA${limitKey(context.ip)}`, parts.apiLimit))) return tooMany()
    return routes.fetch(request, { context })
  }

  const on: On = (endpoint, handler) => {
    const same = (entry: Registered): boolean =>
      entry.endpoint.method === endpoint.method && entry.endpoint.path === endpoint.path
    if (registered.some(same)) throw new Error(`${endpoint.method} ${endpoint.path} is joined twice.`)
    // The call that the handler gets is made by this endpoint's own schemas, see `callOf`.
    registered.push({ endpoint, handler: handler as unknown as EndpointHandler<Endpoint> })
    routes = undefined
  }

  return { on, fetch: parts.requestContexts(handle), endpoints: () => registered.map(({ endpoint }) => endpoint) }
}

const allowed = 'GET, HEAD, POST, PUT, DELETE, OPTIONS'

const optionsAnswer = (): Response => new Response(null, { status: 204, headers: { Allow: allowed } })

/** Without cookies: the answer depends only on the key that the script itself sends. */
const forEverySite = (answer: Response): Response => {
  answer.headers.set('Access-Control-Allow-Origin', '*')
  answer.headers.set('Access-Control-Allow-Headers', 'Authorization')
  answer.headers.set('Access-Control-Allow-Methods', 'GET')
  return answer
}

/** Without a body: the console shows its own message. */
const tooMany = (): Response => new Response(null, { status: 429 })
