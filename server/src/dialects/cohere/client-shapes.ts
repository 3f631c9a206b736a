import type { ClientShape } from '../client-shape.ts'
import type { JsonObject } from '../conversation/json.ts'
import { writeChatV1, writeChatV2 } from './client-answer.ts'
import { readEmbed, writeEmbedV1, writeEmbedV2 } from './client-embed.ts'
import { cohereClientErrors as errors } from './client-errors.ts'
import { readChatV1, readChatV2 } from './client-request.ts'
import { openChatV1, openChatV2 } from './client-stream.ts'

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
  errors,
}
export const cohereChatV1: ClientShape = {
  path: chatPath,
  read: reading(readChatV1),
  write: writeChatV1,
  frames: { contentType: 'application/stream+json', open: openChatV1 },
  errors,
}
export const cohereEmbedV2: ClientShape = { path: embedPath, read: reading(readEmbed), write: writeEmbedV2, errors }
export const cohereEmbedV1: ClientShape = { path: embedPath, read: reading(readEmbed), write: writeEmbedV1, errors }
