import type { FeatureKit } from '../../app/parts.ts'
import { namesOf } from '../../db/names/stored-names.ts'
import type { OrganisationTasks } from '../../http/organisation-tasks.ts'
import { createEgressGuard } from '../../lib/security/egress.ts'
import { createDrawings, type DrawingParts, type Drawings } from './drawings.ts'
import { createPictureFetcher } from './images.ts'
import { drawingRoutes } from './routes.ts'
import { openDrawingStore } from './store.ts'

export interface DrawingNeeds extends Pick<DrawingParts, 'readsInOrganisation'> {
  readonly organisationTasks: OrganisationTasks
}

/** Joins the list of drawings and their pictures. */
export const joinDrawings = (
  { config, database, options, on }: FeatureKit,
  { readsInOrganisation, organisationTasks }: DrawingNeeds,
): Drawings => {
  const drawings = createDrawings({
    readsInOrganisation,
    store: openDrawingStore(database),
    names: namesOf(database),
    fetchPicture: createPictureFetcher(createEgressGuard({ allow: config.egressAllow })),
    forwarded: () => options.get('MjForwardUrlEnabled'),
    serverAddress: () => options.get('ServerAddress'),
  })
  drawingRoutes(on, drawings, organisationTasks)
  return drawings
}
