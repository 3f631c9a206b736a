import type { ChannelChoice, SessionLimits } from '@tollgate/contract'
import type { CacheMarking } from '@tollgate/contract/channels/channel-rules'
import type { AmountStyle } from '../../billing/amounts/amount-text.ts'
import type { ModelOptions } from '../../providers/provider.ts'
import type { AnswerCheck } from '../stream/answer-guard.ts'

/** Options of calls, typed, put together once per change; a call has those of its plan. */
export interface RelayOptions {
  readonly retryTimes: number
  /** Prompt tokens that are held at least. */
  readonly preConsumedTokens: number
  /** Quota units below zero that a balance may come to by holds. */
  readonly overdraft: number
  /** True where calls that cost nothing need no balance. */
  readonly freeWithoutBalance?: boolean
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
  /**
   * The treatment of members of a request that choose a model that its key may not use, or a route: `models` refuses,
   * but lets keys with a list choose the hosts of their models.
   */
  readonly modelMembers: 'refuse' | 'remove' | 'models'
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
