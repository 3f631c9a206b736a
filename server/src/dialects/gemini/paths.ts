import { caption, countCaption, embeddingsCaption, modelCaption, modelsCaption } from '../captions.ts'
import { type DialectPaths, type DialectRoute, decoded } from '../paths.ts'
import { batchEmbedContents, embedContent } from './media/embed-contents.ts'
import { predict } from './media/predict.ts'

const conversations = { zh: 'Gemini 客户端的对话接口', en: 'Chat for Gemini clients' }

/** Gemini's calls on the home page. */
const offered: DialectPaths['offered'] = [
  ['GET /v1beta/models', modelsCaption],
  ['POST /v1beta/models/{model}:generateContent', caption({ zh: '生成内容', en: 'Generate content' }, conversations)],
  [
    'POST /v1beta/models/{model}:streamGenerateContent',
    caption({ zh: '流式生成内容', en: 'Generate content, streamed' }, conversations),
  ],
  ['POST /v1beta/models/{model}:countTokens', countCaption],
  [
    'POST /v1beta/models/{model}:embedContent',
    caption({ zh: '向量', en: 'Embeddings' }, { zh: '一段文本的向量', en: 'Embedding of a single text' }),
  ],
  ['POST /v1beta/models/{model}:batchEmbedContents', embeddingsCaption],
  ['GET /v1beta/models/{model}', modelCaption],
]

const notImplemented: DialectRoute = { kind: 'unbuilt', open: false, code: 'api_not_implemented' }

/** Other sessions of the Live API. */
const otherSession: DialectRoute = { kind: 'unbuilt', open: true, code: 'gemini_live_not_implemented' }

/**
 * Calls of Gemini's API (ai.google.dev/api) that this gateway does not implement. Any other path is unknown; files and batches of
 * version 1 are OpenAI's.
 */
const otherCalls =
  /^(GET|POST|PATCH|DELETE) \/v1(beta)?\/((models\/[^:]+:(predictLongRunning|generateAnswer|batchGenerateContent|asyncBatchEmbedContent|generateMessage|generateText|countMessageTokens|countTextTokens|embedText))|((tunedModels|corpora|fileSearchStores|operations|interactions)(\/.*)?))$|^(GET|POST|PATCH|DELETE) \/v1beta\/(files|batches)(\/.*)?$/

/**
 * The prefixes of Google's APIs: its versions, and in front of them where files are uploaded and downloaded
 * (ai.google.dev/api/files, cloud.google.com/apis/design/custom_methods). Vertex has its calls below a project.
 */
const ownPrefix =
  /^\/(?:v1(?:beta|alpha)\d*(?:\/|$)|(?:resumable\/)?(?:upload|download)\/(?:v\d|projects\/)|v1\/projects\/|ws\/google\.)/

/** Without a channel the account of a file is unknown. */
const fileTransfer =
  /^\/(?:resumable\/)?(?:upload|download)\/v1(?:beta|alpha)?\d*\/(?:files|fileSearchStores)(?:[/:]|$)/

/** `/models/{model}:{action}` */
const actionRoute = (path: string): DialectRoute | undefined => {
  const [, list, name = '', action] = /^\/v1(?:beta)?\/(models|tunedModels)\/(.+):([A-Za-z]+)$/.exec(path) ?? []
  const model = list === 'tunedModels' ? `tunedModels/${decoded(name)}` : decoded(name)
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

const callsOfAll = ['GET', 'POST'] as const
const callsOfOne = ['GET', 'PATCH', 'DELETE'] as const

/** Calls about cached contents (ai.google.dev/api/caching). */
const cachedContentRoute = (method: string, path: string): DialectRoute | undefined => {
  const match = /^\/v1(?:beta)?\/cachedContents(?:\/([\w-]{1,200}))?$/.exec(path)
  if (match === null) return undefined
  const [, id = ''] = match
  const found = (id === '' ? callsOfAll : callsOfOne).find((name) => name === method)
  return found && { kind: 'cached_content', method: found, id }
}

const modelRoute = (path: string): DialectRoute | undefined => {
  const [, model] = /^\/v1beta\/models\/(.+)$/.exec(path) ?? []
  return model === undefined ? undefined : { kind: 'model', model: decoded(model) }
}

/** As clients of AI Studio and of Vertex call it (ai.google.dev/api/live). */
const livePath =
  /^\/ws\/google\.(ai\.generativelanguage\.v1(alpha|beta)?\.GenerativeService\.Bidi(GenerateContent(Constrained)?|GenerateMusic)|cloud\.aiplatform\.v1(beta1)?\.LlmBidiService\/BidiGenerateContent)$/

const tokenCall = /^POST \/v1(alpha|beta)\/auth_tokens$/

const sessionRoute = (method: string, path: string): DialectRoute | undefined => {
  if (tokenCall.test(`${method} ${path}`)) return { kind: 'live_token' }
  if (livePath.test(path)) return { kind: 'live' }
  return path.startsWith('/ws/google.') ? otherSession : undefined
}

export const paths: DialectPaths = {
  api: 'Gemini',
  exact: { 'GET /v1beta/models': { kind: 'models' } },
  match(method, path) {
    const route = method === 'GET' ? modelRoute(path) : method === 'POST' ? actionRoute(path) : undefined
    if (route !== undefined) return route
    const cached = cachedContentRoute(method, path)
    if (cached !== undefined) return cached
    if (otherCalls.test(`${method} ${path}`) || fileTransfer.test(path)) return notImplemented
    return sessionRoute(method, path)
  },
  owns: (path) => ownPrefix.test(path),
  offered,
  isTurn: (path) => !/:count_?tokens$/i.test(path),
  isTranslatable: () => true,
  // Google's clients get one JSON list unless they ask for events.
  asksForList: (query) => !query.includes('alt=sse'),
}

/** Sessions that make music instead of conversation (ai.google.dev/gemini-api/docs/realtime-music-generation). */
export const isMusicPath = (path: string): boolean => path.endsWith('.BidiGenerateMusic')
