import type { ListBounds } from '../lib/json/json-bounds.ts'
import type { JsonObject } from './conversation/json.ts'
import type { PlainShape } from './plain/plain-body.ts'

/** Beginning of a conversation, which identifies it: its instructions and its first turns. */
interface Opening {
  readonly instructions: unknown
  /** A text, or a list of objects with a `role` and with `content` or `parts`. */
  readonly turns: unknown
}

/** Bounds of a list of turns, and of texts to embed. */
export const turnsBounds: ListBounds = { entries: 10_000, parts: 50_000 }
/** Bounds of a list of tools. */
export const toolsBounds: ListBounds = { entries: 1_024, parts: 4_096 }

/** Reading of a request body before a channel is chosen: checks, limits and estimates. */
export interface RequestRules {
  /** Throws AppError('invalid_text_request') if a field that the relay uses is missing or of the wrong kind. */
  check(body: JsonObject): void
  /** True if the body requests a stream. False in dialects whose path decides it. */
  asksForStream(body: JsonObject): boolean
  /** The most output tokens that the client allows; 0 if it sets no bound. */
  maxTokens(body: JsonObject): number
  /** The field with the number of requested answers. */
  answers(body: JsonObject): unknown
  /** True if the request asks for tools that the provider runs itself, e.g. a search. */
  usesProviderTools(body: JsonObject): boolean
  /** The service tier, as `requestedTier` names it. */
  serviceTier(body: JsonObject): string | undefined
  /** How long the request asks Anthropic's cache to keep parts of the prompt, which costs money; undefined if it does not. */
  cachedFor(raw: Buffer): '5m' | '1h' | undefined
  /** True if the answer may contain speech. */
  maySpeak(body: JsonObject): boolean
  /** Messages, or what the dialect has instead: they decide whether a prompt is text only. */
  messages(body: JsonObject): unknown
  opening(body: JsonObject): Opening
  /** Bounds of the lists at the top of a body, by name. A body is scanned for them before it is parsed. */
  readonly lists: ReadonlyMap<string, ListBounds>
  /** Client headers that an upstream of the same dialect gets, in lower case. */
  readonly passedHeaders: readonly string[]
  /**
   * Members that ask for the answer later, by a call that reads it. Providers do not get them: the first answer states no usage
   * yet, and reading is free, so the call would cost its prompt alone.
   */
  readonly deferredBy?: readonly string[]
  /** Rules of plain bodies, which contain only texts; absent in dialects that have no such form. */
  readonly plain?: PlainShape
}
