import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { pageOf, pageQuery } from '../page.ts'

/** Why a call did not go where the last call of its session went, or did not know where that was. */
export const sessionMoves = [
  'new',
  'idle',
  'refused',
  'in_trouble',
  'at_limit',
  'nothing_left',
  'too_long',
  'below_cost',
  'not_available',
  'key_in_trouble',
  'key_not_available',
  'bound',
  'hedged',
] as const
export type SessionMove = (typeof sessionMoves)[number]

/** Why a prompt was not read from the provider's cache although the last call of its session had left its beginning there. */
export const missCauses = [
  'moved',
  'model_changed',
  'tools_order',
  'tools_changed',
  'instructions_time',
  'instructions_changed',
  'turns_removed',
  'turn_edited',
  'effort_changed',
  'expired',
  'below_minimum',
  'unknown',
] as const
export type MissCause = (typeof missCauses)[number]

/** How a call went with its session; `session` in the `other` column of its log. */
export const sessionTrace = z.looseObject({
  id: z.string(),
  state: z.enum(['hit', 'moved', 'cold', 'stopped']).catch('hit'),
  why: z.enum(sessionMoves).optional().catch(undefined),
})
export type SessionTrace = z.output<typeof sessionTrace>

/** A miss of the provider's cache; `cache_miss` in the `other` column of a log. */
export const cacheMiss = z.looseObject({
  cause: z.enum(missCauses).catch('unknown'),
  /** Prompt tokens that the cache could have had. */
  tokens: z.int(),
  /** Whole minutes since the session's last call. */
  minutes: z.int().optional(),
  /** Number of the turn that differs, from 1. */
  turn: z.int().optional(),
})
export type CacheMiss = z.output<typeof cacheMiss>

/** What the calls of one conversation came to, in the hours that were asked for. */
export const callSession = z.object({
  /** 16 hex digits; the filter `session` of the log takes them. */
  id: z.string(),
  user_id: z.int(),
  username: z.string(),
  /** Of one of its calls. */
  token_name: z.string(),
  /** Those that it called, by name. */
  models: z.array(z.string()),
  /** Unix seconds; of the hours where the log has none of its calls any more. */
  first_time: z.int(),
  last_time: z.int(),
  calls: z.int(),
  failures: z.int(),
  /** Quota units. */
  quota: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  /** Parts of the prompt that were read from and written to caches, and that caches could have had and had not. */
  cached_tokens: z.int(),
  cache_write_tokens: z.int(),
  missed_tokens: z.int(),
  /** Quota units that reading from caches saved, and that misses cost. */
  cache_saved: z.int(),
  cache_lost: z.int(),
})
export type CallSession = z.output<typeof callSession>

const optionalNumber = z.coerce.number().int().optional().catch(undefined)

export const callSessionFilter = {
  /** Unix seconds; full hours are meant. */
  start_timestamp: optionalNumber,
  end_timestamp: optionalNumber,
  /** The id of one session. */
  session: z.string().trim().max(64).default(''),
  model_name: z.string().trim().max(255).default(''),
}

export const listCallSessions = endpoint({
  method: 'GET',
  path: '/api/sessions/',
  access: 'admin',
  summary: 'Sessions of clients, those with the latest calls first',
  query: z.object({ ...pageQuery, ...callSessionFilter, username: z.string().trim().max(255).default('') }),
  data: pageOf(callSession),
})

export const listOwnCallSessions = endpoint({
  method: 'GET',
  path: '/api/sessions/self',
  access: 'user',
  summary: 'Own sessions, those with the latest calls first',
  query: z.object({ ...pageQuery, ...callSessionFilter }),
  data: pageOf(callSession),
})
