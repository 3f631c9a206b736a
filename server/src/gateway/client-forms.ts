import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { ClientShape } from '../dialects/client-shape.ts'
import { type JsonObject, objectsOf } from '../dialects/conversation/json.ts'
import { voyageRerankShape } from '../dialects/voyage/rerank-shape.ts'
import type { Route } from './routes.ts'

/** Embeddings with members without which a client does not read them; whatever the upstream has said stands. */
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

interface ClientForm {
  readonly endpoint: 'rerank' | 'embeddings'
  readonly agent: RegExp
  readonly shape: ClientShape
}

/** Official clients that call an address of OpenAI's form and read another answer. They are known by what they call themselves. */
const forms: readonly ClientForm[] = [
  { endpoint: 'rerank', agent: /voyage/i, shape: voyageRerankShape },
  { endpoint: 'embeddings', agent: /mistral/i, shape: mistralEmbeddings },
  { endpoint: 'embeddings', agent: /gigachat/i, shape: gigachatEmbeddings },
]

/** Headers in which SDKs name themselves. */
const nameOf = (headers: IncomingHttpHeaders): string =>
  `${headers['user-agent'] ?? ''} ${String(headers['x-fern-sdk-name'] ?? '')} ${headers['x-voyageai-client-user-agent'] === undefined ? '' : 'voyageai'}`

/** The route in the form of the client that asks; the same for nearly all. */
export const inFormOf = (route: Route, headers: IncomingHttpHeaders): Route => {
  if (route.kind !== 'relay' || route.shape !== undefined || route.embeds !== undefined) return route
  if (route.endpoint !== 'rerank' && route.endpoint !== 'embeddings') return route
  const name = nameOf(headers)
  const form = forms.find(({ endpoint, agent }) => endpoint === route.endpoint && agent.test(name))
  if (form === undefined) return route
  const { shape } = form
  return { ...route, shape, errors: shape.errors ?? route.errors }
}
