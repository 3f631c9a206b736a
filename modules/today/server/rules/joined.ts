import type { SiteCardRule } from '@tollgate/contract/records/site-cards'
import { cardId, cardOf, mostOfRule, type TodayRule } from './rule.ts'

/** A rule that another part of the product brings. */
export const joinedRule = ({ name, area, isNoticed, read }: SiteCardRule): TodayRule => ({
  rule: 'joined',
  name,
  area,
  ...(isNoticed === undefined ? {} : { isNoticed }),
  read: async ({ now }) =>
    (await read(now)).slice(0, mostOfRule).map(({ severity, about, words, reason, at }) => ({
      ...cardOf('joined', severity, about, { name, reason, at, words }),
      id: cardId(name, about),
    })),
})
