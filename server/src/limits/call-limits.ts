import type { Limit } from '@tollgate/contract'
import { AppError } from '../lib/app-error.ts'

/** State of a limit for the headers of answers. */
export interface Gauge {
  readonly most: number
  readonly left: number
  /** Milliseconds since 1970 at which all of it is free again. */
  readonly freeAt: number
}

/** The limits of a call that are closest to their end; absent where none counts it. */
export interface Gauges {
  /** Milliseconds since 1970 at which they stood so. */
  readonly at: number
  readonly requests?: Gauge | undefined
  /** Of limits that count input and output together. */
  readonly tokens?: Gauge | undefined
  readonly input?: Gauge | undefined
  readonly output?: Gauge | undefined
}

/** Properties of a call that limits select by. */
export interface LimitedCall {
  readonly caller: {
    readonly userId: number
    readonly username: string
    /** 0 in the playground. */
    readonly tokenId: number
    readonly tokenName: string
    readonly group: string
    /** Cost tags of the key, printed. */
    readonly tags?: string | undefined
    /** Of a key of a project; `memberId` is 0 for a machine. */
    readonly project?: { readonly id: number; readonly teamId: number; readonly memberId: number }
  }
  readonly model: string
  /** Models that the request names beside its own, which may answer it or work on it; absent for nearly all calls. */
  readonly named?: readonly string[] | undefined
  /**
   * Versions of a service's model that the request chooses. No list of this gateway has them, so only limits that name one count it:
   * clients could make up any number of them.
   */
  readonly versions?: readonly string[] | undefined
  readonly ip: string
  /** Cost tags of the call, printed; those of its key where absent. */
  readonly tags?: string | undefined
  /** End user on whose behalf the call is made. */
  readonly endUser?: string | undefined
  /** Set where it states a deadline; `leavesTime` is false where only a call at once is in time. */
  readonly lane?: { readonly leavesTime: boolean } | undefined
  /** The current target of its virtual model, once chosen. */
  readonly target?: { readonly model: string } | undefined
  /** The current channel, once chosen. */
  readonly channel?: ChannelOfCall | undefined
  /** Set where a limit has replaced the model by this one: the same limit does not refuse it again. */
  readonly fallback?: CallFallback | undefined
  /** Set where the model is a virtual one. */
  readonly route?: unknown
  /** Plan of the call; without one, or once limits have changed, those that apply to it are found anew. */
  readonly plan?: { readonly limits?: PlannedLimits | undefined } | undefined
}

/** The part of a call that its plan knows. */
export type PlannedSubjects = Pick<LimitedCall, 'caller' | 'model' | 'route'>

/**
 * Limits that can count a key's calls for a model, by what is the same for all of them: key, user, team, project, member, group and model. End
 * users, tags, addresses and channels differ from call to call.
 */
export interface PlannedLimits {
  /** Of calls for the model. */
  readonly calls: readonly Limit[]
  /** Of calls for any model, each with a model among its subjects: for models that a call names beside its own, and that answer it. */
  readonly models: readonly Limit[]
  /** Of attempts at channels. */
  readonly channels: readonly Limit[]
}

/** The reason for another model than the requested one. */
export interface CallFallback {
  /** Name of the limit that was reached. */
  readonly limit: string
  readonly from: string
}

/** A channel and its key. */
export interface ChannelOfCall {
  readonly id: number
  readonly name: string
  /** Stands for the key on every node, 0 where a channel has one; undefined while none is chosen. */
  readonly seed: number | undefined
}

/** Upper bound of a call's use. */
export interface CallNeed {
  readonly input: number
  readonly output: number
  /** Quota units. */
  readonly money: number
  /** The same with the prompt counted, where these are bounds; never rejects. Absent where they are exact. */
  readonly counted?: (() => Promise<CallNeed>) | undefined
}

/** Tokens and quota units that were used. */
export interface UsedCounts {
  readonly promptTokens: number
  readonly completionTokens: number
  readonly quota: number
}

/** Use of a call, with all models that worked on it. */
export interface CallUse extends UsedCounts {
  /** The same by models; absent where all of it was billed as the requested model, as nearly always. */
  readonly byModel?: UseByModel
}

export interface UseByModel {
  /** Billed as the requested model. */
  readonly own: UsedCounts
  readonly others: readonly OtherModelUse[]
}

/** The part of a call that was billed as another model than the requested one. */
export interface OtherModelUse extends UsedCounts {
  /** Its name, as the answer states it. */
  readonly model: string
  /** True for every name of the same model: with a date, or with a provider before it. */
  isCalled(name: string): boolean
}

/** One call that limits count. */
export interface LimitEntry {
  gauges(): Gauges
  /** Replaces the reserved amounts by the used ones; undefined where the call failed. Once, on every path. */
  settle(use: CallUse | undefined): void
}

/** Limits of calls, as the relay asks them. */
export interface CallLimits {
  /** Limits of calls without a plan; undefined while there are none. */
  readonly all: PlannedLimits | undefined
  /** The limits of a plan; undefined where none can count its calls, as for nearly all keys. */
  plannedFor(subjects: PlannedSubjects): PlannedLimits | undefined
  /**
   * Counts a call; synchronous where leases cover it. undefined where nothing can limit it: with limits of models, its answer may be of
   * a limited one. Throws LimitRefusal.
   */
  enter(call: LimitedCall, need: CallNeed): LimitEntry | undefined | Promise<LimitEntry>
  /**
   * Counts a running call for the models in its `named` alone, such as those in an event of a session. undefined where nothing limits
   * them. Throws LimitRefusal.
   */
  enterNamed(call: LimitedCall, need: CallNeed): LimitEntry | undefined | Promise<LimitEntry>
  /** Counts models that worked on the answer of a call without an entry. */
  addModels(call: LimitedCall, uses: readonly OtherModelUse[]): void
  /** Absent where nothing limits channels. */
  readonly ofChannels?: ChannelLimits | undefined
}

/** Limits of channels and their keys, checked for each attempt. */
export interface ChannelLimits {
  /** Counts an attempt at `call.channel` like `CallLimits.enter`. */
  enter(call: LimitedCall, need: CallNeed): LimitEntry | undefined | Promise<LimitEntry>
  /** True if an attempt would be refused, by the knowledge of this process alone. */
  isFull(call: LimitedCall, need: CallNeed): boolean
}

/** Refusal of a call by a limit. */
export class LimitRefusal extends AppError {
  readonly gauges: Gauges
  /** Model that may answer in place of the refusal, and its limit. */
  readonly fallback: { readonly model: string; readonly limit: string } | undefined

  constructor(
    code: 'rate_limit_exceeded' | 'limit_used_up',
    more: { readonly params: Readonly<Record<string, string | number>>; readonly retryAfter?: number | undefined },
    gauges: Gauges,
    fallback?: LimitRefusal['fallback'],
  ) {
    super(code, more)
    this.fallback = fallback
    this.gauges = gauges
  }
}
