import { endpoint } from '@tollgate/contract/endpoint'
import { countEndpoint } from '@tollgate/contract/facets'
import { keyPlace, keyPlaceQuery } from '@tollgate/contract/organisations/key-place'
import { idParams, notQuery, pageOf, pageQuery, wordList } from '@tollgate/contract/page'
import { z } from 'zod'

/** States of a response that has not ended. */
export const backgroundStates = ['queued', 'in_progress', 'cancelling'] as const

/** A response in the background that has not ended, as the console lists it: without its request and its answer. */
export const listedBackground = z.object({
  id: z.int(),
  /** The id that clients know. */
  response_id: z.string(),
  /** Its row of the log and its charge have the same, once it has been made. */
  request_id: z.string(),
  /** Empty where the request cannot be read any more. */
  model: z.string(),
  state: z.enum(backgroundStates),
  /** How often it was begun. */
  attempts: z.int(),
  /** True where its events can be read as a stream. */
  streamed: z.boolean(),
  created_at: z.int(),
  /** Unix seconds by which it is to be done; 0 without a deadline. */
  deadline_at: z.int(),
  user_id: z.int(),
  /** For operators; empty where the user is gone. */
  username: z.string().optional(),
  /** For operators: why the last attempt failed; empty where none did. */
  error: z.string().optional(),
})
export type ListedBackground = z.output<typeof listedBackground>

const number = z.coerce.number().int().optional().catch(undefined)

export const backgroundFilter = {
  response_id: z.string().trim().max(100).default(''),
  state: wordList,
  user_id: number,
  /** Seconds, on the time of creation. */
  start_timestamp: number,
  end_timestamp: number,
  ...notQuery,
}

export const browseBackground = endpoint({
  method: 'GET',
  path: '/api/background/browse',
  access: 'admin',
  summary: 'Responses in the background of all users that have not ended, newest first',
  query: z.object({ ...pageQuery, ...backgroundFilter }),
  data: pageOf(listedBackground),
})

export const browseOwnBackground = endpoint({
  method: 'GET',
  path: '/api/background/self/browse',
  access: 'user',
  summary: 'Own responses in the background that have not ended, newest first',
  query: z.object({ ...pageQuery, ...backgroundFilter }),
  data: pageOf(listedBackground),
})

export const organisationBackground = listedBackground.extend(keyPlace)
export type OrganisationBackground = z.output<typeof organisationBackground>

export const browseOrganisationBackground = endpoint({
  method: 'GET',
  path: '/api/organisation/:id/background',
  access: 'user',
  summary:
    'Responses in the background of an organisation that have not ended: own ones, or those of the teams whose calls the caller may read',
  params: idParams,
  query: z.object({ ...pageQuery, ...backgroundFilter, ...keyPlaceQuery }),
  data: pageOf(organisationBackground),
})

export const countBackground = countEndpoint({
  path: '/api/background',
  access: 'admin',
  rows: 'responses in the background',
  facets: ['user_id'] as const,
  filter: backgroundFilter,
})

export const cancelBackground = endpoint({
  method: 'POST',
  path: '/api/background/:id/cancel',
  access: 'admin',
  summary: 'Ends a response in the background; what came so far is charged',
  params: idParams,
})

export const cancelOwnBackground = endpoint({
  method: 'POST',
  path: '/api/background/self/:id/cancel',
  access: 'user',
  summary: 'Ends an own response in the background; what came so far is charged',
  params: idParams,
})
