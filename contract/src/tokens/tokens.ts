import { z } from 'zod'
import { auditEntry } from '../audit.ts'
import { batchResult, batchRows, batchSummary, exactNumbers, restoreAct } from '../batches.ts'
import { endpoint } from '../endpoint.ts'
import { countEndpoint } from '../facets.ts'
import {
  idParams,
  notQuery,
  numberList,
  pageOf,
  pageQuery,
  pageSize,
  sortQuery,
  zeroPageQuery,
  zoneQuery,
} from '../page.ts'
import { mostTokensAtOnce } from '../sizes.ts'
import { costTags } from './tags.ts'

export const tokenStatus = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const

/** `expired_time` of a token that never expires. */
export const neverExpires = -1

export const token = z.object({
  id: z.int(),
  user_id: z.int(),
  /** Masked (`abc***xyz`, without `sk-`) in lists; whole only from `revealToken` and `createToken`. */
  key: z.string(),
  status: z.int(),
  name: z.string(),
  created_time: z.int(),
  accessed_time: z.int(),
  expired_time: z.int(),
  remain_quota: z.int(),
  unlimited_quota: z.boolean(),
  model_limits_enabled: z.boolean(),
  model_limits: z.string(),
  allow_ips: z.string(),
  used_quota: z.int(),
  group: z.string(),
  /** Cost tags, which each of its calls has. */
  tags: z.record(z.string(), z.string()),
  /** True if answers to its calls say what they cost, where a call does not say otherwise. */
  include_cost: z.boolean(),
  /** True if calls without a deadline are refused. */
  deadline_only: z.boolean(),
  DeletedAt: z.string().nullable(),
})
export type Token = z.output<typeof token>

const someIds = z.array(z.int().positive()).min(1).max(mostTokensAtOnce)

const largestQuota = Number.MAX_SAFE_INTEGER
const fields = {
  name: z.string(),
  expired_time: z.int(),
  remain_quota: z.int().min(0).max(largestQuota),
  unlimited_quota: z.boolean(),
  model_limits_enabled: z.boolean(),
  model_limits: z.string(),
  allow_ips: z.string(),
  group: z.string(),
  tags: costTags,
  include_cost: z.boolean(),
  deadline_only: z.boolean(),
}
export const tokenFields = z.object(fields)

export const listTokens = endpoint({
  method: 'GET',
  path: '/api/token/',
  access: 'user',
  summary: 'Own tokens, newest first, page 0 first',
  query: z.object({ ...zeroPageQuery, size: pageSize }),
  data: z.array(token),
})

export const searchTokens = endpoint({
  method: 'GET',
  path: '/api/token/search',
  access: 'user',
  summary: 'Own tokens by name and key',
  query: z.object({ keyword: z.string().default(''), token: z.string().default('') }),
  data: z.array(token),
})

export const tokenFilter = {
  keyword: z.string().default(''),
  token: z.string().default(''),
  status: numberList,
  group: z.string().default(''),
  ...notQuery,
}

export const browseTokens = endpoint({
  method: 'GET',
  path: '/api/token/browse',
  access: 'user',
  summary: 'A page of own tokens with total, filters and order',
  query: z.object({
    ...pageQuery,
    ...tokenFilter,
    sort: sortQuery([
      'id',
      'name',
      'status',
      'used_quota',
      'remain_quota',
      'created_time',
      'expired_time',
      'accessed_time',
    ]),
  }),
  data: pageOf(token),
})

const tokenFacets = ['status', 'group'] as const
export type TokenFacet = (typeof tokenFacets)[number]

export const countTokens = countEndpoint({
  path: '/api/token',
  access: 'user',
  rows: 'own tokens',
  facets: tokenFacets,
  filter: tokenFilter,
})

export const batchTokens = endpoint({
  method: 'POST',
  path: '/api/token/batch/run',
  access: 'user',
  summary: batchSummary('own tokens'),
  body: z.object({
    which: batchRows({ ...tokenFilter, status: exactNumbers }),
    act: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('delete') }),
      restoreAct,
      z.object({ kind: z.literal('status'), status: z.literal([tokenStatus.enabled, tokenStatus.disabled]) }),
      /** Empty for the group of the token's owner. */
      z.object({ kind: z.literal('group'), group: z.string() }),
    ]),
  }),
  data: batchResult,
})

/** Days of `getTokensUsage`, today among them. */
export const tokenUsageDays = 14

export const tokenUsage = z.object({
  /** Start of each day in the zone that was asked for, the oldest first. */
  days: z.array(z.int()),
  /** Only keys that were used in these days. */
  tokens: z.array(z.object({ id: z.int(), quota: z.array(z.int()), count: z.array(z.int()) })),
})
export type TokenUsage = z.output<typeof tokenUsage>

export const getTokensUsage = endpoint({
  method: 'GET',
  path: '/api/token/usage',
  access: 'user',
  summary:
    'What own tokens spent on each of the last 14 days, and how many calls they made; ids of others are passed over',
  query: z.object({
    ids: numberList.transform((ids) => ids.slice(0, mostTokensAtOnce)),
    /** IANA name; days begin at its midnight. */
    zone: zoneQuery,
  }),
  data: tokenUsage,
})

export const getToken = endpoint({
  method: 'GET',
  path: '/api/token/:id',
  access: 'user',
  summary: 'One own token',
  params: idParams,
  data: token,
})

export const tokenHistory = endpoint({
  method: 'GET',
  path: '/api/token/:id/history',
  access: 'user',
  summary: 'What was changed of an own token and when it was shown, newest first; the newest 20',
  params: idParams,
  data: z.array(auditEntry),
})

/** A call of its own, so that lists never carry keys. The answer has no `sk-` prefix. */
export const revealToken = endpoint({
  method: 'POST',
  path: '/api/token/:id/key',
  access: 'user',
  confirm: true,
  summary: 'The whole key of an own token',
  params: idParams,
  data: z.object({ key: z.string() }),
})

/** Several at once, in the order of `ids`; for copying them together. */
export const revealTokens = endpoint({
  method: 'POST',
  path: '/api/token/keys',
  access: 'user',
  confirm: true,
  summary: 'The whole keys of several own tokens',
  body: z.object({ ids: someIds }),
  data: z.array(z.object({ id: z.int(), name: z.string(), key: z.string() })),
})

/** Everything else of the token stays; the old key stops working at once. */
export const rotateToken = endpoint({
  method: 'POST',
  path: '/api/token/:id/rotate',
  access: 'user',
  confirm: true,
  summary: 'Gives an own token a new key; the answer holds it',
  params: idParams,
  data: token,
})

const newFields = {
  ...fields,
  expired_time: fields.expired_time.default(neverExpires),
  remain_quota: fields.remain_quota.default(0),
  unlimited_quota: fields.unlimited_quota.default(false),
  model_limits_enabled: fields.model_limits_enabled.default(false),
  model_limits: fields.model_limits.default(''),
  allow_ips: fields.allow_ips.nullish().transform((text) => text ?? ''),
  group: fields.group.default(''),
  tags: costTags.optional(),
  include_cost: fields.include_cost.optional(),
  deadline_only: fields.deadline_only.optional(),
}

export const newTokenFields = z.object(newFields)

export const createToken = endpoint({
  method: 'POST',
  path: '/api/token/',
  access: 'user',
  summary: 'Creates a token; the answer holds its key',
  body: newTokenFields,
  data: token,
})

/** Tokens that are alike but for key and name: from the second on, `-` and six letters and digits follow the name. */
export const createTokens = endpoint({
  method: 'POST',
  path: '/api/token/batch/create',
  access: 'user',
  summary: 'Creates several tokens, all or none; the answer holds their keys',
  body: z.object({ ...newFields, count: z.int().min(1).max(mostTokensAtOnce) }),
  data: z.array(token),
})

export const setTokensStatus = endpoint({
  method: 'POST',
  path: '/api/token/batch/status',
  access: 'user',
  summary: 'Switches several own tokens on or off',
  body: z.object({ ids: someIds, status: z.literal([tokenStatus.enabled, tokenStatus.disabled]) }),
  /** `refused`: expired or exhausted ones, which cannot be switched on. */
  data: z.object({ changed: z.array(z.int()), refused: z.array(z.int()) }),
})

export const deleteTokens = endpoint({
  method: 'POST',
  path: '/api/token/batch',
  access: 'user',
  summary: 'Deletes several own tokens; the answer says how many there were',
  body: z.object({ ids: someIds }),
  data: z.int(),
})

/** Changed fields of a token. */
export const tokenEdit = {
  ...tokenFields.partial().shape,
  status: z.int().optional(),
  allow_ips: z.string().nullish(),
}

/** With `status_only` only the status changes. Absent fields stay as they are. */
export const updateToken = endpoint({
  method: 'PUT',
  path: '/api/token/',
  access: 'user',
  summary: 'Changes an own token',
  query: z.object({ status_only: z.string().optional() }),
  body: z.object({ ...tokenEdit, id: z.int().positive() }),
  data: token,
})

export const deleteToken = endpoint({
  method: 'DELETE',
  path: '/api/token/:id',
  access: 'user',
  summary: 'Deletes an own token',
  params: idParams,
})
