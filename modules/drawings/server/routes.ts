import {
  browseDrawings,
  browseOrganisationDrawings,
  browseOwnDrawings,
  countDrawings,
  countOwnDrawings,
  getDrawingImage,
  type Language,
  type ListedDrawing,
  listDrawings,
  listOwnDrawings,
  type Page,
} from '@tollgate/contract'
import { roleIn } from '#server/http/access.ts'
import type { OrganisationTasks } from '#server/http/organisation-tasks.ts'
import type { On } from '#server/http/route.ts'
import { withFailCause } from '#server/lib/json/stored-cause.ts'
import type { Drawings } from './drawings.ts'

/** A picture is shown, never run: nothing in it may act as a page of this site. */
const pictureHeaders = {
  'Content-Disposition': 'inline',
  'Cache-Control': 'private, max-age=86400',
  'Content-Security-Policy': "default-src 'none'; sandbox",
}

const forReader = (page: Page<ListedDrawing>, language: Language): Page<ListedDrawing> => ({
  ...page,
  items: withFailCause(page.items, language),
})

export const drawingRoutes = (on: On, drawings: Drawings, organisationTasks: OrganisationTasks): void => {
  on(listDrawings, async ({ query }) => ({ data: await drawings.list({ all: true }, query) }))
  on(listOwnDrawings, async ({ query, caller }) => ({ data: await drawings.list({ userId: caller.id }, query) }))
  on(browseDrawings, async ({ query, language }) => ({
    data: forReader(await drawings.browse({ all: true }, query), language),
  }))
  on(browseOwnDrawings, async ({ query, caller, language }) => ({
    data: forReader(await drawings.browse({ userId: caller.id }, query), language),
  }))
  on(browseOrganisationDrawings, async ({ params, query, caller, language }) => {
    const { reader, placed } = await organisationTasks(params.id, caller.id, query)
    const page = forReader(await drawings.browse(reader, query), language)
    return { data: { ...page, items: placed(page.items, await drawings.keysOf(page.items)) } }
  })
  on(countDrawings, async ({ query }) => ({ data: await drawings.facet({ all: true }, query) }))
  on(countOwnDrawings, async ({ query, caller }) => ({ data: await drawings.facet({ userId: caller.id }, query) }))
  on(getDrawingImage, async ({ params, caller }) => {
    const { type, parts } = await drawings.picture({ id: caller.id, role: roleIn(caller, 'logs') }, params.id)
    return { file: { name: String(params.id), type, parts, headers: pictureHeaders } }
  })
}
