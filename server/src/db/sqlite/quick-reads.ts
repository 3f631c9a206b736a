import { moduleSmallTables } from '@tollgate/contract/modules/modules'
import { type CompiledQuery, sql, TableNode } from 'kysely'
import type { Tables } from '../schema.ts'

const words = '/* quick */'

/**
 * At the end of a question that unique keys answer, `modifyEnd(quickQuestion)`. SQLite's writer answers it when it has nothing else
 * to do, so that the first call after a rest waits for no thread to begin. A comment to every engine.
 */
export const quickQuestion = sql.raw(words)

const isQuickQuestion = (statement: string): boolean => statement.endsWith(words)

/**
 * Tables that stay small however many calls, users and years a site has, or of which only few rows are ever asked for by an
 * index. The settings and jobs in them are looked at every few seconds, in an idle process, too.
 */
const smallOfKernel = [
  'backup_runs',
  'call_limits',
  'channel_keys',
  'channels',
  'cluster_jobs',
  'declared_usage',
  'direct_batches',
  'identity_providers',
  'log_purges',
  'notice_deliveries',
  'options',
  'price_changes',
  'price_lists',
  'price_versions',
  'signs_of_life',
  'storage_refunds',
  'virtual_models',
] as const satisfies readonly (keyof Tables)[]

const small: ReadonlySet<string> = new Set<string>([...smallOfKernel, ...moduleSmallTables])

/** `select "id" from "tasks" limit ?`, where nothing is searched, counted or sorted. */
const firstRow = /^select "\w+" from "\w+" limit \?$/

/**
 * True for a question that takes no time worth speaking of, so that the connection that writes may answer it: marked as
 * such, to no table, for a first row, or to one small table alone, without a second question inside it.
 */
export const readsQuickly = ({ query, sql }: CompiledQuery): boolean => {
  if (isQuickQuestion(sql)) return true
  if (query.kind === 'RawNode') return /^\s*select\b/i.test(sql) && !/\bfrom\b/i.test(sql)
  if (query.kind !== 'SelectQueryNode' || query.joins !== undefined || query.from?.froms.length !== 1) return false
  const [from] = query.from.froms
  if (from === undefined || !TableNode.is(from)) return false
  if (firstRow.test(sql)) return true
  return small.has(from.table.identifier.name) && !sql.includes('select', 'select'.length)
}
