import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { ClientShape } from '../dialects/client-shape.ts'
import { type JsonObject, objectsOf } from '../dialects/conversation/json.ts'
import type { ErrorFormat } from '../dialects/errors.ts'
import { mistralChatShape } from '../dialects/openai-chat/clients/mistral-client.ts'
import { openaiChatDialect } from '../dialects/openai-chat/dialect.ts'
import { detailToo, isVoyageRerank, voyageErrors, voyageRerankShape } from '../dialects/voyage/rerank-shape.ts'
import type { Route } from './routes.ts'

/** Embeddings with members that some clients require; members of the upstream stay. */
const embeddingsWith = (write: (answer: JsonObject) => JsonObject): ClientShape => ({
  path: '/v1/embeddings',
  read: (received) => received,
  write,
})

/** Mistral's clients want an id (docs.mistral.ai/api/endpoint/embeddings). */
const mistralEmbeddings = embeddingsWith((answer) => ({ id: randomUUID(), ...answer }))

/** GigaChat's want the usage of each text (developers.sber.ru/docs/ru/gigachat/api/reference/rest/post-embeddings). */
const gigachatEmbeddings = embeddingsWith((answer) => {
  const items = objectsOf(answer.data)
  const { prompt_tokens: tokens } = (answer.usage ?? {}) as JsonObject
  const each = typeof tokens === 'number' && items.length > 0 ? Math.ceil(tokens / items.length) : 0
  return { ...answer, data: items.map((item) => ({ usage: { prompt_tokens: each }, ...item })) }
})

/** Chooses the form when the body is there: Voyage's client names itself as nothing but the library that it calls with. */
const voyageByBody = (): ClientShape => {
  let isVoyage = false
  return {
    path: voyageRerankShape.path,
    read(received, target) {
      isVoyage = isVoyageRerank(received.body)
      return isVoyage ? voyageRerankShape.read(received, target) : received
    },
    write: (answer) => (isVoyage ? voyageRerankShape.write?.(answer) : undefined),
  }
}

interface ClientForm {
  readonly endpoint: 'rerank' | 'embeddings'
  readonly agent: RegExp
  /** Opens the form of one call; absent where only errors are another form. */
  readonly open?: () => ClientShape
  readonly errors?: (usual: ErrorFormat) => ErrorFormat
}

/**
 * Official clients that call an address of OpenAI's form and read another answer. They are known by what they call themselves;
 * Voyage's for Python since 0.3 sends the name of `requests` alone.
 */
const forms: readonly ClientForm[] = [
  { endpoint: 'rerank', agent: /voyage/i, open: () => voyageRerankShape, errors: () => voyageErrors },
  { endpoint: 'rerank', agent: /^python-requests\//, open: voyageByBody, errors: detailToo },
  { endpoint: 'embeddings', agent: /^python-requests\//, errors: detailToo },
  { endpoint: 'embeddings', agent: /mistral/i, open: () => mistralEmbeddings },
  { endpoint: 'embeddings', agent: /gigachat/i, open: () => gigachatEmbeddings },
]

/** As both of Mistral's clients name themselves. */
const mistralClient = 'mistral-client-'

/** Headers in which SDKs name themselves. */
const nameOf = (headers: IncomingHttpHeaders): string =>
  `${headers['user-agent'] ?? ''} ${String(headers['x-fern-sdk-name'] ?? '')} ${headers['x-voyageai-client-user-agent'] === undefined ? '' : 'voyageai'}`

/** The route in the form of the client that asks; the same for nearly all. */
export const inFormOf = (route: Route, headers: IncomingHttpHeaders): Route => {
  if (route.kind === 'module') return { ...route, errors: route.route.errorsFor?.(headers) ?? route.errors }
  if (route.kind !== 'relay' || route.shape !== undefined || route.embeds !== undefined) return route
  if (route.dialect === openaiChatDialect)
    return headers['user-agent']?.startsWith(mistralClient) === true ? { ...route, shape: mistralChatShape } : route
  if (route.endpoint !== 'rerank' && route.endpoint !== 'embeddings') return route
  const name = nameOf(headers)
  const form = forms.find(({ endpoint, agent }) => endpoint === route.endpoint && agent.test(name))
  if (form === undefined) return route
  const errors = form.errors?.(route.errors) ?? route.errors
  return form.open === undefined ? { ...route, errors } : { ...route, shape: form.open(), errors }
}
