import { countAudit, listAudit, listAuditActions, type Option, optionKeys, options, role } from '@tollgate/contract'
import type { On } from '../../http/route.ts'
import { type AuditStore, countLimit } from './store.ts'

/** Keys of the options that a role finds in the settings; undefined for the role that finds all. */
const readableOptions = (callerRole: number): readonly string[] | undefined => {
  if (callerRole >= role.root) return undefined
  return optionKeys.filter((key) => {
    const { see, secret, write }: Option<unknown> = options[key]
    return see <= callerRole && (!secret || write <= callerRole)
  })
}

/** The trail as administrators read it. */
export const auditRoutes = (on: On, store: AuditStore): void => {
  on(listAudit, async ({ query: { p, page_size, ...filter }, caller }) => {
    const slice = { offset: (p - 1) * page_size, limit: page_size }
    const { rows, total } = await store.find({ ...filter, optionKeys: readableOptions(caller.role) }, slice)
    const capped = total >= countLimit ? { total_capped: true } : {}
    return { data: { items: rows, total, page: p, page_size, ...capped } }
  })
  on(countAudit, async ({ query: { facet, ...filter }, caller }) => ({
    data: await store.facet({ ...filter, id: undefined, optionKeys: readableOptions(caller.role) }, facet),
  }))
  on(listAuditActions, async () => ({ data: await store.actions() }))
}
