import {
  browseDrawings,
  browseOrganisationDrawings,
  browseOwnDrawings,
  countDrawings,
  countOwnDrawings,
  getDrawingImage,
  listDrawings,
  listOwnDrawings,
} from '@tollgate/contract'
import { roleIn } from '../../http/access.ts'
import type { OrganisationTasks } from '../../http/organisation-tasks.ts'
import type { On } from '../../http/route.ts'
import type { Drawings } from './drawings.ts'

/** A picture is shown, never run: nothing in it may act as a page of this site. */
const pictureHeaders = {
  'Content-Disposition': 'inline',
  'Cache-Control': 'private, max-age=86400',
  'Content-Security-Policy': "default-src 'none'; sandbox",
}

export const drawingRoutes = (on: On, drawings: Drawings, organisationTasks: OrganisationTasks): void => {
  on(listDrawings, async ({ query }) => ({ data: await drawings.list({ all: true }, query) }))
  on(listOwnDrawings, async ({ query, caller }) => ({ data: await drawings.list({ userId: caller.id }, query) }))
  on(browseDrawings, async ({ query }) => ({ data: await drawings.browse({ all: true }, query) }))
  on(browseOwnDrawings, async ({ query, caller }) => ({ data: await drawings.browse({ userId: caller.id }, query) }))
  on(browseOrganisationDrawings, async ({ params, query, caller }) => {
    const { reader, placed } = await organisationTasks(params.id, caller.id, query)
    const page = await drawings.browse(reader, query)
    return { data: { ...page, items: placed(page.items, await drawings.keysOf(page.items)) } }
  })
  on(countDrawings, async ({ query }) => ({ data: await drawings.facet({ all: true }, query) }))
  on(countOwnDrawings, async ({ query, caller }) => ({ data: await drawings.facet({ userId: caller.id }, query) }))
  on(getDrawingImage, async ({ params, caller }) => {
    const { type, parts } = await drawings.picture({ id: caller.id, role: roleIn(caller, 'logs') }, params.id)
    return { file: { name: String(params.id), type, parts, headers: pictureHeaders } }
  })
}
