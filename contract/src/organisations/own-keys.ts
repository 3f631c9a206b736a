import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { projectKey } from './project-keys.ts'

const place = z.object({
  organisation_id: z.int(),
  organisation: z.string(),
  project_id: z.int(),
  project: z.string(),
})

export const ownProjects = z.object({
  /** Projects whose organisation can pay for a key of the reader's. */
  payers: z.array(place.extend({ team: z.string() })),
  /** The reader's keys of projects, newest first. */
  keys: z.array(projectKey.extend(place.shape)),
})
export type OwnProjects = z.output<typeof ownProjects>

export const getOwnProjects = endpoint({
  method: 'GET',
  path: '/api/organisation/self',
  access: 'user',
  summary: 'Who can pay for own keys beside the own wallet, and the own keys for which projects pay',
  data: ownProjects,
})
