import { createHash } from 'node:crypto'
import type {
  CardSeverity,
  ChannelHealth,
  LimitStanding,
  OwnRule,
  SiteRule,
  StaffArea,
  TodayCard,
} from '@tollgate/contract'
import { longestCardId } from '@tollgate/contract'
import type { ModuleKit } from '#server/app/modules/module-kit.ts'

/** A card before it is shown: its reason is as it is stored, see `readCause`. */
export type StoredCard = Omit<TodayCard, 'snoozed_until' | 'code' | 'params'>

/** Facts of a card; absent ones are 0 or empty. */
export type CardFacts = Partial<Omit<StoredCard, 'id' | 'rule'>>

/** At most so many cards of one rule. */
export const mostOfRule = 5
/** At most so many names in a card. */
export const mostNames = 3

const digestLength = 16

/** Address of a card: the rule and what it is about; a digest where that is long. */
export const cardId = (rule: string, about: readonly (string | number)[]): string => {
  const id = [rule, ...about].join(':')
  if (id.length <= longestCardId) return id
  return `${rule}:${createHash('sha256').update(id).digest('base64url').slice(0, digestLength)}`
}

/** Name of the rule of a card, that of the part of the product that brings it included. */
export const ruleName = ({ id }: Pick<StoredCard, 'id'>): string => id.split(':', 1)[0] ?? id

/** A card of a rule about some object. */
export const cardOf = (
  rule: SiteRule | OwnRule,
  severity: CardSeverity,
  about: readonly (string | number)[],
  facts: CardFacts,
): StoredCard => ({
  severity,
  object_id: 0,
  name: '',
  names: [],
  count: 0,
  total: 0,
  amount: 0,
  value: 0,
  at: 0,
  detail: '',
  reason: '',
  ...facts,
  id: cardId(rule, about),
  rule,
})

/** Parts of the server that rules read. */
export type RuleKit = Pick<
  ModuleKit,
  | 'database'
  | 'channels'
  | 'attention'
  | 'channelHealth'
  | 'limitReads'
  | 'modelEnd'
  | 'isPriced'
  | 'ledger'
  | 'options'
  | 'siteCards'
>

/** One look at the site: reads that several rules need are made once. */
export interface SiteLook extends RuleKit {
  /** Unix seconds. */
  readonly now: number
  readonly needs: () => ReturnType<ModuleKit['attention']>
  readonly health: () => Promise<ReadonlyMap<number, ChannelHealth>>
  readonly standings: () => Promise<readonly LimitStanding[]>
}

/** A fixed rule about the site. */
export interface TodayRule {
  readonly rule: SiteRule
  /** Of a rule that another part of the product brings. */
  readonly name?: string
  /** Administrators who may not read this area do not see its cards. */
  readonly area: StaffArea
  /** True where the kernel sends a notice of its own at once. */
  readonly isNoticed?: true
  read(look: SiteLook): Promise<readonly StoredCard[]>
}

const once = <Value>(read: () => Promise<Value>): (() => Promise<Value>) => {
  let value: Promise<Value> | undefined
  return () => (value ??= read())
}

/** Begins a look at the site at a moment in unix seconds. */
export const lookAt = (kit: RuleKit, now: number): SiteLook => {
  const days = once(kit.channelHealth)
  return {
    ...kit,
    now,
    needs: once(() => kit.attention(days())),
    health: once(async () => new Map((await days()).map((health) => [health.channel_id, health]))),
    standings: once(kit.limitReads.site),
  }
}
