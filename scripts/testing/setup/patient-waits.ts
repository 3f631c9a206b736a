import { vi } from 'vitest'

/**
 * Lets `vi.waitFor` and `vi.waitUntil` wait as long as `expect.poll`: a second, which they take by default and no option
 * changes, is too short for a busy machine. For `setupFiles`.
 */
const patienceMs = 30_000
const mark = Symbol.for('tollgate.patient-waits')

const { waitFor, waitUntil } = vi
if (!(mark in vi))
  Object.assign(vi, {
    [mark]: true,
    waitFor: ((callback, options = patienceMs) => waitFor(callback, options)) satisfies typeof waitFor,
    waitUntil: ((callback, options = patienceMs) => waitUntil(callback, options)) satisfies typeof waitUntil,
  })
