import {
  type AuditEntry,
  countAudit,
  type Language,
  listAudit,
  listAuditActions,
  type Option,
  optionKeys,
  options,
  role,
} from '@tollgate/contract'
import { ownMember } from '@tollgate/contract/own-member'
import type { On } from '../../http/route.ts'
import { readCause } from '../../lib/json/stored-cause.ts'
import { type AuditStore, countLimit } from './store.ts'

/** Keys of the options that a role finds in the settings; undefined for the role that finds all. */
const readableOptions = (callerRole: number): readonly string[] | undefined => {
  if (callerRole >= role.root) return undefined
  return optionKeys.filter((key) => {
    const { see, secret, write }: Option<unknown> = options[key]
    return see <= callerRole && (!secret || write <= callerRole)
  })
}

/** Fields in which the server states why it changed something, or why a test failed. */
const causeFields = ['reason', 'error'] as const

/** An entry with the causes that are the server's own, for a reader. */
const withCauses = (entry: AuditEntry, language: Language): AuditEntry => {
  const causes = causeFields.flatMap((field) => {
    const value = ownMember(entry.after, field)
    const cause = typeof value === 'string' ? readCause(value, language) : undefined
    return cause?.code === undefined ? [] : [[field, cause] as const]
  })
  return causes.length === 0 ? entry : { ...entry, causes: Object.fromEntries(causes) }
}

/** The trail as administrators read it. */
export const auditRoutes = (on: On, store: AuditStore): void => {
  on(listAudit, async ({ query: { p, page_size, ...filter }, caller, language }) => {
    const slice = { offset: (p - 1) * page_size, limit: page_size }
    const { rows, total } = await store.find({ ...filter, optionKeys: readableOptions(caller.role) }, slice)
    const capped = total >= countLimit ? { total_capped: true } : {}
    return { data: { items: rows.map((row) => withCauses(row, language)), total, page: p, page_size, ...capped } }
  })
  on(countAudit, async ({ query: { facet, ...filter }, caller }) => ({
    data: await store.facet({ ...filter, id: undefined, optionKeys: readableOptions(caller.role) }, facet),
  }))
  on(listAuditActions, async () => ({ data: await store.actions() }))
}
