import type { Attempt, ChannelChoice, ChannelCost, Receipt, SessionLimits } from '@tollgate/contract'
import type { CacheMarking } from '@tollgate/contract/channels/channel-rules'
import type { AmountStyle } from '../billing/amounts/amount-text.ts'
import type { Decimal, Price } from '../billing/price.ts'
import type { Usage } from '../billing/usage.ts'
import type { ModelOptions, Provider } from '../providers/provider.ts'
import type { RelayVirtualModel } from './routing/virtual/virtual-model.ts'
import type { AnswerCheck } from './stream/answer-guard.ts'

/** A channel as the relay sees it: parsed once when the snapshot is made, never per call. */
export interface RelayChannel {
  readonly id: number
  readonly name: string
  readonly type: number
  readonly provider: Provider
  /** Decrypted keys, one or several. */
  readonly keys: readonly string[]
  /** Without a trailing slash; the type's default when the channel names none. */
  readonly baseUrl: string
  readonly organization: string
  /** Longer prompts are for other channels, as long as there are any; absent for no limit. */
  readonly maxInputTokens?: number
  readonly other: string
  readonly models: ReadonlySet<string>
  readonly groups: ReadonlySet<string>
  /** Empty for none. */
  readonly tag?: string
  readonly priority: number
  readonly weight: number
  readonly enabled: boolean
  /** True where failures switched it off; absent otherwise. */
  readonly autoDisabled?: true
  readonly autoBan: boolean
  readonly modelMapping: ReadonlyMap<string, string>
  readonly statusCodeMapping: ReadonlyMap<number, number>
  readonly forceFormat: boolean
  readonly thinkingToContent: boolean
  /** http, https or socks5 address; empty for none. */
  readonly proxy: string
  /** True where the provider bills the prompt of a call whose client left before the first byte. */
  readonly billsAborted?: boolean
  /** Marks of what to cache, for clients of Claude that set none; as the group says where absent. */
  readonly cacheMarks?: CacheMarking
  /** What the provider takes; absent for list prices. */
  readonly cost?: ChannelCost
  readonly paramOverride: Readonly<Record<string, unknown>> | undefined
  /** Headers that it sets, by name in lower case; an empty value takes one away. Absent for none. */
  readonly headerOverride?: ReadonlyMap<string, string>
  /** Who may call its provider as it is; absent for nobody. */
  readonly passthrough?: RawPermission
  /** How calls are shared among several keys; absent where there is one. */
  readonly ring?: KeyRing
}

/** Who may call a channel's provider as it is, and at which price. */
export interface RawPermission {
  readonly groups: ReadonlySet<string>
  /** Ids of API keys. */
  readonly keys: ReadonlySet<number>
  /** Beginnings of the paths that may be called; empty for all. */
  readonly paths: readonly string[]
  /** Units of currency for a call whose usage cannot be read; undefined where such calls are refused. */
  readonly price: Decimal | undefined
}

/** Several keys of one channel. */
export interface KeyRing {
  /** For calls that belong to no conversation, or whose channel does without affinity. */
  readonly rotation: 'random' | 'round_robin'
  /** Whether a conversation stays with its key, whose provider remembers the beginning of the prompt. */
  readonly affinity: boolean
  /** `seeds[i]` stands for `keys[i]`: the same number on every node, which says nothing about the key. */
  readonly seeds: readonly number[]
  /** Where round robin goes on. */
  next: number
}

/** An immutable picture of all channels; a change makes a new one. */
export interface ChannelSnapshot {
  /** Whether an enabled channel can answer calls of `model` in `group`; of a virtual model, of any of its targets. */
  canAnswer(group: string, model: string): boolean
  /** Enabled channels for a model of that very name, even where a virtual one stands before it, in no particular order. */
  serving(group: string, model: string): readonly RelayChannel[]
  /** The virtual model of a name, if the group may use it. */
  virtual(group: string, model: string): RelayVirtualModel | undefined
  byId(id: number): RelayChannel | undefined
  /** Whether any channel has `model`, whatever its groups and its state. */
  knows(model: string): boolean
  /** Names of the models that enabled channels offer to a group, sorted. */
  modelsOf(group: string): readonly string[]
}

export interface Channels {
  snapshot(): ChannelSnapshot
  /**
   * Called after every attempt; disables the channel, or its key, when the failure says that credentials or credit are gone.
   * What follows is for statistics: the key and model that were asked, milliseconds that the attempt took and until its
   * first content (-1 where nothing was streamed).
   */
  report(
    channel: RelayChannel,
    failure: UpstreamFailure | undefined,
    key?: string,
    model?: string,
    durationMs?: number,
    firstContentMs?: number,
  ): void
  /** What an answer cost, in quota units. */
  charged?(channelId: number, model: string, quota: number): void
  readonly health?: RouteHealth
}

/** The health of channels, for choosing among them. In memory and O(1); times are milliseconds since 1970. */
export interface RouteHealth {
  /** True while nothing is avoided: nobody need be asked. */
  readonly calm: boolean
  /** Whether calls for a model should rather go to another channel. */
  avoids(channelId: number, model: string, now: number): boolean
  /** The same for one of several keys, by its seed. */
  avoidsKey(channelId: number, seed: number, now: number): boolean
  /** A call goes there; of a channel that is being tried again, one at a time may. */
  chosen(channelId: number, model: string, now: number): void
}

/** Why an upstream did not answer; keys and addresses are already cut out of `message`. */
export interface UpstreamFailure {
  /** Status of the upstream after the channel's status mapping; 0 when it gave none. */
  readonly status: number
  readonly type: string
  readonly code: string
  readonly message: string
  /** For the operator only. */
  readonly cause: string
  /** When the upstream wants to be asked again, in its own words (seconds or a date). */
  readonly retryAfter?: string | undefined
}

/** The channels that a key may use, because of its organisation, team and project. */
export interface ChannelFence {
  fits(channel: Pick<RelayChannel, 'id' | 'tag'>): boolean
  /** Those of a list of the snapshot that it may use; the same list again for the same list. */
  within(channels: readonly RelayChannel[]): readonly RelayChannel[]
}

/** Where a project's key belongs. */
export interface ProjectOfKey {
  readonly id: number
  readonly teamId: number
  /** The channels that it may use; absent for all. */
  readonly channels?: ChannelFence
}

/** The API key (or the playground's session) behind a call, from memory. */
export interface Caller {
  readonly userId: number
  readonly username: string
  readonly role: number
  readonly userGroup: string
  readonly acceptsUnpricedModels: boolean
  /** 0 in the playground. */
  readonly tokenId: number
  readonly tokenName: string
  /** Beginning and end of the key, as errors show it; undefined in the playground. */
  readonly keyHint?: string
  readonly tokenUnlimited: boolean
  /** Group the call is routed and billed in. */
  readonly group: string
  /** undefined means every model. */
  readonly modelLimits: ReadonlySet<string> | undefined
  /** Of a key of a project; absent for all others. */
  readonly project?: ProjectOfKey
  /** Cost tags of the key, printed (`call-tags.ts`); absent for none. */
  readonly tags?: string
  /** Spending caps of its member and project, in the windows in which the call began; absent for none. */
  readonly caps?: readonly HeldCap[]
  /** Channel id forced by an admin's key suffix. */
  readonly forcedChannel: number | undefined
}

export interface Prices {
  /** undefined when the model has no price and may not be called. */
  of(model: string, group: string, more: { acceptsUnpriced: boolean }): Price | undefined
}

/** Reservations. Answers at once from memory; through a promise when several nodes share them. */
export interface Holds {
  hold(request: HoldRequest): HoldAnswer | Promise<HoldAnswer>
}

/** A spending cap in the window in which a call began. */
export interface HeldCap {
  /** Its account in the ledger, one per cap and window. */
  readonly id: number
  /** Whose spending it bounds. */
  readonly of: 'member' | 'project'
}

export interface HoldRequest {
  readonly userId: number
  /** 0 for none. */
  readonly tokenId: number
  /** What the caller knows of its token; the ledger looks it up when it is left out. */
  readonly tokenUnlimited?: boolean
  /** Spending caps that count the call; absent for none. */
  readonly caps?: readonly HeldCap[]
  /** Quota units, ≥ 0. */
  readonly amount: number
  /** Quota units that must be available beyond the amount; negative where an overdraft is tolerated; 0 when absent. */
  readonly spare?: number
  /** True for more of a hold that was granted already: it may also be taken where nothing but an overdraft is left. */
  readonly more?: boolean
}

export type HoldAnswer =
  | { readonly kind: 'held'; readonly hold: Hold }
  | {
      readonly kind: 'refused'
      readonly account: 'user' | 'token' | 'cap'
      readonly remain: number
      readonly need: number
      /** The cap that refused; absent for other accounts. */
      readonly cap?: HeldCap
    }

export interface Hold {
  /** Gives the reservation back. Once; harmless after its call was recorded. */
  release(): void
}

/** What figures over time need of an answered call, beside its tokens. */
export interface CallMeasures {
  /** Milliseconds from the request to the end of the answer; absent for sessions. */
  readonly totalMs?: number | undefined
  /** Milliseconds to the first content of a stream; absent otherwise. */
  readonly firstMs?: number | undefined
  /** Prompt tokens that were read from and written to the provider's cache, and completion tokens of reasoning. */
  readonly cached: number
  readonly cacheWrite: number
  readonly reasoning: number
  /** Prompt tokens that the cache could have had and had not; absent for none. */
  readonly missed?: number
  /** Quota units that reading from the cache saved, and that these misses cost; absent for none. */
  readonly cacheSaved?: number
  readonly cacheLost?: number
}

/** Who called what, and what it came to. */
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
  /** Quota units that a charged call costs at its provider; absent where that is not known. For operators only. */
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
  /** What the channel that lost cost where two were asked at a time; absent where one was. For operators only. */
  readonly hedge?: HedgeCost
  readonly content: string
  /** How many refused calls this record stands for; absent for one. */
  readonly times?: number
  /** True where the client left before the first byte and pays the prompt; absent otherwise. */
  readonly aborted?: true
  /** Absent where nothing was answered, and in records of earlier versions. */
  readonly measures?: CallMeasures | undefined
  /** The task that the request began, or tried to; its row is written together with the charge. */
  readonly task?: TaskStart
}

/** Two channels were asked for one stream: this is the one that did not answer it. */
export interface HedgeCost {
  readonly channelId: number
  /** Quota units, about: it was cut off before it said what it took. */
  readonly cost: number
  /** True where the channel that was asked second answered. */
  readonly won: boolean
}

/** The durable record of one finished request: enough for its log row, its ledger entries and its counters. */
export interface RequestRecord extends FinishedCall {
  /** Becomes the log's `other` column, together with the receipt. */
  readonly other: Readonly<Record<string, unknown>>
  readonly receipt: Receipt | undefined
}

/** A task as it stands when it was submitted; user, channel and charge are its request's. */
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
  /** Keyed hash of the channel's key that began it: another account may not know it. */
  readonly keyHash: string
}

/** A call over WebRTC, and the key of its channel that it was placed with: enough to end it after a crash. */
export interface PlacedWebCall {
  readonly id: string
  readonly keyHash: string
}

/** A call over WebRTC that the end of its process left without anybody who follows it. */
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
  > {
  readonly price: Price
  /** What the provider takes; absent where that is not known. */
  readonly upstreamPrice?: Price
  /** Set for a call that goes on at the provider when this process ends. */
  readonly webCall?: PlacedWebCall
}

export interface Recorder {
  /** Before the first progress of a stream. Buffered, never waits. */
  begin(begin: RequestBegin): void
  /** What a running stream has used so far; at most once a second per stream. Buffered, never waits. */
  progress(id: string, usage: Usage): void
  /**
   * Records a call that is paid for; the charge takes the place of `hold`. Resolves when the record is in the journal, as safe
   * as JOURNAL_SYNC says: only then may the answer end. Each call has one `charge` or one `fail`.
   */
  charge(record: RequestRecord, hold?: Hold): Promise<void>
  /** Records a call that failed and costs nothing. Resolves like `charge`. */
  fail(record: RequestRecord): Promise<void>
}

/**
 * The bytes of a picture at an address that a provider named: only from public places, and up to a size. Throws AppError where
 * there is none to be had, and when `signal` says so.
 */
export type FetchPicture = (address: string, signal: AbortSignal) => Promise<Buffer>

/** Options that the relay reads on each call, typed, from the current snapshot. */
export interface RelayOptions {
  readonly retryTimes: number
  /** Prompt tokens that are held at least. */
  readonly preConsumedTokens: number
  /** Quota units below zero that a balance may come to by holds. */
  readonly overdraft: number
  /** How amounts are shown to callers. */
  readonly amounts: AmountStyle
  readonly logConsume: boolean
  readonly passThrough: boolean
  readonly rateLimit: {
    readonly enabled: boolean
    readonly minutes: number
    readonly count: number
    readonly successCount: number
  }
  /** Lower-cased; empty when the prompt check is off. */
  readonly sensitiveWords: readonly string[]
  readonly answerCheck: AnswerCheck
  /** `cancel` stops the upstream when the client goes, `finish` reads it to its end; both bill what was produced. */
  readonly onClientGone: 'cancel' | 'finish'
  readonly models: ModelOptions
  /** What the gateway stores for keys: days until it is deleted, 0 for nothing, and the groups for which it stores nothing. */
  readonly storage: { readonly days: number; readonly without: ReadonlySet<string> }
  /** Groups whose calls are refused rather than lose fields on the way into another language. */
  readonly strictGroups: ReadonlySet<string>
  /** Limits of sessions by group, `*` for all others. */
  readonly sessionLimits: ReadonlyMap<string, SessionLimits>
  /** Marks of what to cache that groups want set, `*` for all others. */
  readonly cacheMarks: ReadonlyMap<string, CacheMarking>
  /** How groups want channels of one priority chosen; by weight where a group is absent. */
  readonly channelChoices: ReadonlyMap<string, ChannelChoice>
  /** Group → name that its callers may use → model that is meant. */
  readonly modelAliases: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** When models end (milliseconds since 1970), and what then answers in their place; empty for nothing. */
  readonly modelEnds: ReadonlyMap<string, { readonly at: number; readonly replacedBy: string }>
  /** Groups for whose streams a second channel is asked where the first is slow. */
  readonly hedgedGroups: ReadonlySet<string>
}

export type { TokenCounter } from '../billing/counting/token-counter.ts'
export type { Attempt }
