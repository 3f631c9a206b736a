import { randomUUID } from 'node:crypto'
import { dataEvent } from '../../lib/sse.ts'
import type { ClientShape } from '../client-shape.ts'
import { type JsonObject, membersOf, numberIn, objectsOf } from '../conversation/json.ts'
import { costIn } from '../cost/cost-place.ts'
import type { ErrorFormat } from '../errors.ts'
import { writeChatV1, writeChatV2 } from './client-answer.ts'
import { readEmbed, writeEmbedV1, writeEmbedV2 } from './client-embed.ts'
import { readChatV1, readChatV2 } from './client-request.ts'
import { openChatV1, openChatV2 } from './client-stream.ts'

/** Errors as Cohere's clients read them (docs.cohere.com/reference/errors). */
export const cohereClientErrors: ErrorFormat = {
  body: (_, message) => ({ message }),
  event: dataEvent,
}

const reading =
  (read: (body: JsonObject) => JsonObject): ClientShape['read'] =>
  ({ body }) => {
    const request = read(body)
    return { raw: Buffer.from(JSON.stringify(request)), body: request }
  }

const chatPath = '/v1/chat/completions'
const embedPath = '/v1/embeddings'

/** Cohere's chat and embeddings as its clients call them, as chat completions and OpenAI's embeddings. */
export const cohereChatV2: ClientShape = {
  path: chatPath,
  read: reading(readChatV2),
  write: writeChatV2,
  frames: { contentType: 'text/event-stream', open: openChatV2 },
  errors: cohereClientErrors,
}
export const cohereChatV1: ClientShape = {
  path: chatPath,
  read: reading(readChatV1),
  write: writeChatV1,
  frames: { contentType: 'application/stream+json', open: openChatV1 },
  errors: cohereClientErrors,
}
export const cohereEmbedV2: ClientShape = {
  path: embedPath,
  read: reading(readEmbed),
  write: writeEmbedV2,
  errors: cohereClientErrors,
}
export const cohereEmbedV1: ClientShape = {
  path: embedPath,
  read: reading(readEmbed),
  write: writeEmbedV1,
  errors: cohereClientErrors,
}

/**
 * Reranking as Cohere's clients ask for it (docs.cohere.com/reference/rerank): the request is the one of `/v1/rerank`, and the
 * answer names indexes and scores only.
 */
export const cohereRerankShape: ClientShape = {
  path: '/v1/rerank',
  read: (received) => received,
  write({ id, results, meta, usage }) {
    const { search_units: units } = membersOf(membersOf(meta).billed_units)
    return {
      id: typeof id === 'string' ? id : randomUUID(),
      results: objectsOf(results).map(({ index, relevance_score }) => ({ index, relevance_score })),
      meta: { api_version: { version: '2' }, billed_units: { search_units: numberIn(units) ?? 1 } },
      ...costIn('usage', usage),
    }
  },
}
