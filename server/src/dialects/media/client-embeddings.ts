import type { Usage } from '../../billing/usage.ts'
import type { DialectName } from '../conversation/conversation.ts'
import type { JsonObject } from '../conversation/json.ts'
import type { CostPlace } from '../cost/cost-place.ts'

/** A request for embeddings of a dialect, read into OpenAI's. */
export interface ReadEmbeddings {
  readonly body: JsonObject
  /** Fields that OpenAI's dialect cannot express. */
  readonly unsupported: readonly string[]
  /** Why only a provider that takes the request as it is can answer it; undefined if any provider can. */
  readonly onlyAsIs: string | undefined
}

/** A call for embeddings whose requests and answers are not OpenAI's. Providers that take it as it is name its dialect. */
export interface ClientEmbeddings {
  readonly dialect: DialectName
  /** Throws AppError('invalid_embedding_request') if there is nothing to embed. */
  read(body: JsonObject, model: string): ReadEmbeddings
  /** This dialect's name of a field of OpenAI's request. */
  fieldOf(name: string): string
  /** OpenAI's answer in this dialect. */
  write(answer: JsonObject): JsonObject
  /** Usage in an answer that passes through; undefined if it reports none. */
  usage(answer: JsonObject): Usage | undefined
  readonly costPlace: CostPlace
  /** The bytes of a request, for a model that a channel maps it to. */
  withModel(raw: Buffer, model: string): Buffer
}
