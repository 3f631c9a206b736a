import type { JsonObject } from './conversation/json.ts'

/** Collects something from an answer while the client reads it. One per answer. */
export interface Collector<Result> {
  /** One event of a stream: the JSON text of its data. */
  event(payload: string): void
  /** A whole answer. */
  whole(answer: JsonObject): void
  /** undefined while it is not complete. */
  result(): Result | undefined
}

/** Collects the answer itself. */
export type AnswerCollector = Collector<JsonObject>

/** Rules for storing the calls of a dialect, for calls that continue or read them. */
export interface StorageRules {
  readonly kind: 'response' | 'completion'
  /** True if the client wants the answer stored. */
  isStored(body: JsonObject): boolean
  /** Id of the stored answer that the call continues. */
  previous(body: JsonObject): string | undefined
  /** The request with another answer to continue. */
  withPrevious(body: JsonObject, id: string): JsonObject
  /** Id of the conversation that the call continues. */
  conversation(body: JsonObject): string | undefined
  /** The items or messages of the request. */
  items(body: JsonObject): readonly JsonObject[]
  /** The items of an answer. */
  output(answer: JsonObject): readonly JsonObject[]
  /** The request with those of earlier calls before its own, and without the names of where they came from. */
  withEarlier(body: JsonObject, earlier: readonly JsonObject[]): JsonObject
  collect(): AnswerCollector
  /** The answer in its stored form, with members of the request. */
  stored(answer: JsonObject, body: JsonObject): JsonObject
}
