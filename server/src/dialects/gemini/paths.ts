import { type DialectPaths, type DialectRoute, decoded } from '../paths.ts'
import { batchEmbedContents, embedContent } from './media/embed-contents.ts'
import { predict } from './media/predict.ts'
import { offered } from './offered.ts'

const notImplemented: DialectRoute = { kind: 'unbuilt', open: false, code: 'api_not_implemented' }

/** The Live API, a session over a WebSocket. */
const live: DialectRoute = { kind: 'unbuilt', open: true, code: 'gemini_live_not_implemented' }

/** Calls of Gemini's API (ai.google.dev/api) that this gateway does not implement. Any other path is unknown. */
const otherCalls =
  /^(GET|POST|PATCH|DELETE) \/v1beta\/((models\/[^:]+:(predictLongRunning|generateAnswer|batchGenerateContent|asyncBatchEmbedContent|generateMessage|generateText|countMessageTokens|countTextTokens|embedText))|((cachedContents|files|tunedModels|corpora|fileSearchStores|operations|batches|interactions)(\/.*)?))$/

/** `/models/{model}:{action}` */
const actionRoute = (path: string): DialectRoute | undefined => {
  const [, name = '', action] = /^\/v1(?:beta)?\/models\/(.+):([A-Za-z]+)$/.exec(path) ?? []
  const model = decoded(name)
  switch (action) {
    case 'generateContent':
      return { kind: 'conversation', model, stream: false }
    case 'streamGenerateContent':
      return { kind: 'conversation', model, stream: true }
    case 'embedContent':
      return { kind: 'embeddings', model, embeddings: embedContent }
    case 'batchEmbedContents':
      return { kind: 'embeddings', model, embeddings: batchEmbedContents }
    case 'predict':
      return { kind: 'pictures', model, shape: predict }
    case 'countTokens':
      return { kind: 'count', model }
    default:
      return undefined
  }
}

const modelRoute = (path: string): DialectRoute | undefined => {
  const [, model] = /^\/v1beta\/models\/(.+)$/.exec(path) ?? []
  return model === undefined ? undefined : { kind: 'model', model: decoded(model) }
}

const isLive = (path: string): boolean => /^\/ws\/google\..+$/.test(path)

export const paths: DialectPaths = {
  api: 'Gemini',
  exact: { 'GET /v1beta/models': { kind: 'models' } },
  match(method, path) {
    const route = method === 'GET' ? modelRoute(path) : method === 'POST' ? actionRoute(path) : undefined
    if (route !== undefined) return route
    if (otherCalls.test(`${method} ${path}`)) return notImplemented
    return isLive(path) ? live : undefined
  },
  owns: (path) => /^\/(v1(beta|alpha)(\/|$)|ws\/google\.)/.test(path),
  offered,
  isTurn: (path) => !/:count_?tokens$/i.test(path),
  isTranslatable: () => true,
  // Google's clients get one JSON list unless they ask for events.
  asksForList: (query) => !query.includes('alt=sse'),
}
