import { type JobEnds, openJobEnds } from './job-ends.ts'
import { type JobFigures, openJobFigures } from './job-figures.ts'

/** What modules say of work that no client waits for. */
export interface JobParts {
  /** Ends of such work. */
  readonly jobEnds: JobEnds
  /** Figures of such work, for metrics. */
  readonly jobFigures: JobFigures
}

/** Opens both; each end is counted. */
export const openJobParts = (): JobParts => {
  const jobFigures = openJobFigures()
  const jobEnds = openJobEnds()
  jobEnds.listen({ ended: ({ kind, outcome }) => jobFigures.countEnd(kind, outcome) })
  return { jobEnds, jobFigures }
}
