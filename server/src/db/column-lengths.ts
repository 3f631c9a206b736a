import { ownMember } from '@tollgate/contract/own-member'
/** The length of every text column that takes part in a key or an index, in characters. */
export const keyTextLength = 255

/**
 * Texts of these columns are cut to their length when they are written in bulk: callers of the gateway choose them,
 * and one that is too long must not stop a whole batch.
 */
const cutColumns: Readonly<Record<string, ReadonlySet<string>>> = {
  logs: new Set(['username', 'token_name', 'model_name', 'group', 'ip']),
  quota_data: new Set(['username', 'model_name']),
  usage_hours: new Set(['token_name', 'group', 'model_name']),
  usage_days: new Set(['token_name', 'group', 'model_name']),
  usage_site_days: new Set(['group', 'model_name']),
  usage_user_periods: new Set(['token_name']),
  speed_hours: new Set(['group', 'model_name']),
  speed_site_hours: new Set(['group', 'model_name']),
  failure_hours: new Set(['group', 'model_name']),
  declared_usage: new Set(['kind_key', 'kind', 'place', 'name', 'model_name', 'request_id']),
  midjourneys: new Set(['mj_id', 'action', 'status', 'progress', 'key_hash']),
  tasks: new Set(['task_id', 'action', 'status', 'progress', 'key_hash']),
}

/** Printed JSON: it is never cut, and holds no zero character but as an escape. */
const jsonColumns: ReadonlySet<string> = new Set(['logs.other', 'ledger_entries.detail'])

/** Function that cuts texts to a column; undefined if every text fits. */
export const fitterOf = (table: string, column: string): ((text: string) => string) | undefined =>
  jsonColumns.has(`${table}.${column}`) ? undefined : (text) => fitting(table, column, text)

/** `text` as `table.column` can hold it: not too long, and without the zero character, which PostgreSQL refuses. */
export const fitting = (table: string, column: string, text: string): string => {
  const cut =
    text.length > keyTextLength && ownMember(cutColumns, table)?.has(column) ? text.slice(0, keyTextLength) : text
  return cut.includes('\0') ? cut.replaceAll('\0', '') : cut
}
