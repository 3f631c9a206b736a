import type { Answer } from '../../dialects/conversation/conversation.ts'
import type { ModelOptions } from '../../providers/provider.ts'
import type { Client, RelayCall } from '../call.ts'
import type { CallFailure } from '../failure.ts'
import type { Retelling, Retold } from '../media/told.ts'
import type { FetchPicture, RelayChannel } from '../ports.ts'
import type { AnswerCheck } from '../stream/answer-guard.ts'
import type { Pump } from '../stream/pump.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { Refusal } from '../upstream/upstream-failure.ts'
import type { Headers } from './answer-body.ts'
import type { Conversion } from './conversion.ts'
import type { Prepared } from './request-edit.ts'

/** How one channel answered. A stream has been sent already, up to its end mark. */
export type Outcome =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | {
      readonly kind: 'body'
      readonly status: number
      readonly headers: Headers
      readonly bytes: Buffer
      readonly json: Readonly<Record<string, unknown>>
      /** The same understood, when the client speaks another language. */
      readonly answer: Answer | undefined
      readonly conversion: Conversion | undefined
      /** `json` in the client's words, where the call was told in the provider's. */
      readonly retold?: Retold & Pick<Retelling, 'lost'>
    }
  | { readonly kind: 'streamed'; readonly pump: Pump; readonly end: 'done' | 'client_gone' }
  | {
      readonly kind: 'streamed'
      readonly pump: Pump
      /** `stopped` at a blocked word, `out_of_quota` when no more could be held, `closed` by this server. */
      readonly end: 'upstream_broke' | 'stopped' | 'out_of_quota' | 'closed'
      readonly failure: CallFailure
    }
  /** The client left before the first byte; `sent` where the upstream may have had the request by then. */
  | { readonly kind: 'gone'; readonly sent: boolean }

/** An outcome that the client gets, in whole or in part. */
export type Answered = Exclude<Outcome, { kind: 'refused' | 'gone' }>

/** What can be done with a stream while it runs. */
export interface RunningStream {
  /** Takes nothing more from the upstream until `resume`. */
  pause(): void
  resume(): void
  /** Ends it, with an event that says why. What has come is charged. */
  stop(failure: CallFailure, end: 'out_of_quota' | 'closed'): void
}

/** Times and sizes of the network, from the configuration. */
export interface RelayLimits {
  /** Milliseconds. */
  readonly timeouts: { readonly connect: number; readonly firstByte: number; readonly streamIdle: number }
  readonly maxResponseBytes: number
  readonly defaultApiVersion: string
}

export interface AttemptParts {
  readonly call: RelayCall
  readonly client: Client
  readonly channel: RelayChannel
  readonly key: string
  readonly prepared: Prepared
  readonly upstream: Upstream
  /** undefined where nobody asks for pictures. */
  readonly fetchPicture?: FetchPicture | undefined
  readonly limits: RelayLimits
  readonly models: ModelOptions
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly onClientGone: 'cancel' | 'finish'
  /** undefined where nobody reads the answer. */
  readonly answerCheck?: AnswerCheck
  /** The first content of a stream is on its way to the client. */
  started(): void
  /** More of a stream has come, so many bytes. */
  progressed(pump: Pump, bytes: number, stream: RunningStream): void
}
