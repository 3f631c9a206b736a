import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { cause } from '../errors/refusal.ts'
import { countEndpoint } from '../facets.ts'
import { keyPlace, keyPlaceQuery } from '../organisations/key-place.ts'
import { idParams, notQuery, pageOf, pageQuery, wordList, zeroPageQuery } from '../page.ts'

/** States of a drawing task. */
export const drawingStatuses = ['SUCCESS', 'NOT_START', 'SUBMITTED', 'IN_PROGRESS', 'FAILURE', 'MODAL'] as const

/** Upstream's code for a submitted drawing. */
export const submitCode = { notSubmitted: 0, submitted: 1, waiting: 21, duplicate: 22 } as const

/** A row of `midjourneys`; times in milliseconds. */
export const drawing = z.object({
  id: z.int(),
  code: z.int(),
  user_id: z.int(),
  action: z.string(),
  mj_id: z.string(),
  prompt: z.string(),
  prompt_en: z.string(),
  description: z.string(),
  state: z.string(),
  submit_time: z.int(),
  start_time: z.int(),
  finish_time: z.int(),
  /** With the option MjForwardUrlEnabled an address of this server. */
  image_url: z.string(),
  status: z.string(),
  progress: z.string(),
  fail_reason: z.string(),
  channel_id: z.int(),
  quota: z.int(),
  /** JSON text, like `properties`. */
  buttons: z.string(),
  properties: z.string(),
})
export type Drawing = z.output<typeof drawing>

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
