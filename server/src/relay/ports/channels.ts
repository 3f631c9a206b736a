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
  /** What every conversation there begins with; absent for none. */
  readonly systemPrompt?: ChannelPrompt
  /** Milliseconds until the first content of a stream must have come; absent for as long as a call may take. */
  readonly firstContentMs?: number
  /** How many calls it takes at a time; the others wait. Absent for any number. */
  readonly slots?: number
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
  /** True where everybody who may call it reads whatever is in its account. */
  readonly shared: boolean
  /** Units of currency for a call whose usage cannot be read; undefined where such calls are refused. */
  readonly price: Decimal | undefined
}

/** Several keys of one channel. */
export interface KeyRing {
  /** For calls that belong to no conversation, or whose channel does without affinity. */
  readonly rotation: 'random' | 'round_robin'
  /** True if a conversation stays with its key, whose provider remembers the beginning of the prompt. */
  readonly affinity: boolean
  /** `seeds[i]` stands for `keys[i]`: the same number on every node, which says nothing about the key. */
  readonly seeds: readonly number[]
  /** Index in `keys` at which round robin goes on. */
  next: number
}

/** An immutable picture of all channels; a change makes a new one. */
export interface ChannelSnapshot {
  /** True if an enabled channel can answer calls of `model` in `group`; of a virtual model, of any of its targets. */
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
   * Called after every attempt; disables the channel, or its key, when the failure says that credentials or credit are gone.
   * What follows is for statistics: the key and model that were asked, milliseconds that the attempt took and until its
   * first content (-1 where nothing was streamed), and the request, where there was one.
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
  /** What an answer cost, in quota units. */
  charged?(channelId: number, model: string, quota: number): void
  readonly health?: RouteHealth
}

/** A request, as far as the health of channels depends on it. */
export interface Asking {
  readonly caller: { readonly userId: number }
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly raw: Buffer
}

/** The health of channels, for choosing among them. In memory and O(1); times are milliseconds since 1970. */
export interface RouteHealth {
  /** True while nothing is avoided: nobody need be asked. */
  readonly calm: boolean
  /** True if calls for a model should rather go to another channel. */
  avoids(channelId: number, model: string, now: number, asking?: Asking): boolean
  /** The same for one of several keys, by its seed. */
  avoidsKey(channelId: number, seed: number, now: number): boolean
  /** A call goes there; of a channel that is being tried again, one at a time may. */
  chosen(channelId: number, model: string, now: number, asking?: Asking): void
}

/** Why an upstream did not answer; keys and addresses are already cut out of `message`. */
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
  /** When the upstream wants to be asked again, in its own words (seconds or a date). */
  readonly retryAfter?: string | undefined
}
