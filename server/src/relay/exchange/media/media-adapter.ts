import type { StatedCost } from '../../../billing/stated/stated-costs.ts'
import type { Usage } from '../../../billing/usage.ts'
import type { JsonObject } from '../../../dialects/conversation/json.ts'
import type { UpstreamError } from '../../../dialects/dialect.ts'
import type { HeaderOf } from '../../../dialects/media/embeddings.ts'
import type { FirstRequest, FollowTools } from '../../../dialects/media/following.ts'
import type { RelayChannel } from '../../ports.ts'

/** An answer in OpenAI's shape, and what it cost. */
export interface AdaptedAnswer {
  readonly json: JsonObject
  /** Body for the client where it is not JSON. */
  readonly plain?: { readonly bytes: Buffer; readonly type: string }
  /** undefined when the provider reported none. */
  readonly usage: Usage | undefined
  /** Cost that the provider states; absent for none. */
  readonly stated?: StatedCost
  /** Factor of a price per call. */
  readonly calls: number
}

/** A call without a conversation (embeddings, pictures …) in a provider's own API. */
export interface MediaAdapter {
  /** Request fields that the provider cannot express. */
  readonly unsupported: readonly string[]
  /** A JsonObject is sent as JSON, bytes unchanged. */
  readonly body: JsonObject | Buffer
  /** As in `ProviderCall`. */
  readonly path: string
  /** Reads an answer that is not JSON into the JSON object that `read` takes; undefined when it is JSON. */
  bare?: ((bytes: Buffer, contentType: string) => JsonObject | undefined) | undefined
  /** Fetches the answer, in the provider's shape, where the first response does not contain it. */
  follow?: ((json: JsonObject, begun: FirstRequest, tools: FollowTools) => Promise<JsonObject>) | undefined
  read(json: JsonObject, headerOf: HeaderOf): AdaptedAnswer
  /** Fetches content that the answer only links to, where the client wants it inline. */
  complete?: ((answer: AdaptedAnswer, tools: FollowTools) => Promise<AdaptedAnswer>) | undefined
  errorOf?: ((json: JsonObject) => UpstreamError | undefined) | undefined
}

/** The part of a channel that decides about adapters. */
export type AdapterChannel = Pick<RelayChannel, 'provider' | 'keys'>
