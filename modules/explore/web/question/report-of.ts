import { calls } from '#web/lib/api/contract.ts'
import type { ExploreView, queryOf } from './view.ts'

type Whose = Pick<ExploreView, 'mine' | 'organisation'>

/** The report about own calls, those of an organisation, or everybody's. Their answers have the same shape; only who may ask differs. */
export const reportOf = ({ mine, organisation }: Whose): typeof calls.getFigures => {
  if (organisation !== undefined) return calls.getOrganisationFigures as unknown as typeof calls.getFigures
  return (mine ? calls.getOwnFigures : calls.getFigures) as typeof calls.getFigures
}

/** Parameters of the call for a report. */
export const partsOf = ({ organisation }: Whose, query: ReturnType<typeof queryOf>) => ({
  query,
  ...(organisation === undefined ? {} : { params: { id: organisation } }),
})
