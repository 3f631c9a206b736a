import { join as pathOf } from 'node:path'
import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { openNamedJobs } from '#server/jobs/named-jobs.ts'
import { importTarget } from './import-target.ts'
import { siteImportRoutes } from './routes.ts'
import { openSiteImports } from './site-imports.ts'
import { openUploads } from './uploads.ts'

/** Joins moving in; at the close an import that runs here ends after its page. */
export const join: JoinModule = (kit) => {
  const imports = openSiteImports({
    target: importTarget(kit, kit.readTablesAgain),
    jobs: openNamedJobs(kit.database, kit.clock),
    uploads: openUploads(pathOf(kit.config.dataDir, 'imports')),
    egress: kit.operatorEgress,
    audit: kit.audit,
    warn: kit.log.warn,
  })
  siteImportRoutes(kit.on, imports)
  return { close: imports.close }
}
