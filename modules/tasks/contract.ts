import { endpoint } from '@tollgate/contract/endpoint'
import { cause } from '@tollgate/contract/errors/refusal'
import { countEndpoint } from '@tollgate/contract/facets'
import { keyPlace, keyPlaceQuery } from '@tollgate/contract/organisations/key-place'
import { idParams, notQuery, pageOf, pageQuery, wordList, zeroPageQuery } from '@tollgate/contract/page'
import { task } from '@tollgate/contract/records/tasks'
import { z } from 'zod'

/** States of an async task; an empty one is still being submitted. */
export const taskStatuses = [
  'SUCCESS',
  'NOT_START',
  'SUBMITTED',
  'IN_PROGRESS',
  'FAILURE',
  'QUEUED',
  'UNKNOWN',
] as const

/** As the console lists them: operators also see what channel and user are called, empty where they are gone. */
export const listedTask = task.extend({
  channel_name: z.string().optional(),
  username: z.string().optional(),
  /** `fail_reason` for the reader; absent where nothing failed. */
  fail_cause: cause.optional(),
})
export type ListedTask = z.output<typeof listedTask>

const number = z.coerce.number().int().optional().catch(undefined)

const filter = {
  channel_id: number,
  platform: z.string().trim().default(''),
  task_id: z.string().trim().default(''),
  status: wordList,
  action: wordList,
  /** Seconds, on the time of submission. */
  start_timestamp: number,
  end_timestamp: number,
}
export const taskFilter = { ...filter, user_id: number, ...notQuery }

export const listTasks = endpoint({
  method: 'GET',
  path: '/api/task/',
  access: 'admin',
  summary: 'Async tasks, newest first, ten per page, first page 0',
  query: z.object({ ...zeroPageQuery, ...filter }),
  data: z.array(task),
})

export const listOwnTasks = endpoint({
  method: 'GET',
  path: '/api/task/self',
  access: 'user',
  summary: 'Own async tasks, newest first, ten per page, first page 0',
  query: z.object({ ...zeroPageQuery, ...filter }),
  data: z.array(task),
})

export const browseTasks = endpoint({
  method: 'GET',
  path: '/api/task/browse',
  access: 'admin',
  summary: 'Async tasks as the console shows them',
  query: z.object({ ...pageQuery, ...taskFilter }),
  data: pageOf(listedTask),
})

export const browseOwnTasks = endpoint({
  method: 'GET',
  path: '/api/task/self/browse',
  access: 'user',
  summary: 'Own async tasks as the console shows them',
  query: z.object({ ...pageQuery, ...taskFilter }),
  data: pageOf(listedTask),
})

export const organisationTask = listedTask.extend(keyPlace)
export type OrganisationTask = z.output<typeof organisationTask>

export const browseOrganisationTasks = endpoint({
  method: 'GET',
  path: '/api/organisation/:id/tasks',
  access: 'user',
  summary: 'Async tasks of an organisation: own ones, or those of the teams whose calls the caller may read',
  params: idParams,
  query: z.object({ ...pageQuery, ...taskFilter, ...keyPlaceQuery }),
  data: pageOf(organisationTask),
})

const ownTaskFacets = ['status', 'action'] as const
const taskFacets = [...ownTaskFacets, 'channel_id', 'user_id'] as const
export type TaskFacet = (typeof taskFacets)[number]

export const countTasks = countEndpoint({
  path: '/api/task',
  access: 'admin',
  rows: 'async tasks',
  facets: taskFacets,
  filter: taskFilter,
})
export const countOwnTasks = countEndpoint({
  path: '/api/task/self',
  access: 'user',
  rows: 'own async tasks',
  facets: ownTaskFacets,
  filter: taskFilter,
})
