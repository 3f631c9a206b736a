import type { BatchFacet, browseBatches, ListedBatch, Page, QueryOf, ValueCounts } from '@tollgate/contract'
import { isObject, parseJson } from '@tollgate/contract/json'
import { type SqlBool, sql } from 'kysely'
import type { Database } from '#server/db/database.ts'
import { countValues } from '#server/db/facets.ts'
import { keysOfTasks } from '#server/db/made-by.ts'
import { type NameLookups, nameValues } from '#server/db/names/row-names.ts'
import { createdWithin, negatingFor, readableRows, readTaskPage, type TaskReader } from '#server/db/task-lists.ts'
import { shortText } from '#server/lib/bounded-text.ts'
import type { Batch } from '../forms/batch-form.ts'
import { isOpen, openStates } from '../stored/batch-store.ts'
import type { BatchFigures } from './batch-figures.ts'
import { retriesOf } from './retry.ts'

type BrowseQuery = QueryOf<typeof browseBatches>

/** Scope of batches: all users, with what this operator made among them; one user; or some keys of a wallet. */
export type BatchReader = TaskReader<{ readonly operator: number }>

/** Batches as the console reads them. */
export interface BatchReads {
  browse(reader: BatchReader, query: BrowseQuery): Promise<Page<ListedBatch>>
  facet(reader: BatchReader, name: BatchFacet, query: Omit<BrowseQuery, 'p' | 'page_size'>): Promise<ValueCounts>
  /** Undefined for one that does not exist, or that this reader does not read. */
  find(reader: BatchReader, id: number): Promise<Batch | undefined>
  /** The API keys that made batches. */
  keysOf(batches: readonly { readonly id: number }[]): Promise<ReadonlyMap<number, number>>
}

const beginnings: Readonly<Record<Batch['form'], string>> = {
  openai: 'batch_',
  anthropic: 'msgbatch_',
  gemini: 'batches/',
}

/** The id that clients know. */
export const clientIdOf = ({ form, object_id }: Pick<Batch, 'form' | 'object_id'>): string =>
  `${beginnings[form]}${object_id}`

const objectIdIn = (text: string): string => text.replace(/^(batch_|msgbatch_|batches\/)/, '')

/** UTF-16 units of an error of a line. */
const longestMessage = 300

const errorsOf = ({ errors }: Batch): ListedBatch['errors'] => {
  const list = parseJson(errors)
  return (Array.isArray(list) ? list : []).filter(isObject).map(({ code, line, message }) => ({
    code: String(code),
    line: typeof line === 'number' ? line : null,
    message: shortText(String(message), longestMessage),
  }))
}

const stateOf = (batch: Batch): ListedBatch['state'] => {
  if (isOpen(batch) && batch.cancelling_time > 0) return 'cancelling'
  // Those whose requests are still coming are not listed.
  return batch.state === 'receiving' ? 'validating' : batch.state
}

const filesOf = (batch: Batch): ListedBatch['files'] => {
  if (isOpen(batch)) return []
  if (batch.input_file === '') return batch.succeeded + batch.failed + batch.skipped > 0 ? ['output'] : []
  return [
    ...(batch.output_file === '' ? [] : ['output' as const]),
    ...(batch.error_file === '' ? [] : ['error' as const]),
  ]
}

const shownState = sql<string>`case when cancelling_time > 0 and state in (${sql.join(openStates.map((state) => sql.lit(state)))}) then 'cancelling' else state end`

export interface BatchReadParts {
  readonly database: Pick<Database, 'query'>
  readonly figures: BatchFigures
  readonly names: NameLookups
}

export const createBatchReads = ({ database: { query }, figures, names }: BatchReadParts): BatchReads => {
  const visible = (reader: BatchReader) =>
    query
      .selectFrom('batches')
      .where('hidden', '=', 0)
      .where('state', '!=', 'receiving')
      .where((eb) => eb.and(readableRows(reader)))

  const fitting = (reader: BatchReader, search: Omit<BrowseQuery, 'p' | 'page_size'>) => {
    const kept = negatingFor(reader, search.not)
    return visible(reader).where((eb) =>
      eb.and([
        ...('userId' in reader || !search.user_id ? [] : [kept('user_id', eb('user_id', '=', search.user_id))]),
        ...(search.batch_id === '' ? [] : [eb('object_id', '=', objectIdIn(search.batch_id))]),
        ...(search.state.length === 0
          ? []
          : [kept('state', sql<SqlBool>`${shownState} in (${sql.join([...search.state])})`)]),
        ...(search.form.length === 0 ? [] : [kept('form', sql<SqlBool>`form in (${sql.join([...search.form])})`)]),
        ...createdWithin(search),
      ]),
    )
  }

  const listed = async (rows: readonly Batch[], reader: BatchReader): Promise<ListedBatch[]> => {
    const withNames = !('userId' in reader)
    // Its contents are for the person who made it.
    const isOwn = ({ user_id }: Batch): boolean => !withNames || user_id === reader.operator
    const [costs, models, users] = await Promise.all([
      figures.costs(rows),
      figures.models(rows),
      withNames ? names.userNames([...new Set(rows.map(({ user_id }) => user_id))]) : undefined,
    ])
    return rows.map((row) => ({
      id: row.id,
      batch_id: clientIdOf(row),
      form: row.form,
      endpoint: row.endpoint,
      models: [...(models.get(row.id) ?? [])],
      state: stateOf(row),
      total: row.total,
      succeeded: row.succeeded,
      failed: row.failed,
      skipped: row.skipped,
      quota: costs.get(row.id) ?? 0,
      created_at: row.created_time,
      started_at: row.started_time,
      ended_at: row.ended_time,
      expires_at: row.expires_time,
      errors: errorsOf(row),
      files: isOwn(row) ? filesOf(row) : [],
      retries: isOwn(row) && retriesOf(row),
      user_id: row.user_id,
      ...(users === undefined ? {} : { username: users.get(row.user_id) ?? '' }),
    }))
  }

  return {
    async browse(reader, search) {
      const rows = fitting(reader, search)
      const { found, counts } = await readTaskPage(query, { all: rows.selectAll(), ids: rows.select('id') }, search)
      return { items: await listed(found, reader), ...counts }
    },
    async facet(reader, name, search) {
      const unfiltered = name === 'form' ? { ...search, form: [] } : { ...search, user_id: undefined }
      const rows = fitting(reader, unfiltered)
      const counts = await countValues(
        { query },
        rows.select((eb) => eb.ref(name).as('value')),
      )
      return name === 'user_id' ? nameValues(counts, names.userNames) : counts
    },
    find: (reader, id) => visible(reader).selectAll().where('id', '=', id).executeTakeFirst(),
    keysOf: (batches) =>
      keysOfTasks(
        query,
        'batches',
        batches.map(({ id }) => id),
      ),
  }
}
