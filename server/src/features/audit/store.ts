import type { AuditEntry, AuditFacet, listAudit, QueryOf, ValueCounts } from '@tollgate/contract'
import { parseObject } from '@tollgate/contract/json'
import type { Selectable } from 'kysely'
import type { Database } from '../../db/database.ts'
import { containsText } from '../../db/dialect.ts'
import { countValues } from '../../db/facets.ts'
import type { AuditTable } from '../../db/schema.ts'
import { negating } from '../../db/search.ts'
import { withNames } from './object-names.ts'

export interface AuditFilter extends Omit<QueryOf<typeof listAudit>, 'p' | 'page_size'> {
  /** Ids of `option` entries that may be read; undefined for all. */
  readonly optionKeys: readonly string[] | undefined
}

export interface AuditStore {
  /** Newest first, and how many fit; counting stops at `countLimit`. */
  find(filter: AuditFilter, slice: { offset: number; limit: number }): Promise<{ rows: AuditEntry[]; total: number }>
  actions(): Promise<string[]>
  /** How many entries have each value of a facet, whatever the filter says of it. */
  facet(filter: AuditFilter, name: AuditFacet): Promise<ValueCounts>
}

/** Counting more rows than this would only slow the page down. */
export const countLimit = 10_000

const wholeNumber = /^\d{1,15}$/
/** Columns of the table that are searched. */
const searched = ['action', 'object', 'actor_name', 'object_id', 'ip', 'before', 'after'] as const

const entryOf = (row: Selectable<AuditTable>): AuditEntry => ({
  ...row,
  before: parseObject(row.before),
  after: parseObject(row.after),
})

/** Reads the audit table; `openAudit` writes it. */
export const openAuditStore = (database: Database): AuditStore => {
  const entries = () => database.query.selectFrom('audit')

  const filtered = (filter: AuditFilter) => {
    const { action, object, object_id, ip, keyword, optionKeys } = filter
    const kept = negating(filter.not)
    const actor = filter.actor.trim()
    let rows = entries()
    if (filter.id !== undefined) rows = rows.where('id', '=', filter.id)
    if (wholeNumber.test(actor)) rows = rows.where((is) => kept('actor', is('actor_id', '=', Number(actor))))
    else if (actor !== '') rows = rows.where(kept('actor', containsText('actor_name', actor)))
    if (action.length > 0) rows = rows.where((is) => kept('action', is('action', 'in', action)))
    if (object.length > 0) rows = rows.where((is) => kept('object', is('object', 'in', object)))
    if (object_id.trim() !== '') rows = rows.where((is) => kept('object_id', is('object_id', '=', object_id.trim())))
    if (ip.trim() !== '') rows = rows.where((is) => kept('ip', is('ip', '=', ip.trim())))
    if (filter.start_timestamp !== undefined) rows = rows.where('created_at', '>=', filter.start_timestamp)
    if (filter.end_timestamp !== undefined) rows = rows.where('created_at', '<=', filter.end_timestamp)
    const term = keyword.trim()
    if (term !== '') rows = rows.where((is) => is.or(searched.map((column) => containsText(column, term))))
    if (optionKeys !== undefined) {
      const readable = optionKeys.length > 0 ? [...optionKeys] : ['']
      rows = rows.where((is) => is.or([is('object', '!=', 'option'), is('object_id', 'in', readable)]))
    }
    return rows
  }

  return {
    async find(filter, { offset, limit }) {
      const page = filtered(filter).selectAll().orderBy('id', 'desc').offset(offset).limit(limit)
      const counted = database.query
        .selectFrom(filtered(filter).select('id').limit(countLimit).as('fitting'))
        .select(({ fn }) => fn.countAll<number>().as('total'))
      const [rows, count] = await Promise.all([page.execute(), counted.executeTakeFirst()])
      return { rows: await withNames(database, rows.map(entryOf)), total: Number(count?.total ?? 0) }
    },
    facet: (filter, name) =>
      countValues(
        database,
        filtered({ ...filter, [name]: [] }).select((is) => is.ref(name).as('value')),
      ),
    async actions() {
      const rows = await entries().select('action').distinct().orderBy('action').limit(500).execute()
      return rows.map(({ action }) => action)
    },
  }
}
