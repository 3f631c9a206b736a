import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { expect } from 'vitest'

/**
 * Hashes new passwords at the least cost that argon2 has, except in the test of the hashes themselves: hundreds of tests
 * sign somebody in, and each password takes 35 ms of a core twice. Must run before `password.ts` is loaded.
 */

const { argon2 } = crypto
const mark = Symbol.for('tollgate.quick-password-hashes')

/** Only what `hashPassword` uses; a hash that was made elsewhere keeps its cost. */
const isOurs = ({ memory, passes }: { memory: number; passes: number }): boolean => memory === 19_456 && passes === 2

const quickArgon2: typeof argon2 = (algorithm, parameters, callback) => {
  const isTested = expect.getState().testPath?.endsWith('/password.test.ts') === true
  const quick = isOurs(parameters) && !isTested ? { ...parameters, memory: 8, passes: 1 } : parameters
  argon2(algorithm, quick, callback)
}

if (!(mark in argon2)) {
  crypto.argon2 = Object.assign(quickArgon2, { [mark]: true })
  syncBuiltinESMExports()
}
