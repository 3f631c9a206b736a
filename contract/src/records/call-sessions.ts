import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { sessionLimits } from '../options/rate-limit.ts'
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

/** Sums of the calls of one conversation in the requested hours. */
export const callSession = z.object({
  /** 16 hex digits; the filter `session` of the log takes them. */
  id: z.string(),
  user_id: z.int(),
  username: z.string(),
  /** The key of one of the session's calls. */
  token_name: z.string(),
  /** The program that made its latest call; empty where it did not say, or the log does not have the call any more. */
  client: z.string(),
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
  summary: 'Sessions of clients, the latest first',
  query: z.object({ ...pageQuery, ...callSessionFilter, username: z.string().trim().max(255).default('') }),
  data: pageOf(callSession),
})

export const listOwnCallSessions = endpoint({
  method: 'GET',
  path: '/api/sessions/self',
  access: 'user',
  summary: 'Own sessions, the latest first',
  query: z.object({ ...pageQuery, ...callSessionFilter }),
  data: pageOf(callSession),
})

/** Seconds after its latest call for which a session counts as running. */
export const sessionRunsFor = 300

/** Sums of all sessions in the requested hours. */
export const callSessionSums = z.object({
  sessions: z.int(),
  /** Of them, those that called something within the last `sessionRunsFor` seconds. */
  running: z.int(),
  /** How many of these sessions paid for cache misses. */
  missed: z.int(),
  /** Quota units. */
  quota: z.int(),
  prompt_tokens: z.int(),
  cached_tokens: z.int(),
  /** Quota units that reading from caches saved, and that misses cost. */
  cache_saved: z.int(),
  cache_lost: z.int(),
})
export type CallSessionSums = z.output<typeof callSessionSums>

export const sumCallSessions = endpoint({
  method: 'GET',
  path: '/api/sessions/sums',
  access: 'admin',
  summary: 'What the sessions of clients came to together',
  query: z.object({ ...callSessionFilter, username: z.string().trim().max(255).default('') }),
  data: callSessionSums,
})

export const sumOwnCallSessions = endpoint({
  method: 'GET',
  path: '/api/sessions/self/sums',
  access: 'user',
  summary: 'What own sessions came to together',
  query: z.object(callSessionFilter),
  data: callSessionSums,
})

/** How far a session is from what stops it. What was used is counted from its first call, or from the first after a day of silence. */
export const callSessionGuard = z.object({
  limits: sessionLimits,
  calls: z.int(),
  /** Quota units. */
  quota: z.int(),
  minutes: z.int(),
})
export type CallSessionGuard = z.output<typeof callSessionGuard>

const oneSession = z.object({ session: z.string().trim().min(1).max(64) })

export const readCallSessionGuard = endpoint({
  method: 'GET',
  path: '/api/sessions/guard',
  access: 'admin',
  summary: 'The limits of a session and what it used of them; null where it has none',
  query: oneSession,
  data: callSessionGuard.nullable(),
})

export const readOwnCallSessionGuard = endpoint({
  method: 'GET',
  path: '/api/sessions/self/guard',
  access: 'user',
  summary: 'The limits of an own session and what it used of them; null where it has none',
  query: oneSession,
  data: callSessionGuard.nullable(),
})
