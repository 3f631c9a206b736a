import { cardSeverities, siteRules } from '@tollgate/contract'
import { channelRules } from './channels.ts'
import { joinedRule } from './joined.ts'
import { limitRules } from './limits.ts'
import { modelRules } from './models.ts'
import { recordRules } from './records.ts'
import type { SiteLook, StoredCard, TodayRule } from './rule.ts'
import { userRules } from './users.ts'

/** All rules of this module about the site. */
export const rules: readonly TodayRule[] = [...channelRules, ...modelRules, ...limitRules, ...userRules, ...recordRules]

/** A card with its rule. */
export interface RuledCard {
  readonly rule: TodayRule
  readonly card: StoredCard
}

const rankOf = ({ card, rule }: RuledCard): number =>
  cardSeverities.indexOf(card.severity) * siteRules.length + siteRules.indexOf(rule.rule)

/** Cards of all rules, worst first. A rule that fails is reported, and has none. */
export const readCards = async (
  look: SiteLook,
  failed: (rule: string, error: unknown) => void,
): Promise<readonly RuledCard[]> => {
  const found = await Promise.all(
    [...rules, ...look.siteCards().map(joinedRule)].map(async (rule) => {
      try {
        return (await rule.read(look)).map((card) => ({ rule, card }))
      } catch (error) {
        failed(rule.name ?? rule.rule, error)
        return []
      }
    }),
  )
  return found.flat().toSorted((one, other) => rankOf(one) - rankOf(other))
}
