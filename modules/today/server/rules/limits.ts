import type { LimitState, SiteRule } from '@tollgate/contract'
import { cardOf, mostOfRule, type SiteLook, type StoredCard, type TodayRule } from './rule.ts'

/** Facts of a limit for one of its subjects. */
export const limitFacts = ({ id, name, measure, amount, used, subjects }: LimitState) => ({
  object_id: id,
  name,
  names: subjects.map((subject) => subject.name || subject.value).filter((subject) => subject !== ''),
  detail: measure,
  count: used,
  total: amount,
})

/** Identity of a counter of a limit: the limit and its subjects. */
export const limitSubjectOf = ({ id, subjects }: LimitState): readonly (string | number)[] => [
  id,
  ...subjects.map(({ value }) => value),
]

/** True where calls beyond the limit are refused, and they are now. Limits of calls under way pass by themselves. */
export const isReached = ({ refuses, left, measure }: LimitState): boolean =>
  refuses && left <= 0 && measure !== 'running'

/** True where it will be used up before it begins anew. */
export const isEnding = ({ used_up_at: at, refuses }: LimitState): boolean => refuses && at > 0

const readStates = async (
  { standings }: SiteLook,
  rule: Extract<SiteRule, 'limit_reached' | 'limit_ending'>,
): Promise<readonly StoredCard[]> => {
  const states = (await standings()).flatMap((standing) => standing.states)
  const shown = states.filter(rule === 'limit_reached' ? isReached : isEnding)
  return shown.slice(0, mostOfRule).map((state) =>
    cardOf(rule, 'warn', limitSubjectOf(state), {
      ...limitFacts(state),
      at: rule === 'limit_reached' ? state.free_at : state.used_up_at,
    }),
  )
}

/** Limits and budgets that are used up, or will be before they begin anew. */
export const limitRules: readonly TodayRule[] = [
  { rule: 'limit_reached', area: 'limits', read: (look) => readStates(look, 'limit_reached') },
  { rule: 'limit_ending', area: 'limits', read: (look) => readStates(look, 'limit_ending') },
]
