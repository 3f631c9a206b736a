import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { limitState } from '../limits/limit-states.ts'
import { idParams } from '../page.ts'
import { listQuery, log, logPage } from '../records/logs.ts'
import { newTokenFields, token, tokenStatus } from '../tokens/tokens.ts'
import { keyPlace, keyPlaceQuery } from './key-place.ts'

export const projectKey = token.extend({
  project_id: z.int(),
  /** 0 for a machine. */
  member_id: z.int(),
  /**
   * True for a person's key whose secret others may know: it reads only what this person made in its project, and moves nowhere,
   * until the person rotates it. For a machine's key true where the person who was shown its secret may not use the project any more: it
   * reads only what it made itself.
   */
  shared: z.boolean(),
})
export type ProjectKey = z.output<typeof projectKey>

export const listProjectKeys = endpoint({
  method: 'GET',
  path: '/api/organisation/:id/keys',
  access: 'user',
  summary: 'Keys of projects: own ones, and all of them for who manages keys',
  params: idParams,
  data: z.array(projectKey),
})

export const createProjectKey = endpoint({
  method: 'POST',
  path: '/api/organisation/:id/keys',
  access: 'user',
  summary: 'Makes a key of a project. The answer holds it, except where it is for another person, who reveals it',
  params: idParams,
  body: newTokenFields.extend({
    project_id: z.int().positive(),
    member_id: z.int().min(0),
  }),
  data: projectKey,
})

export const changeProjectKey = endpoint({
  method: 'PUT',
  path: '/api/organisation/:id/keys',
  access: 'user',
  summary: 'Switches a key of a project on or off, or deletes it',
  params: idParams,
  body: z.object({
    key_id: z.int().positive(),
    status: z.literal([tokenStatus.enabled, tokenStatus.disabled]).optional(),
    deleted: z.boolean().default(false),
  }),
})

export const moveProjectKey = endpoint({
  method: 'POST',
  path: '/api/organisation/:id/keys/move',
  access: 'user',
  summary: 'Moves a key to another project, from the next call on: what it spent stays where it is',
  params: idParams,
  body: z.object({ key_id: z.int().positive(), project_id: z.int().positive() }),
  /** Number of the key that goes on with its secret. */
  data: z.object({ id: z.int() }),
})

export const readProjectKeyLimits = endpoint({
  method: 'GET',
  path: '/api/organisation/:id/keys/limits',
  access: 'user',
  summary: 'What counts for the calls of a key of a project, and where it stands; limits without their names',
  params: idParams,
  query: z.object({ key: z.coerce.number().int().positive().catch(0) }),
  data: z.array(limitState),
})

const keyNamed = z.object({ key_id: z.int().positive() })

/** The answer has no `sk-` prefix. */
export const revealProjectKey = endpoint({
  method: 'POST',
  path: '/api/organisation/:id/keys/reveal',
  access: 'user',
  confirm: true,
  summary: 'The whole key of an own key of a project',
  params: idParams,
  body: keyNamed,
  data: z.object({ key: z.string() }),
})

export const rotateProjectKey = endpoint({
  method: 'POST',
  path: '/api/organisation/:id/keys/rotate',
  access: 'user',
  confirm: true,
  summary: 'Gives an own key of a project a new secret, which the answer holds',
  params: idParams,
  body: keyNamed,
  data: projectKey,
})

/** A call, and whose it was. */
export const organisationLog = log.extend(keyPlace)
export type OrganisationLog = z.output<typeof organisationLog>
export const organisationLogPage = logPage.extend({ items: z.array(organisationLog) })

export const listOrganisationLogs = endpoint({
  method: 'GET',
  path: '/api/organisation/:id/log',
  access: 'user',
  summary: 'Calls of an organisation, newest first: own ones, or those of the teams whose calls the caller may read',
  params: idParams,
  query: listQuery.extend(keyPlaceQuery),
  data: organisationLogPage,
})
