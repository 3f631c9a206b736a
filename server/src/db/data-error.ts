/** SQLite's primary result codes: too big, constraint, mismatch, range. */
const sqliteCodes: ReadonlySet<number> = new Set([18, 19, 20, 25])

/** Classes of SQLSTATE: data exception, integrity constraint, raised by a trigger (two engines), program limit. */
const stateClasses: ReadonlySet<string> = new Set(['22', '23', '45', '54', 'P0'])

/** MySQL and MariaDB give these no SQLSTATE of their own. */
const mysqlCodes: ReadonlySet<unknown> = new Set([
  'ER_NET_PACKET_TOO_LARGE',
  'ER_TRUNCATED_WRONG_VALUE_FOR_FIELD',
  'ER_INVALID_CHARACTER_STRING',
  'ER_CHECK_CONSTRAINT_VIOLATED',
  'ER_CONSTRAINT_FAILED',
  'ER_TOO_BIG_ROWSIZE',
])

const isState = (text: unknown): text is string => typeof text === 'string' && /^[0-9A-Z]{5}$/.test(text)

/**
 * True if a write failed because of its data, and not because of the database: the same rows will be refused again, others may be
 * accepted. False where that is not certain, e.g. when the connection broke.
 */
export const isDataError = (error: unknown): boolean => {
  // A number that no column holds (`storableNumber`) is found before anything is sent.
  if (error instanceof RangeError) return true
  if (typeof error !== 'object' || error === null) return false
  if ('errcode' in error && typeof error.errcode === 'number') return sqliteCodes.has(error.errcode & 0xff)
  if ('code' in error && mysqlCodes.has(error.code)) return true
  const state = 'sqlState' in error ? error.sqlState : 'code' in error ? error.code : undefined
  return isState(state) && stateClasses.has(state.slice(0, 2))
}
