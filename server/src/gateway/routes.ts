import type { OfferedCall } from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import { anthropicDialect } from '../dialects/anthropic/dialect.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { geminiDialect } from '../dialects/gemini/dialect.ts'
import type { EmbedAction } from '../dialects/gemini/embed-contents.ts'
import { openaiChatDialect } from '../dialects/openai-chat/dialect.ts'
import { openaiResponsesDialect } from '../dialects/openai-responses/dialect.ts'
import type { RelayEndpoint } from '../relay/call.ts'
import type { BillingQuestion } from './handlers/billing-answer.ts'
import { type TaskRoute, taskCalls, taskRoute } from './handlers/task-routes.ts'

/** In whose words errors are written. */
export type ErrorFormat = 'openai' | 'anthropic' | 'gemini' | 'midjourney' | 'suno'

/** The error of a call that is not built. */
type UnbuiltCode = 'api_not_implemented' | 'gemini_live_not_implemented'

/** What a path of the relay leads to. */
export type Route =
  | {
      readonly kind: 'relay'
      readonly endpoint: RelayEndpoint
      /** Set where the endpoint is `conversation`. */
      readonly dialect: Dialect | undefined
      readonly playground: boolean
      /** Named by the path; empty where the body names it. */
      readonly model: string
      /** Asked for by the path. */
      readonly stream: boolean
      /** Where embeddings are asked for in Gemini's words. */
      readonly embeds?: EmbedAction
    }
  /** In whose words the list is asked for; OpenAI's unless a path or a header says otherwise. */
  | { readonly kind: 'models'; readonly dialect: ErrorFormat }
  | { readonly kind: 'model'; readonly model: string; readonly dialect: ErrorFormat }
  /** Tokens of a prompt, in the words of a dialect that can ask for them. */
  | { readonly kind: 'count'; readonly dialect: Dialect; readonly model: string }
  /** About an answer that its provider keeps. */
  | { readonly kind: 'kept'; readonly method: 'GET' | 'POST' | 'DELETE'; readonly id: string; readonly rest: string }
  | { readonly kind: 'billing'; readonly question: BillingQuestion }
  /** The picture of a drawing, open to everybody who knows its id. */
  | { readonly kind: 'picture'; readonly mjId: string }
  /** A session over a WebSocket. */
  | { readonly kind: 'realtime' }
  | TaskRoute
  /** In the route table of the reference, but not built. `open` ones are refused before a key is looked at. */
  | { readonly kind: 'unbuilt'; readonly dialect: ErrorFormat; readonly open: boolean; readonly code: UnbuiltCode }
  | { readonly kind: 'unknown' }

const relay = (
  target: RelayEndpoint | Dialect,
  more: { playground?: boolean; model?: string; stream?: boolean; embeds?: EmbedAction } = {},
): Route => ({
  kind: 'relay',
  endpoint: typeof target === 'string' ? target : 'conversation',
  dialect: typeof target === 'string' ? undefined : target,
  playground: more.playground ?? false,
  model: more.model ?? '',
  stream: more.stream ?? false,
  ...(more.embeds === undefined ? {} : { embeds: more.embeds }),
})

const exact: ReadonlyMap<string, Route> = new Map([
  ['POST /v1/chat/completions', relay(openaiChatDialect)],
  ['POST /v1/messages', relay(anthropicDialect)],
  ['POST /v1/responses', relay(openaiResponsesDialect)],
  ['POST /v1/responses/compact', relay(openaiResponsesDialect)],
  ['POST /v1/responses/input_tokens', { kind: 'count', dialect: openaiResponsesDialect, model: '' } as const],
  ['POST /v1/completions', relay('completions')],
  ['POST /v1/embeddings', relay('embeddings')],
  ['POST /v1/moderations', relay('moderations')],
  ['POST /v1/rerank', relay('rerank')],
  ['POST /v1/images/generations', relay('images')],
  ['POST /v1/images/edits', relay('images')],
  ['POST /v1/audio/speech', relay('speech')],
  ['POST /v1/audio/transcriptions', relay('transcripts')],
  ['POST /v1/audio/translations', relay('transcripts')],
  ['POST /pg/chat/completions', relay(openaiChatDialect, { playground: true })],
  ['POST /v1/messages/count_tokens', { kind: 'count', dialect: anthropicDialect, model: '' } as const],
  ['GET /v1/realtime', { kind: 'realtime' } as const],
  ['GET /v1/models', { kind: 'models', dialect: 'openai' } as const],
  ['GET /v1beta/models', { kind: 'models', dialect: 'gemini' } as const],
])

/** The same by method and path: nearly every call is one of them, and a text made for it would be hashed anew. */
const byPath: Readonly<Record<string, ReadonlyMap<string, Route>>> = Object.fromEntries(
  ['GET', 'POST'].map((method) => [
    method,
    new Map(
      [...exact].flatMap(([call, route]) =>
        call.startsWith(`${method} `) ? [[call.slice(method.length + 1), route]] : [],
      ),
    ),
  ]),
)

/** The dialect of everything under a prefix, whether it is routed or not. */
export const dialectOfPath = (path: string): 'openai' | 'anthropic' | 'gemini' => {
  if (/^\/v1\/messages(\/|$)/.test(path)) return 'anthropic'
  return /^\/(v1(beta|alpha)(\/|$)|ws\/google\.)/.test(path) ? 'gemini' : 'openai'
}

/** The calls that clients can make, for those who tell people about them; the playground's own door is the console's. */
export const builtCalls: readonly OfferedCall[] = [
  ...[...exact.keys()].filter((call) => !call.includes('/pg/')),
  'GET /v1/models/{model}',
  'POST /v1/engines/{model}/embeddings',
  'POST /v1beta/models/{model}:generateContent',
  'POST /v1beta/models/{model}:streamGenerateContent',
  'POST /v1beta/models/{model}:countTokens',
  'POST /v1beta/models/{model}:embedContent',
  'POST /v1beta/models/{model}:batchEmbedContents',
  'GET /v1beta/models/{model}',
]
  .map((call): OfferedCall => {
    const [method = '', path = ''] = call.split(' ')
    return { method, path, dialect: dialectOfPath(path) }
  })
  .concat(taskCalls)

const unbuilt = (dialect: ErrorFormat): Route => ({
  kind: 'unbuilt',
  dialect,
  open: false,
  code: 'api_not_implemented',
})

/** Gemini's session over a WebSocket. */
const geminiLive: Route = { kind: 'unbuilt', dialect: 'gemini', open: true, code: 'gemini_live_not_implemented' }

/** Calls of Gemini's API that exist there (ai.google.dev/api), and not here; others are mistakes. */
const unbuiltGemini =
  /^(GET|POST|PATCH|DELETE) \/v1beta\/((models\/[^:]+:(predict|predictLongRunning|generateAnswer|batchGenerateContent|asyncBatchEmbedContent|generateMessage|generateText|countMessageTokens|countTextTokens|embedText))|((cachedContents|files|tunedModels|corpora|fileSearchStores|operations|batches|interactions)(\/.*)?))$/

/** Method and path of what answers 501, in order. */
const unbuiltRoutes: readonly (readonly [RegExp, Route])[] = [
  [/^POST \/v1\/(edits|images\/variations)$/, unbuilt('openai')],
  [/^(POST|GET|DELETE) \/v1\/(files|fine-tunes)(\/.*)?$/, unbuilt('openai')],
  [/^DELETE \/v1\/models\/.+$/, unbuilt('openai')],
  [unbuiltGemini, unbuilt('gemini')],
  [/^\S+ \/ws\/google\..+$/, geminiLive],
]

const owned = /^\/(v1|ws\/google\.|pg\/|mj\/|suno\/|dashboard\/billing\/|(?!api\/)[^/]+\/mj\/)/

/** Whether the relay answers this path, if only with 404. */
export const isRelayPath = (path: string): boolean => owned.test(path)

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const pictureRoute = (call: string): Route | undefined => {
  const [, mjId] = /^GET (?:\/[^/]+)?\/mj\/image\/([^/]+)$/.exec(call) ?? []
  return mjId === undefined ? undefined : { kind: 'picture', mjId: decoded(mjId) }
}

const geminiRoute = (call: string): Route | undefined => {
  const [, model = '', action] = /^POST \/v1(?:beta)?\/models\/(.+):([A-Za-z]+)$/.exec(call) ?? []
  switch (action) {
    case 'generateContent':
    case 'streamGenerateContent':
      return relay(geminiDialect, { model: decoded(model), stream: action === 'streamGenerateContent' })
    case 'embedContent':
    case 'batchEmbedContents':
      return relay('embeddings', { model: decoded(model), embeds: action })
    case 'countTokens':
      return { kind: 'count', dialect: geminiDialect, model: decoded(model) }
    default:
      return undefined
  }
}

const billing = (call: string): Route | undefined => {
  const [, question] = /^GET (?:\/v1)?\/dashboard\/billing\/(subscription|usage)$/.exec(call) ?? []
  return question === 'subscription' || question === 'usage' ? { kind: 'billing', question } : undefined
}

const keptRoute = (call: string): Route | undefined => {
  const [, method, id = '', rest = ''] =
    /^(GET|POST|DELETE) \/v1\/responses\/([^/]+)(\/input_items|\/cancel)?$/.exec(call) ?? []
  if (method === 'GET' && rest !== '/cancel') return { kind: 'kept', method, id: decoded(id), rest }
  if (method === 'DELETE' && rest === '') return { kind: 'kept', method, id: decoded(id), rest }
  return method === 'POST' && rest === '/cancel' ? { kind: 'kept', method, id: decoded(id), rest } : undefined
}

const withModel = (call: string): Route | undefined => {
  const [, version, model] = /^GET \/(v1|v1beta)\/models\/(.+)$/.exec(call) ?? []
  if (model !== undefined) {
    return { kind: 'model', model: decoded(model), dialect: version === 'v1beta' ? 'gemini' : 'openai' }
  }
  const [, engine] = /^POST \/v1\/engines\/([^/]+)\/embeddings$/.exec(call) ?? []
  return engine === undefined ? geminiRoute(call) : relay('embeddings', { model: decoded(engine) })
}

/** `path` has neither query nor trailing slash. */
export const routeOf = (method: string, path: string): Route => {
  const known = ownMember(byPath, method)?.get(path)
  if (known !== undefined) return known
  const call = `${method} ${path}`
  return (
    withModel(call) ??
    pictureRoute(call) ??
    keptRoute(call) ??
    billing(call) ??
    taskRoute(method, path, decoded) ??
    unbuiltRoutes.find(([pattern]) => pattern.test(call))?.[1] ?? { kind: 'unknown' }
  )
}
