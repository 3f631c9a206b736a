import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { namesOf } from '#server/db/names/stored-names.ts'
import { openOrganisationReaders } from '#server/features/organisations/scopes.ts'
import { createEgressGuard } from '#server/lib/security/egress.ts'
import { createPictureFetcher } from '#server/lib/security/guarded-picture.ts'
import { createDrawings } from './drawings.ts'
import { drawingRoutes } from './routes.ts'
import { openDrawingStore } from './store.ts'

/** Joins the list of drawings and their pictures. */
export const join: JoinModule = ({ config, database, options, on }) => {
  const { readsInOrganisation, organisationTasks } = openOrganisationReaders(database)
  const drawings = createDrawings({
    readsInOrganisation,
    store: openDrawingStore(database),
    names: namesOf(database),
    fetchPicture: createPictureFetcher(createEgressGuard({ allow: config.egressAllow })),
    forwarded: () => options.get('MjForwardUrlEnabled'),
    serverAddress: () => options.get('ServerAddress'),
  })
  drawingRoutes(on, drawings, organisationTasks)
  return {}
}
