import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { cause } from './errors/refusal.ts'
import { countEndpoint } from './facets.ts'
import { notQuery, pageOf, pageQuery, wordList } from './page.ts'

/** Fields of an object, JSON; a secret is `***`. */
const facts = z.record(z.string(), z.unknown())

/** Entry of the audit log: actor, action, object. Only fields that differ are recorded; `before` is empty for a created object. */
export const auditEntry = z.object({
  id: z.int(),
  created_at: z.int(),
  /** 0 is the server itself. */
  actor_id: z.int(),
  actor_name: z.string(),
  /** `<noun>.<verb>`, e.g. `channel.update`. */
  action: z.string(),
  object: z.string(),
  object_id: z.string(),
  /** Name of the object: as recorded with the change, else as it is now. */
  object_name: z.string().optional(),
  /** User whose API key the object is; absent for other objects. */
  object_owner: z.int().optional(),
  /** Names of things whose ids stand in fields of `before` and `after`, by field. */
  names: z.record(z.string(), z.string()).optional(),
  before: facts,
  after: facts,
  ip: z.string(),
  /** Fields of `after` that say why, for the reader, where the text is the server's own. */
  causes: z.record(z.string(), cause).optional(),
})
export type AuditEntry = z.output<typeof auditEntry>

const wholeNumber = z.coerce.number().int().nonnegative().optional().catch(undefined)

export const auditFilter = {
  /** Id or name of who did it. */
  actor: z.string().default(''),
  action: wordList,
  object: wordList,
  object_id: z.string().default(''),
  ip: z.string().default(''),
  /** In the action, the names, the address or the changed fields. */
  keyword: z.string().default(''),
  start_timestamp: wholeNumber,
  end_timestamp: wholeNumber,
  ...notQuery,
}

/** Entries about options that the caller may not see are left out. */
export const listAudit = endpoint({
  method: 'GET',
  path: '/api/audit',
  access: 'admin',
  summary: 'What was changed by whom, newest first',
  query: z.object({
    ...pageQuery,
    ...auditFilter,
    /** One entry; the other filters do not apply. */
    id: wholeNumber,
  }),
  data: pageOf(auditEntry),
})

const auditFacets = ['action', 'object'] as const
export type AuditFacet = (typeof auditFacets)[number]

export const countAudit = countEndpoint({
  path: '/api/audit',
  access: 'admin',
  rows: 'entries of the trail',
  facets: auditFacets,
  filter: auditFilter,
})

/** The actions that the trail holds, for filters. */
export const listAuditActions = endpoint({
  method: 'GET',
  path: '/api/audit/actions',
  access: 'admin',
  summary: 'Names of the actions that were recorded',
  data: z.array(z.string()),
})
