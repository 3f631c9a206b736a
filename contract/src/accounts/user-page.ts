import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { idParams, numberList, pageOf, pageQuery, pageSize, queryChoice, sortQuery, wordList } from '../page.ts'
import { token, tokenEdit } from '../tokens/tokens.ts'
import { user } from './users.ts'

/** Why a balance moved. */
export const ledgerReasons = [
  'opening',
  'charge',
  'adjust',
  'grant',
  'redeem',
  'topup',
  'transfer',
  'refund',
  'correction',
] as const

/** One movement of a balance. */
export const ledgerEntry = z.object({
  id: z.int(),
  created_at: z.int(),
  reason: z.enum(ledgerReasons),
  /** Signed quota units. */
  amount: z.int(),
  /** The balance right after it. */
  balance: z.int(),
  /** Names the movement; repeating one changes nothing. */
  movement: z.string(),
  /** The call that was charged or whose charge was corrected; empty for every other reason. */
  request_id: z.string(),
  /** The user who acted; 0 and empty when the server acted, or when the reader may not know. */
  actor_id: z.int(),
  actor_name: z.string(),
  /** Why, in the words of who did it. */
  note: z.string(),
})
export type LedgerEntry = z.output<typeof ledgerEntry>

const entryId = z.coerce.number().int().positive().optional().catch(undefined)

/** Pages are named by the entries at their edges, so that new movements shift nothing. */
const ledgerQuery = z.object({
  page_size: pageSize,
  /** Entries older than this one. */
  before: entryId,
  /** Entries newer than this one, nearest first. */
  after: entryId,
  reason: wordList,
  /** `aff` is the quota earned by invitations. */
  account: queryChoice(['user', 'aff'], 'user'),
})

/** Newest first. `total` counts what fits the filter, up to a limit. */
export const ledgerPage = z.object({
  items: z.array(ledgerEntry),
  total: z.int(),
  total_capped: z.boolean().optional(),
  /** True if there are older entries. */
  more: z.boolean(),
})
export type LedgerPage = z.output<typeof ledgerPage>

export const listOwnLedger = endpoint({
  method: 'GET',
  path: '/api/user/self/ledger',
  access: 'user',
  summary: 'Every movement of the own balance, newest first',
  query: ledgerQuery,
  unusableBodyStatus: 400,
  data: ledgerPage,
})

export const listUserLedger = endpoint({
  method: 'GET',
  path: '/api/user/:id/ledger',
  access: 'admin',
  summary: "Every movement of a user's balance, newest first",
  params: idParams,
  query: ledgerQuery,
  unusableBodyStatus: 400,
  data: ledgerPage,
})

export const userOverview = z.object({
  user,
  /** Inviter of the user; null for users without one. */
  inviter: z.object({ id: z.int(), username: z.string() }).nullable(),
  /** API keys that are not deleted. */
  tokens: z.int(),
  /** Signed-in browsers. */
  sessions: z.int(),
})
export type UserOverview = z.output<typeof userOverview>

export const getUserOverview = endpoint({
  method: 'GET',
  path: '/api/user/:id/overview',
  access: 'admin',
  summary: 'A user with inviter and counts; cancelled users too',
  params: idParams,
  data: userOverview,
})

export const listUserTokens = endpoint({
  method: 'GET',
  path: '/api/user/:id/tokens',
  access: 'admin',
  summary: "A user's tokens with masked keys",
  params: idParams,
  query: z.object({
    ...pageQuery,
    keyword: z.string().default(''),
    status: numberList,
    /** These alone. */
    ids: numberList.transform((ids) => (ids.length === 0 ? undefined : ids)),
    sort: sortQuery(['id', 'name', 'status', 'used_quota', 'remain_quota', 'expired_time', 'accessed_time']),
  }),
  data: pageOf(token),
})

/** Absent fields stay as they are. */
export const updateUserToken = endpoint({
  method: 'PUT',
  path: '/api/user/:id/tokens/:key',
  access: 'admin',
  summary: 'Changes a token of a user',
  params: idParams.extend({ key: z.coerce.number().int().positive() }),
  body: z.object(tokenEdit),
  data: token,
})

const used = { quota: z.int(), count: z.int(), tokens: z.int() }

const longestUsageDays = 92
export const longestUsageSeconds = longestUsageDays * 86_400

/** Hourly figures of the dashboard, summed by hour and by model. Hours without calls are left out. */
export const userUsage = z.object({
  hours: z.array(z.object({ /** Start of the hour. */ at: z.int(), ...used })),
  models: z.array(z.object({ model: z.string(), ...used })),
  /** Calls that the user left before the first byte and that cost their prompt, since the day of that moment (UTC). */
  aborted: z.object({ count: z.int(), quota: z.int() }),
})
export type UserUsage = z.output<typeof userUsage>

export const getUserUsage = endpoint({
  method: 'GET',
  path: '/api/user/:id/usage',
  access: 'admin',
  summary: 'What a user spent since a moment, by hour and by model; at most 92 days back',
  params: idParams,
  query: z.object({ start_timestamp: z.coerce.number().int().nonnegative() }),
  data: userUsage,
})

export const invitee = z.object({
  id: z.int(),
  username: z.string(),
  display_name: z.string(),
  status: z.int(),
  /** RFC 3339, or null while the account lives. */
  DeletedAt: z.string().nullable(),
  created_time: z.int(),
  used_quota: z.int(),
})
export type Invitee = z.output<typeof invitee>

export const listInvitees = endpoint({
  method: 'GET',
  path: '/api/user/:id/invitees',
  access: 'admin',
  summary: 'Who was invited by a user, newest first',
  params: idParams,
  query: z.object(pageQuery),
  data: pageOf(invitee),
})

export const userSession = z.object({
  /** A digest of the session, never the cookie's value. */
  id: z.string(),
  created_time: z.int(),
  last_seen_time: z.int(),
  expires_time: z.int(),
  ip: z.string(),
  user_agent: z.string(),
})
export type UserSession = z.output<typeof userSession>

export const listUserSessions = endpoint({
  method: 'GET',
  path: '/api/user/:id/sessions',
  access: 'admin',
  summary: "A user's signed-in browsers, last used first",
  params: idParams,
  query: z.object(pageQuery),
  data: pageOf(userSession),
})

export const endUserSession = endpoint({
  method: 'DELETE',
  path: '/api/user/:id/sessions/:session',
  access: 'admin',
  summary: 'Signs one browser of a user out',
  params: idParams.extend({ session: z.string() }),
})

export const endUserSessions = endpoint({
  method: 'DELETE',
  path: '/api/user/:id/sessions',
  access: 'admin',
  summary: 'Signs a user out everywhere',
  params: idParams,
})
