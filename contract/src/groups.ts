import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** Group key → description and ratio. */
export const groupMap = z.record(z.string(), z.object({ desc: z.string(), ratio: z.number() }))
export type GroupMap = z.output<typeof groupMap>

export const getOwnGroups = endpoint({
  method: 'GET',
  path: '/api/user/self/groups',
  access: 'user',
  summary: 'Groups the caller can use',
  data: groupMap,
})

/** Open to visitors; the same answer for everybody. */
export const listUsableGroups = endpoint({
  method: 'GET',
  path: '/api/user/groups',
  access: 'visitor',
  summary: 'Groups that every user can use',
  data: groupMap,
})

export const listGroups = endpoint({
  method: 'GET',
  path: '/api/group/',
  access: 'admin',
  summary: 'Names of all groups',
  data: z.array(z.string()),
})
