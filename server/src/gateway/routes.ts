import type { ErrorCode, OfferedCall } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import type { ClientShape } from '../dialects/client-shape.ts'
import {
  cohereChatV1,
  cohereChatV2,
  cohereClientErrors,
  cohereEmbedV1,
  cohereEmbedV2,
  cohereRerankShape,
} from '../dialects/cohere/client-shapes.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { ErrorFormat } from '../dialects/errors.ts'
import type { ClientEmbeddings } from '../dialects/media/client-embeddings.ts'
import { openaiChatDialect } from '../dialects/openai-chat/dialect.ts'
import { openaiErrors } from '../dialects/openai-chat/errors.ts'
import { type DialectRoute, decoded, type StoredObjectPath } from '../dialects/paths.ts'
import type { RelayEndpoint } from '../relay/call.ts'
import { plainAddress } from '../relay/direct/collections.ts'
import type { BillingQuestion } from './handlers/billing-answer.ts'
import { type TaskRoute, taskRoute } from './handlers/task-routes.ts'
import { type MatchedModuleRoute, type ModuleRoute, moduleRouteOf } from './module-calls.ts'
import { offeredCalls } from './offered-calls.ts'
import { isAlias } from './path-aliases.ts'

/** Target of a relay path. `errors` is the format in which the client reads errors. */
export type Route =
  | {
      readonly kind: 'relay'
      readonly endpoint: RelayEndpoint
      /** Set where the endpoint is `conversation`. */
      readonly dialect: Dialect | undefined
      readonly errors: ErrorFormat
      readonly playground: boolean
      /** Named by the path; empty where the body names it. */
      readonly model: string
      /** True where the path's model holds even if the body names another, as of a deployment. */
      readonly fixedModel?: true
      /** True if the path asks for a stream. */
      readonly stream: boolean
      /** Set for embeddings in a dialect other than OpenAI's. */
      readonly embeds?: ClientEmbeddings
      /** Set where requests and answers are another form of those of the endpoint. */
      readonly shape?: ClientShape
    }
  /** List of models. `dialect` is undefined where the path does not name one: then the headers decide, and OpenAI's is the default. */
  | { readonly kind: 'models'; readonly dialect: Dialect | undefined }
  | { readonly kind: 'model'; readonly model: string; readonly dialect: Dialect | undefined }
  /** Counts the tokens of a prompt. */
  | { readonly kind: 'count'; readonly dialect: Dialect; readonly model: string }
  /** About a response that its provider stores. */
  | {
      readonly kind: 'stored_response'
      readonly method: 'GET' | 'POST' | 'DELETE'
      readonly id: string
      readonly path: string
      readonly errors: ErrorFormat
    }
  /** About a conversation or a chat completion that this gateway stores. */
  | {
      readonly kind: 'stored_object'
      readonly noun: 'conversation' | 'completion'
      readonly call: StoredObjectPath
      readonly errors: ErrorFormat
    }
  /** A cached content at its provider; `id` is empty to create one or list all. */
  | {
      readonly kind: 'cached_content'
      readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
      readonly id: string
      readonly errors: ErrorFormat
    }
  | { readonly kind: 'billing'; readonly question: BillingQuestion }
  /** Usage, remaining quota and time of the next reset of a key. */
  | { readonly kind: 'key_usage' }
  /** The signed receipt of a call. */
  | { readonly kind: 'receipt'; readonly id: string }
  /** The public keys that verify receipts; needs no key. */
  | { readonly kind: 'receipt_keys' }
  /**
   * Direct call to a channel's provider. `path` is the provider's own path; `inner` is the route that the gateway has for it,
   * `innerPath` the gateway's form of the path.
   */
  | {
      readonly kind: 'passthrough'
      readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
      readonly channel: number
      readonly path: string
      readonly inner: Route
      readonly innerPath: string
      readonly errors: ErrorFormat
    }
  /** The picture of a drawing; needs no key. */
  | { readonly kind: 'picture'; readonly mjId: string }
  /** A session over a WebSocket. */
  | { readonly kind: 'realtime' }
  /** A session over a WebSocket whose first message names the model. */
  | { readonly kind: 'live'; readonly errors: ErrorFormat }
  /** A key for browsers, for such sessions. */
  | { readonly kind: 'live_token'; readonly errors: ErrorFormat }
  /** A session over WebRTC. */
  | { readonly kind: 'realtime_call' }
  /** A key for browsers. */
  | { readonly kind: 'client_secret'; readonly form: 'secret' | 'session' | 'transcription_session' }
  | TaskRoute
  | MatchedModuleRoute
  /** Part of a known API that is not implemented here. `open` ones are refused before the key is checked. */
  | { readonly kind: 'unbuilt'; readonly errors: ErrorFormat; readonly open: boolean; readonly code: ErrorCode }
  | {
      readonly kind: 'unknown'
      readonly errors: ErrorFormat
      /** The error for clients that try the path over a WebSocket. */
      readonly socket: ErrorCode | undefined
    }

/** The paths of the relay, of the dialects and of the calls beside them. */
export interface Routes {
  /** `path` has neither query nor trailing slash. */
  routeOf(method: string, path: string): Route
  /** True if the relay answers this path, if only with 404. */
  isRelayPath(path: string): boolean
  /** The calls that clients can make, for the home page; the playground's own path is the console's. */
  readonly offered: readonly OfferedCall[]
}

const relay = (endpoint: Exclude<RelayEndpoint, 'conversation'>, model = ''): Extract<Route, { kind: 'relay' }> => ({
  kind: 'relay',
  endpoint,
  dialect: undefined,
  errors: openaiErrors,
  playground: false,
  model,
  stream: false,
})

/** OpenAI's calls beside conversations. */
const otherCalls: Readonly<Record<string, Route>> = {
  'POST /v1/completions': relay('completions'),
  'POST /v1/embeddings': relay('embeddings'),
  'POST /v1/moderations': relay('moderations'),
  'POST /v1/rerank': relay('rerank'),
  'POST /v2/rerank': { ...relay('rerank'), shape: cohereRerankShape },
  'POST /v1/images/generations': relay('images'),
  'POST /v1/images/edits': relay('images'),
  'POST /v1/images/variations': relay('images'),
  'POST /v1/audio/speech': relay('speech'),
  'POST /v1/audio/transcriptions': relay('transcripts'),
  'POST /v1/audio/translations': relay('transcripts'),
  'GET /v1/realtime': { kind: 'realtime' },
  'GET /v1/models': { kind: 'models', dialect: undefined },
}

const playable = (endpoint: Exclude<RelayEndpoint, 'conversation'>): Route => ({ ...relay(endpoint), playground: true })

/** Calls of the console's playground beside conversations: with a session in the place of a key, and not listed. */
const playgroundCalls: Readonly<Record<string, Route>> = {
  'POST /pg/embeddings': playable('embeddings'),
  'POST /pg/moderations': playable('moderations'),
  'POST /pg/rerank': playable('rerank'),
  'POST /pg/images/generations': playable('images'),
  'POST /pg/audio/speech': playable('speech'),
}

const cohereChat = (shape: ClientShape): Route => ({
  kind: 'relay',
  endpoint: 'conversation',
  dialect: openaiChatDialect,
  errors: cohereClientErrors,
  playground: false,
  model: '',
  stream: false,
  shape,
})

/** Calls of official clients of other providers, which the home page does not list. */
const clientCalls: Readonly<Record<string, Route>> = {
  'POST /v1/chat': cohereChat(cohereChatV1),
  'POST /v2/chat': cohereChat(cohereChatV2),
  'POST /v1/embed': { ...relay('embeddings'), errors: cohereClientErrors, shape: cohereEmbedV1 },
  'POST /v2/embed': { ...relay('embeddings'), errors: cohereClientErrors, shape: cohereEmbedV2 },
  // Mistral's fill-in-the-middle completion (docs.mistral.ai/api/endpoint/fim).
  'POST /v1/fim/completions': relay('completions'),
}

/** Calls around keys and realtime sessions, which the home page does not list. */
const sessionCalls: Readonly<Record<string, Route>> = {
  'GET /v1/usage': { kind: 'key_usage' },
  'GET /.well-known/tollgate-receipts.json': { kind: 'receipt_keys' },
  'POST /v1/realtime/calls': { kind: 'realtime_call' },
  'POST /v1/realtime/client_secrets': { kind: 'client_secret', form: 'secret' },
  'POST /v1/realtime/sessions': { kind: 'client_secret', form: 'session' },
  'POST /v1/realtime/transcription_sessions': { kind: 'client_secret', form: 'transcription_session' },
}

const otherTemplates = ['GET /v1/models/{model}', 'POST /v1/engines/{model}/embeddings']

const unbuilt: Extract<Route, { kind: 'unbuilt' }> = {
  kind: 'unbuilt',
  errors: openaiErrors,
  open: false,
  code: 'api_not_implemented',
}

/** Method and path of OpenAI's calls that answer 501. */
const unbuiltCalls = /^(POST \/v1\/edits|(POST|GET|DELETE) \/v1\/(files|fine-tunes)(\/.*)?|DELETE \/v1\/models\/.+)$/

/** OpenAI's calls about telephone calls and translations, which do not pass through the gateway (…/docs/guides/realtime-sip). */
const directSessions = /^POST \/v1\/realtime\/(calls\/.*|translations\/.+)$/

const directSession: Route = { ...unbuilt, code: 'realtime_webrtc_not_implemented' }

const owned =
  /^\/(\.well-known\/tollgate-receipts\.json$|v1|v2\/(rerank|chat|embed)$|p\/|pg\/|mj\/|suno\/|dashboard\/billing\/|(?!api\/)[^/]+\/mj\/)/

const pictureRoute = (call: string): Route | undefined => {
  const [, mjId] = /^GET (?:\/[^/]+)?\/mj\/image\/([^/]+)$/.exec(call) ?? []
  return mjId === undefined ? undefined : { kind: 'picture', mjId: decoded(mjId) }
}

const billing = (call: string): Route | undefined => {
  const [, question] = /^GET (?:\/v1)?\/dashboard\/billing\/(subscription|usage)$/.exec(call) ?? []
  return question === 'subscription' || question === 'usage' ? { kind: 'billing', question } : undefined
}

const receiptRoute = (call: string): Route | undefined => {
  const [, id] = /^GET \/v1\/receipts\/([^/]+)$/.exec(call) ?? []
  return id === undefined ? undefined : { kind: 'receipt', id: decoded(id) }
}

const withModel = (call: string): Route | undefined => {
  const [, model] = /^GET \/v1\/models\/(.+)$/.exec(call) ?? []
  if (model !== undefined) return { kind: 'model', model: decoded(model), dialect: undefined }
  const [, engine] = /^POST \/v1\/engines\/([^/]+)\/embeddings$/.exec(call) ?? []
  return engine === undefined ? undefined : relay('embeddings', decoded(engine))
}

const otherRoute = (method: string, path: string): Route | undefined => {
  const call = `${method} ${path}`
  return (
    withModel(call) ??
    pictureRoute(call) ??
    billing(call) ??
    receiptRoute(call) ??
    taskRoute(method, path, decoded) ??
    (unbuiltCalls.test(call) ? unbuilt : undefined) ??
    (directSessions.test(call) ? directSession : undefined)
  )
}

const rawMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

type RouteOf = (method: string, path: string) => Route

/**
 * The gateway's own route for a provider's path. Providers accept one call under several paths; each of them is billed by usage if the
 * usage can be read.
 */
const innerRoute = (method: string, path: string, routeOf: RouteOf): { inner: Route; innerPath: string } => {
  const inner = routeOf(method, path)
  const plain = inner.kind === 'relay' ? undefined : plainAddress(path)
  for (const other of plain === undefined ? [] : [plain.path, plain.path.toLowerCase()]) {
    const route = routeOf(method, other)
    if (route.kind === 'relay') return { inner: namedRoute(route, plain?.deployment ?? ''), innerPath: other }
  }
  return { inner, innerPath: path }
}

/** The route of a path that names a deployment. */
export const namedRoute = (route: Route, deployment: string): Route =>
  deployment !== '' && route.kind === 'relay' ? { ...route, model: deployment, fixedModel: true } : route

const passthroughRoute = (name: string, whole: string, routeOf: RouteOf): Route | undefined => {
  const method = rawMethods.find((raw) => raw === name)
  const [, channel, path] = /^\/p\/(\d{1,15})(\/.+)$/.exec(whole) ?? []
  if (method === undefined || channel === undefined || path === undefined || path.startsWith('/p/')) return undefined
  const { inner, innerPath } = innerRoute(method, path, routeOf)
  return {
    kind: 'passthrough',
    method,
    channel: Number(channel),
    path,
    inner,
    innerPath,
    errors: 'errors' in inner ? inner.errors : openaiErrors,
  }
}

const routeIn = (dialect: Dialect, route: DialectRoute): Route => {
  const { errors } = dialect
  if (route.kind === 'conversation') {
    const { model, stream, playground = false, shape } = route
    const shaped = shape === undefined ? {} : { shape, errors: shape.errors ?? errors }
    return { kind: 'relay', endpoint: 'conversation', dialect, errors, playground, model, stream, ...shaped }
  }
  if (route.kind === 'pictures') return { ...relay('images', route.model), errors, shape: route.shape }
  if (route.kind === 'embeddings') return { ...relay('embeddings', route.model), errors, embeds: route.embeddings }
  return route.kind === 'unbuilt' ||
    route.kind === 'live' ||
    route.kind === 'live_token' ||
    route.kind === 'cached_content' ||
    route.kind === 'stored_response' ||
    route.kind === 'stored_object'
    ? { ...route, errors }
    : { ...route, dialect }
}

/** Lookup by method, then by path: one joined text would have to be hashed for each call. */
const byMethod = (calls: readonly (readonly [string, Route])[]): Readonly<Record<string, ReadonlyMap<string, Route>>> =>
  Object.fromEntries(
    ['GET', 'POST'].map((method) => [
      method,
      new Map(
        calls.flatMap(([call, route]) =>
          call.startsWith(`${method} `) ? [[call.slice(method.length + 1), route]] : [],
        ),
      ),
    ]),
  )

/** `modules` are the calls of modules, which come after the gateway's own. */
export const createRoutes = (dialects: readonly Dialect[], modules: readonly ModuleRoute[] = []): Routes => {
  const exact = byMethod([
    ...dialects.flatMap((dialect) =>
      Object.entries(dialect.paths.exact).map(([call, route]) => [call, routeIn(dialect, route)] as const),
    ),
    ...Object.entries(otherCalls),
    ...Object.entries(sessionCalls),
    ...Object.entries(clientCalls),
    ...Object.entries(playgroundCalls),
  ])

  const dialectRoute = (method: string, path: string): Route | undefined => {
    for (const dialect of dialects) {
      const route = dialect.paths.match(method, path)
      if (route !== undefined) return routeIn(dialect, route)
    }
    return undefined
  }

  const refusedSockets = new Map(dialects.flatMap(({ paths }) => [...(paths.refusedSockets ?? [])]))

  const unknown = (path: string): Route => {
    const errors = dialects.find(({ paths }) => paths.owns(path))?.errors ?? openaiErrors
    return { kind: 'unknown', errors, socket: refusedSockets.get(path) }
  }

  const builtRoute = (method: string, path: string): Route | undefined => {
    const route = dialectRoute(method, path) ?? otherRoute(method, path)
    return route?.kind === 'unbuilt' ? (moduleRouteOf(modules, method, path) ?? route) : route
  }

  const routeOf = (method: string, path: string): Route =>
    ownMember(exact, method)?.get(path) ??
    builtRoute(method, path) ??
    passthroughRoute(method, path, routeOf) ??
    moduleRouteOf(modules, method, path) ??
    unknown(path)

  return {
    routeOf,
    isRelayPath: (path) =>
      owned.test(path) ||
      isAlias(path) ||
      dialects.some(({ paths }) => paths.owns(path)) ||
      modules.some((route) => route.path.test(path)),
    offered: offeredCalls(
      dialects,
      [...Object.keys(otherCalls), ...otherTemplates],
      modules.flatMap(({ offered }) => offered ?? []),
    ),
  }
}
