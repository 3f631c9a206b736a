import { endpoint } from '@tollgate/contract/endpoint'
import { cause } from '@tollgate/contract/errors/refusal'
import { countEndpoint } from '@tollgate/contract/facets'
import { keyPlace, keyPlaceQuery } from '@tollgate/contract/organisations/key-place'
import { idParams, notQuery, pageOf, pageQuery, wordList, zeroPageQuery } from '@tollgate/contract/page'
import { drawing } from '@tollgate/contract/records/drawings'
import { z } from 'zod'

/** States of a drawing task. */
export const drawingStatuses = ['SUCCESS', 'NOT_START', 'SUBMITTED', 'IN_PROGRESS', 'FAILURE', 'MODAL'] as const

/** As the console lists them: operators also see what channel and user are called, empty where they are gone. */
export const listedDrawing = drawing.extend({
  channel_name: z.string().optional(),
  username: z.string().optional(),
  /** `fail_reason` for the reader; absent where nothing failed. */
  fail_cause: cause.optional(),
})
export type ListedDrawing = z.output<typeof listedDrawing>

const number = z.coerce.number().int().optional().catch(undefined)

const filter = {
  channel_id: number,
  mj_id: z.string().trim().default(''),
  /** Milliseconds, on the time of submission. */
  start_timestamp: number,
  end_timestamp: number,
}
export const drawingFilter = { ...filter, status: wordList, action: wordList, user_id: number, ...notQuery }

export const listDrawings = endpoint({
  method: 'GET',
  path: '/api/mj/',
  access: 'admin',
  summary: 'Drawing tasks, newest first, ten per page, first page 0',
  query: z.object({ ...zeroPageQuery, ...filter }),
  data: z.array(drawing),
})

export const listOwnDrawings = endpoint({
  method: 'GET',
  path: '/api/mj/self',
  access: 'user',
  summary: 'Own drawing tasks, newest first, ten per page, first page 0',
  query: z.object({ ...zeroPageQuery, ...filter }),
  data: z.array(drawing),
})

export const browseDrawings = endpoint({
  method: 'GET',
  path: '/api/mj/browse',
  access: 'admin',
  summary: 'Drawing tasks as the console shows them',
  query: z.object({ ...pageQuery, ...drawingFilter }),
  data: pageOf(listedDrawing),
})

export const browseOwnDrawings = endpoint({
  method: 'GET',
  path: '/api/mj/self/browse',
  access: 'user',
  summary: 'Own drawing tasks as the console shows them',
  query: z.object({ ...pageQuery, ...drawingFilter }),
  data: pageOf(listedDrawing),
})

export const organisationDrawing = listedDrawing.extend(keyPlace)
export type OrganisationDrawing = z.output<typeof organisationDrawing>

export const browseOrganisationDrawings = endpoint({
  method: 'GET',
  path: '/api/organisation/:id/drawings',
  access: 'user',
  summary: 'Drawing tasks of an organisation: own ones, or those of the teams whose calls the caller may read',
  params: idParams,
  query: z.object({ ...pageQuery, ...drawingFilter, ...keyPlaceQuery }),
  data: pageOf(organisationDrawing),
})

const ownDrawingFacets = ['status', 'action'] as const
const drawingFacets = [...ownDrawingFacets, 'channel_id', 'user_id'] as const
export type DrawingFacet = (typeof drawingFacets)[number]

export const countDrawings = countEndpoint({
  path: '/api/mj',
  access: 'admin',
  rows: 'drawing tasks',
  facets: drawingFacets,
  filter: drawingFilter,
})
export const countOwnDrawings = countEndpoint({
  path: '/api/mj/self',
  access: 'user',
  rows: 'own drawing tasks',
  facets: ownDrawingFacets,
  filter: drawingFilter,
})

export const getDrawingImage = endpoint({
  method: 'GET',
  path: '/api/mj/image/:id',
  access: 'session',
  summary:
    'The picture of a drawing, fetched by this server; of one’s own, of one that one may read in an organisation, or of any for administrators',
  params: idParams,
  answers: 'file',
  fileTypes: ['image/*'],
})
