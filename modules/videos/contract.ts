import { endpoint } from '@tollgate/contract/endpoint'
import { countEndpoint } from '@tollgate/contract/facets'
import { keyPlace, keyPlaceQuery } from '@tollgate/contract/organisations/key-place'
import { idParams, notQuery, pageOf, pageQuery, wordList } from '@tollgate/contract/page'
import { z } from 'zod'

/** States of a video in the console. */
export const videoStates = ['queued', 'in_progress', 'completed', 'failed'] as const

/** A video as the console lists it; times in seconds, 0 where they have not come. */
export const listedVideo = z.object({
  id: z.int(),
  /** The id that clients know. */
  video_id: z.string(),
  model: z.string(),
  prompt: z.string(),
  seconds: z.number(),
  /** `1280x720`; empty where it is not known. */
  size: z.string(),
  state: z.enum(videoStates),
  /** Percent. */
  progress: z.int(),
  /** Quota units that were charged for it. */
  quota: z.int(),
  /** Quota units that are held until it has ended. */
  held: z.int(),
  error_code: z.string(),
  error_message: z.string(),
  created_at: z.int(),
  completed_at: z.int(),
  /** When its provider deletes the content; 0 where that is not known. */
  expires_at: z.int(),
  user_id: z.int(),
  /** 0 for everybody but operators. */
  channel_id: z.int(),
  /** For operators; empty where they are gone. */
  channel_name: z.string().optional(),
  username: z.string().optional(),
})
export type ListedVideo = z.output<typeof listedVideo>

const number = z.coerce.number().int().optional().catch(undefined)

export const videoFilter = {
  video_id: z.string().trim().max(100).default(''),
  status: wordList,
  channel_id: number,
  user_id: number,
  /** Seconds, on the time of creation. */
  start_timestamp: number,
  end_timestamp: number,
  ...notQuery,
}

export const browseVideos = endpoint({
  method: 'GET',
  path: '/api/video/browse',
  access: 'admin',
  summary: 'Videos of all users, newest first',
  query: z.object({ ...pageQuery, ...videoFilter }),
  data: pageOf(listedVideo),
})

export const browseOwnVideos = endpoint({
  method: 'GET',
  path: '/api/video/self/browse',
  access: 'user',
  summary: 'Own videos, newest first',
  query: z.object({ ...pageQuery, ...videoFilter }),
  data: pageOf(listedVideo),
})

export const organisationVideo = listedVideo.extend(keyPlace)
export type OrganisationVideo = z.output<typeof organisationVideo>

export const browseOrganisationVideos = endpoint({
  method: 'GET',
  path: '/api/organisation/:id/videos',
  access: 'user',
  summary: 'Videos of an organisation: own ones, or those of the teams whose calls the caller may read',
  params: idParams,
  query: z.object({ ...pageQuery, ...videoFilter, ...keyPlaceQuery }),
  data: pageOf(organisationVideo),
})

const videoFacets = ['channel_id', 'user_id'] as const
export type VideoFacet = (typeof videoFacets)[number]

export const countVideos = countEndpoint({
  path: '/api/video',
  access: 'admin',
  rows: 'videos',
  facets: videoFacets,
  filter: videoFilter,
})

const content = { answers: 'file', fileTypes: ['video/*'] } as const

export const getVideoContent = endpoint({
  method: 'GET',
  path: '/api/video/:id/content',
  access: 'admin',
  summary: 'A finished video of any user, from its provider',
  params: idParams,
  ...content,
})

export const getOwnVideoContent = endpoint({
  method: 'GET',
  path: '/api/video/self/:id/content',
  access: 'user',
  summary: 'A finished video of one’s own, from its provider',
  params: idParams,
  ...content,
})

export const deleteOwnVideo = endpoint({
  method: 'DELETE',
  path: '/api/video/self/:id',
  access: 'user',
  summary: 'Deletes an own video that has ended, also at its provider where that can',
  params: idParams,
})
