import { z } from 'zod'
import { userFilter } from './accounts/users.ts'
import { auditFilter } from './audit.ts'
import { channelFilter } from './channels/channels.ts'
import { endpoint } from './endpoint.ts'
import { drawingFilter } from './records/drawings.ts'
import { logFilter } from './records/logs.ts'
import { taskFilter } from './records/tasks.ts'
import { redemptionFilter } from './redemptions.ts'
import { tokenFilter } from './tokens.ts'

/** How many rows of a list have each value of one of its filters, most frequent first. */
export const valueCounts = z.object({
  values: z.array(z.object({ value: z.string(), count: z.int() })),
  /** True when counting stopped: every count is a lower bound then, and values may be missing. */
  capped: z.boolean(),
})
export type ValueCounts = z.output<typeof valueCounts>

/** The call of a list that counts: it takes the filters of the list, and what the counted one is set to does not matter. */
const counting = <
  const Names extends readonly [string, ...string[]],
  Filter extends z.ZodRawShape,
  const Who extends 'admin' | 'user',
>(list: {
  path: `/api/${string}`
  access: Who
  rows: string
  facets: Names
  filter: Filter
}) =>
  endpoint({
    method: 'GET',
    path: `${list.path}/facets`,
    access: list.access,
    summary: `How many ${list.rows} have each value of a filter, given the other filters`,
    query: z.object({ facet: z.enum(list.facets), ...list.filter }),
    data: valueCounts,
  })

const channelFacets = ['status', 'type', 'group', 'tag'] as const
export type ChannelFacet = (typeof channelFacets)[number]

export const countChannels = counting({
  path: '/api/channel',
  access: 'admin',
  rows: 'channels',
  facets: channelFacets,
  filter: channelFilter,
})

const tokenFacets = ['status', 'group'] as const
export type TokenFacet = (typeof tokenFacets)[number]

export const countTokens = counting({
  path: '/api/token',
  access: 'user',
  rows: 'own tokens',
  facets: tokenFacets,
  filter: tokenFilter,
})

const userFacets = ['group', 'role', 'status'] as const
export type UserFacet = (typeof userFacets)[number]

export const countUsers = counting({
  path: '/api/user',
  access: 'admin',
  rows: 'users',
  facets: userFacets,
  filter: userFilter,
})

export const countRedemptions = counting({
  path: '/api/redemption',
  access: 'admin',
  rows: 'redemption codes',
  facets: ['status'],
  filter: redemptionFilter,
})

/** Of tasks and of drawings. */
const taskFacets = ['status', 'action'] as const
export type TaskFacet = (typeof taskFacets)[number]

const tasks = { facets: taskFacets, filter: taskFilter }
export const countTasks = counting({ ...tasks, path: '/api/task', access: 'admin', rows: 'async tasks' })
export const countOwnTasks = counting({ ...tasks, path: '/api/task/self', access: 'user', rows: 'own async tasks' })

const drawings = { facets: taskFacets, filter: drawingFilter }
export const countDrawings = counting({ ...drawings, path: '/api/mj', access: 'admin', rows: 'drawing tasks' })
export const countOwnDrawings = counting({
  ...drawings,
  path: '/api/mj/self',
  access: 'user',
  rows: 'own drawing tasks',
})

const ownLogFacets = ['type', 'model_name', 'token_name', 'group'] as const
const logFacets = [...ownLogFacets, 'channel', 'username'] as const
export type LogFacet = (typeof logFacets)[number]

export const countLogs = counting({
  path: '/api/log',
  access: 'admin',
  rows: 'log entries',
  facets: logFacets,
  filter: logFilter,
})
export const countOwnLogs = counting({
  path: '/api/log/self',
  access: 'user',
  rows: 'own log entries',
  facets: ownLogFacets,
  filter: logFilter,
})

const auditFacets = ['action', 'object'] as const
export type AuditFacet = (typeof auditFacets)[number]

export const countAudit = counting({
  path: '/api/audit',
  access: 'admin',
  rows: 'entries of the trail',
  facets: auditFacets,
  filter: auditFilter,
})
