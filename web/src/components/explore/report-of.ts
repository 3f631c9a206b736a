import { calls } from '../../lib/api/contract.ts'
import type { ExploreView, queryOf } from './view.ts'

type Whose = Pick<ExploreView, 'mine' | 'organisation'>

/** The report about own calls, those of an organisation, or everybody's. Their answers have the same shape; only who may ask differs. */
export const reportOf = ({ mine, organisation }: Whose): typeof calls.explore => {
  if (organisation !== undefined) return calls.exploreOrganisation as unknown as typeof calls.explore
  return (mine ? calls.exploreOwn : calls.explore) as typeof calls.explore
}

/** Parameters of the call for a report. */
export const partsOf = ({ organisation }: Whose, query: ReturnType<typeof queryOf>) => ({
  query,
  ...(organisation === undefined ? {} : { params: { id: organisation } }),
})
