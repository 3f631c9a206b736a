import { type Limit, type LimitStanding, mostListedCounters } from '@tollgate/contract'
import type { Counter } from '../../limits/counter.ts'
import type { Limiter } from '../../limits/limiter.ts'
import { stateOf, subjectsOf } from './states.ts'
import { type SubjectSources, withNames } from './subject-names.ts'

/** Share of the amount that is not left. */
const takenOf = (counter: Counter, now: number): number => 1 - counter.leftAt(now) / counter.most

/** Each limit with the counters that are closest to their end. Limits that are switched off have none. */
export const limitStandings = async (
  { limiter, sources }: { readonly limiter: Pick<Limiter, 'countersOfLimit'>; readonly sources: SubjectSources },
  limits: readonly Limit[],
  now: number,
): Promise<LimitStanding[]> => {
  const counted = await Promise.all(limits.map(({ id }) => limiter.countersOfLimit(id)))
  const shown = counted.map((all) =>
    all.toSorted((one, other) => takenOf(other, now) - takenOf(one, now)).slice(0, mostListedCounters),
  )
  const nameOf = await withNames(sources, [
    ...limits.flatMap(({ subjects }) => subjects),
    ...shown.flat().flatMap(subjectsOf),
  ])
  return limits.map(({ id, subjects }, index) => ({
    id,
    subjects: subjects.map(nameOf),
    states: (shown[index] ?? []).map((counter) => stateOf(counter, subjectsOf(counter).map(nameOf), now)),
    counted: counted[index]?.length ?? 0,
  }))
}
