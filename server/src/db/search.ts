import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** `!` escapes in patterns, as in `containsText`: the backslash means different things to different engines. */
const escaped = (text: string, special: RegExp): string => text.replace(special, '!$&')

/** True where the whole text fits `pattern`, whatever the case: `%` stands for anything, `_` for itself. */
export const fitsPattern = (column: string, pattern: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`lower(${sql.ref(column)}) like lower(${escaped(pattern, /[_!]/g)}) escape '!'`

/** True where a comma list holds `word`. */
export const listHolds = (column: string, word: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`concat(',', ${sql.ref(column)}, ',') like ${`%,${escaped(word, /[%_!]/g)},%`} escape '!'`
