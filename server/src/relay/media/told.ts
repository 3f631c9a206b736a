import type { Usage } from '../../billing/usage.ts'
import type { Members } from '../../dialects/conversation/json.ts'
import type { UpstreamError } from '../../dialects/dialect.ts'
import type { HeaderOf } from '../../dialects/media/embeddings.ts'
import type { Begun, FollowTools } from '../../dialects/media/following.ts'
import type { RelayChannel } from '../ports.ts'

/** An answer in the client's words, and what it cost. */
export interface Retold {
  readonly json: Members
  /** What the client gets where that is not JSON. */
  readonly plain?: { readonly bytes: Buffer; readonly type: string }
  /** undefined when the provider reported none. */
  readonly usage: Usage | undefined
  /** How many times a price per call is due. */
  readonly calls: number
}

/** A call without a conversation (embeddings, pictures …) that is made in a provider's own words. */
export interface Retelling {
  /** Fields of the client that the provider has no words for. */
  readonly lost: readonly string[]
  /** An answer that is no JSON, as JSON would say it; undefined when it is. */
  bare?: ((bytes: Buffer, contentType: string) => Members | undefined) | undefined
  /** Where one exchange does not hold the answer: what does, in the provider's words. */
  follow?: ((json: Members, begun: Begun, tools: FollowTools) => Promise<Members>) | undefined
  read(json: Members, headerOf: HeaderOf): Retold
  /** Where the client wants what the answer only points at. */
  complete?: ((retold: Retold, tools: FollowTools) => Promise<Retold>) | undefined
  errorOf?: ((json: Members) => UpstreamError | undefined) | undefined
}

export interface Told {
  readonly retelling: Retelling
  /** Members are sent as JSON, bytes as they are. */
  readonly body: Members | Buffer
  /** As in `ProviderCall`. */
  readonly path: string
}

export type Reached = Pick<RelayChannel, 'provider' | 'keys'>
