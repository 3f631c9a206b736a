const attempts = 5
const longestFirstPauseMs = 20

/** Codes of failures that a repeated transaction may not meet again: deadlocks, serialisation, lock timeouts, busy. */
const transient: ReadonlySet<unknown> = new Set([
  '40001',
  '40P01',
  'ER_LOCK_DEADLOCK',
  'ER_LOCK_WAIT_TIMEOUT',
  'ER_CHECKREAD',
])

const sqliteBusy = 5
const sqliteLocked = 6

/** True if the same transaction may succeed when it is run again. */
export const isTransient = (error: unknown): boolean => {
  if (typeof error !== 'object' || error === null) return false
  if ('errcode' in error && typeof error.errcode === 'number') {
    const primary = error.errcode & 0xff
    return primary === sqliteBusy || primary === sqliteLocked
  }
  return 'code' in error && transient.has(error.code)
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Runs a transaction up to five times while it fails transiently, with growing random pauses. */
export const retrying = async <T>(transaction: () => Promise<T>, attempt = 1): Promise<T> => {
  try {
    return await transaction()
  } catch (error) {
    if (attempt >= attempts || !isTransient(error)) throw error
    await pause(Math.random() * longestFirstPauseMs * 2 ** (attempt - 1))
    return retrying(transaction, attempt + 1)
  }
}
