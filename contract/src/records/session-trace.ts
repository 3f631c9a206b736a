import { z } from 'zod'

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
