import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { limitMeasures, limitSubjects, limitWindows } from './limit-choices.ts'

/** Counters of a limit that are listed, those closest to their end first. */
export const mostListedCounters = 5
/** Things that a search for subjects finds. */
export const mostFoundSubjects = 20
const longestKeyword = 100

/** A subject by name. */
export const namedSubject = z.object({
  kind: z.enum(limitSubjects),
  /** Id or name as limits hold it; empty where each one counts by itself. */
  value: z.string(),
  /** Display name; empty if the object is deleted, or if no object is named. */
  name: z.string(),
})
export type NamedSubject = z.output<typeof namedSubject>

/** State of one limit for one caller. */
export const limitState = z.object({
  id: z.int(),
  name: z.string(),
  measure: z.enum(limitMeasures),
  window: z.enum(limitWindows),
  hours: z.int(),
  /** True where calls beyond it are refused. */
  refuses: z.boolean(),
  /** The model that answers calls beyond it instead; empty for none. */
  fallback_model: z.string(),
  /** Subject whose calls are counted, e.g. `key 5` or `group vip, model gpt-5`. */
  subject: z.string(),
  /** The same in parts. */
  subjects: z.array(namedSubject),
  amount: z.int(),
  used: z.int(),
  /** Not used, and not reserved by calls under way. */
  left: z.int(),
  /** Unix seconds at which all of it is free again; 0 for never, and where calls under way are counted. */
  free_at: z.int(),
  /** Unix seconds at which it is used up at the pace of this window so far; 0 where it lasts, and where nothing can be said. */
  used_up_at: z.int(),
})
export type LimitState = z.output<typeof limitState>

const id = z.coerce.number().int().positive().catch(0)
const ownCaller = z.object({ key: id })
const anyCaller = z.object({ key: id, user: id })

export const readLimitStates = endpoint({
  method: 'GET',
  path: '/api/limits/state',
  access: 'admin',
  summary: 'What counts for the calls of a key, or of a user without one, and where it stands',
  query: anyCaller,
  data: z.array(limitState),
})

export const readOwnLimitStates = endpoint({
  method: 'GET',
  path: '/api/limits/self/state',
  access: 'user',
  summary: 'What counts for the calls of an own key, or of oneself without one, and where it stands',
  query: ownCaller,
  data: z.array(limitState),
})

/** State of one limit for all its subjects. */
export const limitStanding = z.object({
  id: z.int(),
  /** The subjects of the limit by name. */
  subjects: z.array(namedSubject),
  /** Subjects closest to the limit, 5 at most. */
  states: z.array(limitState),
  /** How many are counted now, as the node that answers knows. */
  counted: z.int(),
})
export type LimitStanding = z.output<typeof limitStanding>

export const readLimitStanding = endpoint({
  method: 'GET',
  path: '/api/limits/standing',
  access: 'admin',
  summary: 'Every enabled limit with those of its subjects that have used most of it',
  data: z.array(limitStanding),
})

export const readOwnLimitStanding = endpoint({
  method: 'GET',
  path: '/api/limits/self/standing',
  access: 'user',
  summary: 'Limits on own keys that a user has set, and where they stand',
  data: z.array(limitStanding),
})

export const foundSubject = z.object({
  value: z.string(),
  name: z.string(),
  /** Tells things of the same name apart: the user of a key, for instance. */
  note: z.string(),
})
export type FoundSubject = z.output<typeof foundSubject>

const subjectQuery = z.object({
  kind: z.enum(limitSubjects),
  keyword: z.string().trim().max(longestKeyword).default(''),
})

export const findLimitSubjects = endpoint({
  method: 'GET',
  path: '/api/limits/subjects',
  access: 'admin',
  summary: `Keys, users, models and other subjects of limits whose name or number contains a text; ${mostFoundSubjects} at most`,
  query: subjectQuery,
  data: z.array(foundSubject),
})

export const findOwnLimitSubjects = endpoint({
  method: 'GET',
  path: '/api/limits/self/subjects',
  access: 'user',
  summary: `Own keys, and models, whose name or number contains a text; ${mostFoundSubjects} at most`,
  query: subjectQuery,
  data: z.array(foundSubject),
})
