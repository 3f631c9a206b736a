import { join } from 'node:path'
import { openClusterJobs } from '../../db/cluster-jobs.ts'
import { siteImportRoutes } from '../../features/site-imports/routes.ts'
import { createSiteImports } from '../../features/site-imports/site-imports.ts'
import { openUploads } from '../../features/site-imports/uploads.ts'
import type { On } from '../../http/route.ts'
import type { SharedParts } from '../parts.ts'
import { importTarget } from './target.ts'

/** Joins moving in. `changed` makes channels and keys be read again. Returns how to let an import end. */
export const joinMovingIn = (shared: SharedParts, changed: () => Promise<void>, on: On): (() => Promise<void>) => {
  const { config, database, clock, audit, operatorEgress: egress, log } = shared
  const imports = createSiteImports({
    target: importTarget(shared, changed),
    jobs: openClusterJobs(database, clock),
    uploads: openUploads(join(config.dataDir, 'imports')),
    egress,
    audit,
    warn: log.warn,
  })
  siteImportRoutes(on, imports)
  return imports.close
}
