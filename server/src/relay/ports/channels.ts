import type { ChannelCost } from '@tollgate/contract'
import type { CacheMarking } from '@tollgate/contract/channels/channel-rules'
import type { Decimal } from '../../billing/price.ts'
import type { ChannelPrompt } from '../../dialects/channel-prompt.ts'
import type { Provider } from '../../providers/provider.ts'
import type { ErrorSentence } from '../failure.ts'
import type { RelayVirtualModel } from '../routing/virtual/virtual-model.ts'

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
  /** Most prompt tokens; longer prompts go to other channels as long as there are any. Absent for no limit. */
  readonly maxInputTokens?: number
  readonly other: string
  readonly models: ReadonlySet<string>
  readonly groups: ReadonlySet<string>
  /** Empty for none. */
  readonly tag?: string
  readonly priority: number
  readonly weight: number
  readonly enabled: boolean
  /** True where failures disabled it; absent otherwise. */
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
  /** System prompt that is prepended to every conversation; absent for none. */
  readonly systemPrompt?: ChannelPrompt
  /** Milliseconds by which the first content of a stream must arrive; absent for as long as a call may take. */
  readonly firstContentMs?: number
  /** Concurrent calls that it accepts; others queue. Absent for any number. */
  readonly slots?: number
  /** Cache breakpoints for clients of Claude that set none; the group's setting where absent. */
  readonly cacheMarks?: CacheMarking
  /** Prices of the provider; absent for list prices. */
  readonly cost?: ChannelCost
  readonly paramOverride: Readonly<Record<string, unknown>> | undefined
  /** Header overrides by name in lower case; an empty value removes a header. Absent for none. */
  readonly headerOverride?: ReadonlyMap<string, string>
  /** Permission for direct calls to its provider; absent for none. */
  readonly passthrough?: RawPermission
  /** Selection among several keys; absent where there is one. */
  readonly ring?: KeyRing
}

/** Permission and price of direct calls to a channel's provider. */
export interface RawPermission {
  readonly groups: ReadonlySet<string>
  /** Ids of API keys. */
  readonly keys: ReadonlySet<number>
  /** Prefixes of the allowed paths; empty for all. */
  readonly paths: readonly string[]
  /** True where all permitted callers may read everything in its account. */
  readonly shared: boolean
  /** Units of currency for a call whose usage cannot be read; undefined where such calls are refused. */
  readonly price: Decimal | undefined
}

/** Several keys of one channel. */
export interface KeyRing {
  /** Used for calls without a conversation, or on channels without affinity. */
  readonly rotation: 'random' | 'round_robin'
  /** True if a conversation stays with its key, whose provider remembers the beginning of the prompt. */
  readonly affinity: boolean
  /** `seeds[i]` stands for `keys[i]`: the same number on every node, which says nothing about the key. */
  readonly seeds: readonly number[]
  /** Index in `keys` at which round robin goes on. */
  next: number
}

/** Immutable snapshot of all channels; a change creates a new one. */
export interface ChannelSnapshot {
  /** True if an enabled channel can answer calls of `model` in `group`; of a virtual model, any of its targets. */
  canAnswer(group: string, model: string): boolean
  /** Enabled channels for a model of that very name, even where a virtual one stands before it, in no particular order. */
  serving(group: string, model: string): readonly RelayChannel[]
  /** The virtual model of a name, if the group may use it. */
  virtual(group: string, model: string): RelayVirtualModel | undefined
  byId(id: number): RelayChannel | undefined
  /** True if any channel has `model`, whatever its groups and its state. */
  knows(model: string): boolean
  /** Names of the models that enabled channels offer to a group, sorted. */
  modelsOf(group: string): readonly string[]
}

export interface Channels {
  snapshot(): ChannelSnapshot
  /**
   * Called after every attempt; disables the channel, or its key, when the failure means that credentials or credit are gone. The
   * remaining parameters are statistics: the key and model, milliseconds that the attempt took and until its first content (-1 where
   * nothing was streamed), and the request, where there was one.
   */
  report(
    channel: RelayChannel,
    failure: UpstreamFailure | undefined,
    key?: string,
    model?: string,
    durationMs?: number,
    firstContentMs?: number,
    asking?: Asking,
  ): void
  /** Notes the cost of an answer, in quota units. */
  charged?(channelId: number, model: string, quota: number): void
  readonly health?: RouteHealth
}

/** The part of a request that the health of channels uses. */
export interface Asking {
  readonly caller: { readonly userId: number }
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly raw: Buffer
}

/** Health of channels for routing. In memory and O(1); times are milliseconds since 1970. */
export interface RouteHealth {
  /** True while nothing is avoided, so that no channel needs a check. */
  readonly calm: boolean
  /** True if calls for a model should prefer another channel. */
  avoids(channelId: number, model: string, now: number, asking?: Asking): boolean
  /** The same for one of several keys, by its seed. */
  avoidsKey(channelId: number, seed: number, now: number): boolean
  /** Notes that a call goes to the channel. A channel on trial gets one call at a time. */
  chosen(channelId: number, model: string, now: number, asking?: Asking): void
}

/** Failure of an upstream; keys and addresses are already cut out of `message`. */
export interface UpstreamFailure {
  /** Status of the upstream after the channel's status mapping; 0 when it gave none. */
  readonly status: number
  readonly type: string
  readonly code: string
  readonly message: string
  /** The same as code and parameters; absent for texts of upstreams. */
  readonly sentence?: ErrorSentence | undefined
  /** For the operator only. */
  readonly cause: string
  /** Set where the upstream's answer began as a success and holds the error. */
  readonly inAnswer?: true
  /** The upstream's Retry-After value: seconds or a date. */
  readonly retryAfter?: string | undefined
}
