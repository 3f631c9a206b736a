import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { countEndpoint } from '../facets.ts'
import { idParams, notQuery, pageOf, pageQuery, sortQuery } from '../page.ts'
import { longestEndUser } from '../sizes.ts'
import { tagFilter } from '../tokens/tags.ts'

/** The type of a log entry; `error` records a request that failed, with its cause. */
export const logType = { unknown: 0, topUp: 1, consume: 2, manage: 3, system: 4, error: 5 } as const

/** Token name and content of a channel test's row: its quota is computed, but not charged. */
export const channelTestLabel = '模型测试'

const named = z.object({ id: z.int(), name: z.string() })

/** Organisation, project and member of the key of a call, under their present names; no member for keys of machines. */
export const logPlace = z.object({ organisation: named, project: named, member: named.nullable() })
export type LogPlace = z.output<typeof logPlace>

export const log = z.object({
  id: z.int(),
  user_id: z.int(),
  created_at: z.int(),
  type: z.int(),
  content: z.string(),
  username: z.string(),
  token_name: z.string(),
  token_id: z.int(),
  model_name: z.string(),
  quota: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  /** Whole seconds. */
  use_time: z.int(),
  is_stream: z.boolean(),
  channel: z.int(),
  channel_name: z.string(),
  group: z.string(),
  request_id: z.string(),
  ip: z.string(),
  other: z.string(),
  /** Cost tags of the key and of the call; absent for none. */
  tags: z.record(z.string(), z.string()).optional(),
  /** The customer of the caller for whom the call was made; absent where it names none. */
  end_user: z.string().optional(),
  /** True for a call that was charged provisionally; its receipt says why. */
  provisional: z.boolean().optional(),
  /** For operators; absent where the key is a person's own. */
  place: logPlace.optional(),
  /** True in lists where `content` or `other` is longer than lists show: the entry itself has all of it. */
  cut: z.boolean().optional(),
})
export type LogEntry = z.output<typeof log>

/** The content of an entry whose texts the database refused. */
export const refusedContent = 'record_refused'

/** How calls end; failed ones have an end only where their client left. */
export const logEnds = [
  'done',
  'client_gone',
  'upstream_broke',
  'stopped',
  'closed',
  'out_of_quota',
  'interrupted',
] as const

const endOf = (text: string): (typeof logEnds)[number] | '' => logEnds.find((end) => end === text) ?? ''

/** As the filter `provisional`: for whatever reason. */
export const anyProvisional = 'any'
/** UTF-16 units of a kind of unknown usage. */
const longestKind = 255

const optionalNumber = z.coerce.number().int().optional().catch(undefined)

export const logFilter = {
  type: optionalNumber,
  start_timestamp: optionalNumber,
  end_timestamp: optionalNumber,
  username: z.string().default(''),
  token_name: z.string().default(''),
  model_name: z.string().default(''),
  channel: optionalNumber,
  group: z.string().default(''),
  request_id: z.string().default(''),
  /** The session that calls belong to. */
  session: z.string().trim().max(64).default(''),
  /** A cost tag, `name=value`, or `name` for any value. */
  tag: tagFilter,
  /** The whole id of a customer of the caller. */
  end_user: z.string().trim().max(longestEndUser).default(''),
  /** Calls that were charged provisionally: `any`, or for one kind of unknown usage, as `kind place name`. */
  provisional: z.string().trim().max(longestKind).default(''),
  /** Calls with keys of an organisation, a project or a member (0 for machines); operators only. */
  organisation_id: optionalNumber,
  project_id: optionalNumber,
  member_id: optionalNumber,
  /** The provider's own id of a call; operators only. */
  provider_request_id: z.string().max(255).default(''),
  end: z.string().default('').transform(endOf),
  /** The program that made calls, whatever the case. */
  client: z.string().trim().max(40).default(''),
  /** Calls that cost at least so many quota units. */
  min_quota: optionalNumber,
  ...notQuery,
}
const logSort = sortQuery(['id', 'quota', 'prompt_tokens', 'completion_tokens', 'use_time'])

const stat = z.object({ quota: z.int(), rpm: z.int(), tpm: z.int() })

/** A row as `created_at.id`: pages may name the last row of the page before, so that deep pages cost no more than the first. */
const cursor = z
  .string()
  .regex(/^\d{1,12}\.\d{1,16}$/)
  .optional()
  .catch(undefined)

export const listQuery = z.object({ ...pageQuery, ...logFilter, sort: logSort, after: cursor })

export const logPage = pageOf(log).extend({
  /** Cursor of the next page, for `after`; absent if the order is another one or the list ends. */
  next: z.string().optional(),
  /** How many of the newest rows were sorted, where there are more. */
  sorted_among: z.int().optional(),
  /** Older entries were not looked at, because no index knows the filter; unix seconds. Absent where all were. */
  looked_from: z.int().optional(),
  /** The range reaches into so many months that are in files, and why not all of them was read. */
  archive: z.object({ months: z.int(), problem: z.enum(['too_long', 'unavailable']).optional() }).optional(),
  /** Days that rows are kept, of the kinds that the range reaches further back than. */
  kept_days: z
    .object({ charged: z.int().optional(), failed: z.int().optional(), other: z.int().optional() })
    .optional(),
})
export type LogPage = z.output<typeof logPage>

export const listLogs = endpoint({
  method: 'GET',
  path: '/api/log/',
  access: 'admin',
  summary: 'All logs, newest first',
  query: listQuery,
  data: logPage,
})

export const listOwnLogs = endpoint({
  method: 'GET',
  path: '/api/log/self',
  access: 'user',
  summary: 'Own logs, newest first',
  query: listQuery,
  data: logPage,
})

const ownLogFacets = ['type', 'model_name', 'token_name', 'group', 'client'] as const
const logFacets = [...ownLogFacets, 'channel', 'username'] as const
export type LogFacet = (typeof logFacets)[number]

export const countLogs = countEndpoint({
  path: '/api/log',
  access: 'admin',
  rows: 'log entries',
  facets: logFacets,
  filter: logFilter,
})
export const countOwnLogs = countEndpoint({
  path: '/api/log/self',
  access: 'user',
  rows: 'own log entries',
  facets: ownLogFacets,
  filter: logFilter,
})

export const getLog = endpoint({
  method: 'GET',
  path: '/api/log/entry/:id',
  access: 'admin',
  summary: 'One log with its whole texts',
  params: idParams,
  data: log,
})

export const getOwnLog = endpoint({
  method: 'GET',
  path: '/api/log/self/entry/:id',
  access: 'user',
  summary: 'One own log with its whole texts',
  params: idParams,
  data: log,
})

const searchQuery = z.object({ keyword: z.string().trim().default('') })

export const searchLogs = endpoint({
  method: 'GET',
  path: '/api/log/search',
  access: 'admin',
  summary: 'The newest 100 logs whose type is the keyword or whose content begins with it',
  query: searchQuery,
  data: z.array(log),
})

export const searchOwnLogs = endpoint({
  method: 'GET',
  path: '/api/log/self/search',
  access: 'user',
  summary: 'The newest 100 own logs whose type is the keyword',
  query: searchQuery,
  data: z.array(log),
})

export const listTokenLogs = endpoint({
  method: 'GET',
  path: '/api/log/token',
  access: 'token',
  summary: 'The newest 1000 logs of an API key, given in the query or as Authorization',
  query: z.object({ key: z.string().default('') }),
  data: z.array(log),
  cors: true,
  critical: 'proof',
})

export const exportFormats = ['csv', 'json'] as const
const exportQuery = z.object({
  ...logFilter,
  format: z.enum(exportFormats).default('csv'),
  /** Names of the columns of a CSV file, comma separated; all where it is empty. */
  columns: z.string().max(500).default('').catch(''),
})

export const exportLogs = endpoint({
  method: 'GET',
  path: '/api/log/export',
  access: 'admin',
  summary: 'All logs that fit the filters as one file, newest first',
  query: exportQuery,
  answers: 'file',
  fileTypes: ['text/csv', 'application/json'],
})

export const exportOwnLogs = endpoint({
  method: 'GET',
  path: '/api/log/self/export',
  access: 'user',
  summary: 'All own logs that fit the filters as one file, newest first',
  query: exportQuery,
  answers: 'file',
  fileTypes: ['text/csv', 'application/json'],
})

const moment = z.coerce.number().int().nonnegative().default(0).catch(0)

export const logClearing = z.object({
  /** Rows older than the moment that was asked about; 0 when none was. */
  count: z.int(),
  /** Deletion under way; null if there is none. */
  running: z.object({ before: z.int(), total: z.int(), deleted: z.int() }).nullable(),
})

export const getLogClearing = endpoint({
  method: 'GET',
  path: '/api/log/clear',
  access: 'admin',
  summary: 'How many logs are older than a moment, and how far a deletion is',
  query: z.object({ target_timestamp: moment }),
  data: logClearing,
})

export const clearLogs = endpoint({
  method: 'DELETE',
  path: '/api/log/',
  access: 'admin',
  summary: 'Deletes logs older than a moment (unix seconds) in the background; answers how many there are',
  query: z.object({ target_timestamp: moment }),
  data: z.int(),
})

export const statLogs = endpoint({
  method: 'GET',
  path: '/api/log/stat',
  access: 'admin',
  summary: 'Quota in the range; requests and tokens of the last minute',
  query: z.object(logFilter),
  data: stat,
})

export const statOwnLogs = endpoint({
  method: 'GET',
  path: '/api/log/self/stat',
  access: 'user',
  summary: 'The same for own logs',
  query: z.object(logFilter),
  data: stat,
})
