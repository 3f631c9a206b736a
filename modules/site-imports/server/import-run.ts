import type { SiteImportReport } from '@tollgate/contract'
import type { NamedClaim } from '#server/jobs/named-jobs.ts'
import type { JobRun } from '#server/jobs/runner.ts'
import { printedError } from '#server/lib/json/stored-error.ts'
import { importSite, type SiteImport } from './import-site.ts'
import type { ImportTarget } from './ports.ts'

/** The row of imports among the jobs that one node does for all, for the console and the command. */
export const siteImportJob = 'site_import'
/** A page may take longer than a claim lasts. */
export const aliveEveryMs = 30_000

const longestError = 500

export interface WantedImport {
  readonly target: ImportTarget
  readonly wanted: Omit<SiteImport, 'progress'>
  /** Called after each page. */
  readonly shown?: (done: number, total: number) => void
}

/** Imports a site as a job, which states its progress, its report, or why it failed; ends after the page under way when it is stopped. */
export const runImport = async (
  { claim, signal }: JobRun<NamedClaim>,
  { target, wanted, shown }: WantedImport,
): Promise<SiteImportReport> => {
  let state = { done: 0, total: 0 }
  try {
    const report = await importSite(target, {
      ...wanted,
      async progress(done, total, so) {
        state = { done, total }
        shown?.(done, total)
        return (await claim.progress(done, total, { report: so })) && !signal.aborted
      },
    })
    claim.report(state.total, state.total, { report })
    return report
  } catch (error) {
    claim.report(state.done, state.total, { error: printedError(error, longestError) })
    throw error
  }
}
