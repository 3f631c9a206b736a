import type { ChannelChoice, SessionLimits } from '@tollgate/contract'
import type { CacheMarking } from '@tollgate/contract/channels/channel-rules'
import type { AmountStyle } from '../../billing/amounts/amount-text.ts'
import type { ModelOptions } from '../../providers/provider.ts'
import type { AnswerCheck } from '../stream/answer-guard.ts'

/** Options of calls, compiled once per change; a call uses those of its plan. */
export interface RelayOptions {
  readonly retryTimes: number
  /** Prompt tokens that are held at least. */
  readonly preConsumedTokens: number
  /** Quota units below zero to which holds may take a balance. */
  readonly overdraft: number
  /** True where calls that cost nothing need no balance. */
  readonly freeWithoutBalance?: boolean
  /** Format of amounts in messages to callers. */
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
  /** Stored objects of keys: days until they are deleted, 0 for none, and the groups for which none are stored. */
  readonly storage: { readonly days: number; readonly without: ReadonlySet<string> }
  /** Groups whose calls are refused if translation would drop fields. */
  readonly strictGroups: ReadonlySet<string>
  /**
   * The treatment of members of a request that choose a model that its key may not use, or a route: `models` refuses,
   * but lets keys with a list choose the hosts of their models.
   */
  readonly modelMembers: 'refuse' | 'remove' | 'models'
  /** Limits of sessions by group, `*` for all others. */
  readonly sessionLimits: ReadonlyMap<string, SessionLimits>
  /** Cache breakpoints that groups want to be set, `*` for all others. */
  readonly cacheMarks: ReadonlyMap<string, CacheMarking>
  /** Selection of channels of equal priority by group; by weight where a group is absent. */
  readonly channelChoices: ReadonlyMap<string, ChannelChoice>
  /** True if channels that cost more than a call pays come last. */
  readonly avoidsLosses: boolean
  /** Group → name that its callers may use → model that is meant. */
  readonly modelAliases: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** Announced ends of models (milliseconds since 1970) and their replacements; empty for none. */
  readonly modelEnds: ReadonlyMap<string, { readonly at: number; readonly replacedBy: string }>
  /** Groups whose slow streams are hedged with a second channel. */
  readonly hedgedGroups: ReadonlySet<string>
}
