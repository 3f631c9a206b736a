import type { Caption, ErrorCode } from '@tollgate/contract'
import type { ClientShape } from './client-shape.ts'
import type { ClientEmbeddings } from './media/client-embeddings.ts'

/** Target of a path of a dialect's API. A model is empty if the body names it. */
export type DialectRoute =
  | {
      readonly kind: 'conversation'
      readonly model: string
      /** True if the path asks for a stream. */
      readonly stream: boolean
      /** True for the path that the console's playground calls. */
      readonly playground?: true
      /** Set where requests and answers are another form of the dialect's. */
      readonly shape?: ClientShape
    }
  /** Pictures in another form than OpenAI's. */
  | { readonly kind: 'pictures'; readonly model: string; readonly shape: ClientShape }
  /** Counts the tokens of a prompt. */
  | { readonly kind: 'count'; readonly model: string }
  /** About a response that its provider stores; `path` is the provider's. */
  | {
      readonly kind: 'stored_response'
      readonly method: 'GET' | 'POST' | 'DELETE'
      readonly id: string
      readonly path: string
    }
  /** About a conversation or a chat completion that this gateway stores. */
  | { readonly kind: 'stored_object'; readonly noun: 'conversation' | 'completion'; readonly call: StoredObjectPath }
  /** About a content that a provider keeps; `id` is empty for a new one, and for all of them. */
  | { readonly kind: 'cached_content'; readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; readonly id: string }
  /** A session over a WebSocket whose first message names the model. */
  | { readonly kind: 'live' }
  /** Makes keys for browsers, which open such sessions. */
  | { readonly kind: 'live_token' }
  | { readonly kind: 'models' }
  | { readonly kind: 'model'; readonly model: string }
  | { readonly kind: 'embeddings'; readonly model: string; readonly embeddings: ClientEmbeddings }
  /** Exists in the vendor's API but is not implemented. `open` ones are refused before authentication. */
  | { readonly kind: 'unbuilt'; readonly open: boolean; readonly code: ErrorCode }

/** Names in a path about stored objects; empty texts for none. */
export interface StoredObjectPath {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly id: string
  readonly part: string
  readonly item: string
}

/** The routes of a dialect. */
export interface DialectPaths {
  /** The API's name, as the home page shows it. */
  readonly api: string
  /** By method and path, e.g. `POST /v1/messages`. */
  readonly exact: Readonly<Record<string, DialectRoute>>
  /** Paths that hold a model or an id. `path` has neither query nor trailing slash. */
  match(method: string, path: string): DialectRoute | undefined
  /** Paths that clients try over a WebSocket first, and the error that makes them call over HTTP. */
  readonly refusedSockets?: ReadonlyMap<string, ErrorCode>
  /** True for every path under the dialect's prefixes, routed or not: their errors are the dialect's. */
  owns(path: string): boolean
  /** The calls that the home page shows: method and path, with `{model}` for a model's name. */
  readonly offered: readonly (readonly [call: string, caption: Caption])[]
  /** True if a call to this path is a turn of a conversation; false if it only asks about one. */
  isTurn(path: string): boolean
  /** False if a call to this path can only be made at a provider that speaks the dialect. */
  isTranslatable(path: string): boolean
  /** True if the query asks for a stream as one JSON list instead of events. */
  asksForList(query: string): boolean
}

/** The methods of calls about stored objects. */
export const isStoredMethod = (method: string): method is StoredObjectPath['method'] =>
  method === 'GET' || method === 'POST' || method === 'DELETE'

/** A part of a path without its percent signs; as it is where they are malformed. */
export const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
