import type { Receipt } from '@tollgate/contract'
import type { Price } from '../../billing/price.ts'
import type { Usage } from '../../billing/usage.ts'
import type { Hold } from './holds.ts'

/** Measurements of an answered call for statistics, beside its tokens. */
export interface CallMeasures {
  /** Milliseconds from the request to the end of the answer; absent for sessions. */
  readonly totalMs?: number | undefined
  /** Milliseconds to the first content of a stream; absent otherwise. */
  readonly firstMs?: number | undefined
  /** Prompt tokens read from and written to the provider's cache, and completion tokens of reasoning. */
  readonly cached: number
  readonly cacheWrite: number
  readonly reasoning: number
  /** Prompt tokens that the cache could have contained but did not; absent for none. */
  readonly missed?: number
  /** Quota units saved by the cache, and extra cost of misses; absent for none. */
  readonly cacheSaved?: number
  readonly cacheLost?: number
}

/** A finished call: caller, model and charge. */
export interface FinishedCall {
  readonly id: string
  /** Milliseconds since 1970 when the request ended. */
  readonly at: number
  /** `charge` writes ledger entries, counters and a consumption log; `error` only an error log. */
  readonly kind: 'charge' | 'error'
  readonly userId: number
  readonly username: string
  readonly tokenId: number
  readonly tokenName: string
  readonly channelId: number
  readonly model: string
  readonly group: string
  readonly quota: number
  /** Accounts of the spending caps that count the call; absent for none. */
  readonly caps?: readonly number[]
  /** Cost of a charged call at its provider, in quota units; absent where it is unknown. For operators only. */
  readonly cost?: number | undefined
  readonly promptTokens: number
  readonly completionTokens: number
  /** Whole seconds. */
  readonly useTime: number
  readonly isStream: boolean
  readonly ip: string
  /** Id of the session that it belongs to; absent for calls that belong to none. */
  readonly session?: string
  /** Cost tags, printed (`call-tags.ts`); absent for none. */
  readonly tags?: string
  /** End user on whose behalf the caller made it; absent where none is named. */
  readonly endUser?: string
  /** Cost of the other channel of a hedged call; absent for others. For operators only. */
  readonly hedge?: HedgeCost
  readonly content: string
  /** Number of refused calls that this record stands for; absent for one. */
  readonly times?: number
  /** True where the client left before the first byte and pays the prompt; absent otherwise. */
  readonly aborted?: true
  /** Absent where nothing was answered, and in records of earlier versions. */
  readonly measures?: CallMeasures | undefined
  /** The task that the request began, or tried to; its row is written together with the charge. */
  readonly task?: TaskStart
}

/** The channel of a hedged stream that did not answer it. */
export interface HedgeCost {
  readonly channelId: number
  /** Approximate quota units: it was aborted before it reported usage. */
  readonly cost: number
  /** True where the channel that was asked second answered. */
  readonly won: boolean
}

/** The durable record of one finished request: enough for its log row, its ledger entries and its counters. */
export interface RequestRecord extends FinishedCall {
  /** Becomes the log's `other` column, together with the receipt. */
  readonly other: Readonly<Record<string, unknown>>
  /** `other` as JSON without its closing brace, where it was printed already; a copy with another `other` must not have it. */
  readonly otherText?: string | undefined
  readonly receipt: Receipt | undefined
}

/** A task at its submission; user, channel and charge are those of its request. */
export interface TaskStart {
  readonly platform: 'midjourney' | 'suno'
  /** The upstream's; empty when it refused. */
  readonly taskId: string
  readonly action: string
  /** Midjourney's result code. */
  readonly code: number
  readonly prompt: string
  readonly description: string
  readonly state: string
  readonly status: string
  readonly progress: string
  readonly imageUrl: string
  readonly failReason: string
  /** Milliseconds since 1970. */
  readonly submittedAt: number
  /** Keyed hash of the channel key that began it: other accounts may not have the task. */
  readonly keyHash: string
}

/** A call over WebRTC, and the key of its channel that it was placed with: enough to end it after a crash. */
export interface PlacedWebCall {
  readonly id: string
  readonly keyHash: string
}

/** A call over WebRTC that is not followed any more, because its process ended. */
export interface LeftWebCall extends PlacedWebCall {
  readonly requestId: string
  readonly channelId: number
}

/** A request while it runs: enough to settle it after a crash. */
export interface RequestBegin
  extends Pick<
    RequestRecord,
    | 'id'
    | 'at'
    | 'userId'
    | 'username'
    | 'tokenId'
    | 'tokenName'
    | 'channelId'
    | 'model'
    | 'group'
    | 'isStream'
    | 'ip'
    | 'hedge'
    | 'caps'
    | 'tags'
    | 'endUser'
  > {
  readonly price: Price
  /** Price at the provider; absent where it is unknown. */
  readonly upstreamPrice?: Price
  /** Set for a call that continues at the provider after this process has ended. */
  readonly webCall?: PlacedWebCall
}

export interface Recorder {
  /** Written before the first progress of a stream. Buffered, never waits. */
  begin(begin: RequestBegin): void
  /** Usage of a running stream so far; at most once a second per stream. Buffered, never waits. */
  progress(id: string, usage: Usage): void
  /**
   * Records a charge, which replaces `hold`, placed at `heldAt` (milliseconds since 1970). Resolves when the record is in the journal,
   * as safe as JOURNAL_SYNC demands: only then may the answer end. Each call has one `charge` or one `fail`.
   */
  charge(record: RequestRecord, hold?: Hold, heldAt?: number): Promise<void>
  /** Records a failed call, which is free. Resolves like `charge`. */
  fail(record: RequestRecord): Promise<void>
}
