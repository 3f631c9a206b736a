import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { containsText } from './dialect.ts'

/** `!` escapes in patterns, as in `containsText`: the backslash means different things to different engines. */
const escaped = (text: string, special: RegExp): string => text.replace(special, '!$&')

/** True where the whole text fits `pattern`, whatever the case: `%` stands for anything, `_` for itself. */
const fitsPattern = (column: string, pattern: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`lower(${sql.ref(column)}) like lower(${escaped(pattern, /[_!]/g)}) escape '!'`

/** True where a comma list holds `word`. */
export const listHolds = (column: string, word: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`concat(',', ${sql.ref(column)}, ',') like ${`%,${escaped(word, /[%_!]/g)},%`} escape '!'`

/** True where a condition is not, also where its column holds nothing. */
const isNot = (condition: Expression<SqlBool>): RawBuilder<SqlBool> => sql<SqlBool>`not coalesce((${condition}), false)`

/** The conditions of a list's filters, turned round for those that `not` names. */
export const negating =
  (not: readonly string[]) =>
  (name: string, condition: Expression<SqlBool>): Expression<SqlBool> =>
    not.includes(name) ? isNot(condition) : condition

/** Text between quotes is matched literally. */
const quotedIn = (text: string): string | undefined => /^"(.+)"$/.exec(text)?.[1]

/**
 * A filter as people type it: a part of the text, the whole of it between quotes, or a pattern for the whole of it when it
 * holds `%`.
 */
export const textFits = (column: string, text: string): RawBuilder<SqlBool> => {
  const quoted = quotedIn(text)
  if (quoted !== undefined) return sql<SqlBool>`${sql.ref(column)} = ${quoted}`
  return text.includes('%') ? fitsPattern(column, text) : containsText(column, text)
}

/** The same for a text that is here already. */
export const textMatcher = (text: string): ((value: string) => boolean) => {
  const quoted = quotedIn(text)
  if (quoted !== undefined) return (value) => value === quoted
  const wanted = text.toLowerCase()
  if (!text.includes('%')) return (value) => value.toLowerCase().includes(wanted)
  const [head = '', ...rest] = wanted.split('%')
  const tail = rest.pop() ?? ''
  return (value) => {
    const text = value.toLowerCase()
    if (!text.startsWith(head)) return false
    // Part by part from the left: the first place that fits leaves most to the parts that follow.
    let from = head.length
    for (const part of rest) {
      const at = text.indexOf(part, from)
      if (at < 0) return false
      from = at + part.length
    }
    return text.length - tail.length >= from && text.endsWith(tail)
  }
}

/** True where a text begins with `start`, letter by letter. */
export const beginsWith = (column: string, start: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} like ${`${escaped(start, /[%_!]/g)}%`} escape '!'`
