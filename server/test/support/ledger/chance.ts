import type { Database } from '../../../src/db/database.ts'

/** Numbers from 0 up to 1 that a seed repeats. */
export const seeded = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * Fails before, inside and after transactions and inserts, each time with the chance `share`: the last looks like a failure
 * although everything was written.
 */
export const unreliable = (database: Database, random: () => number, share: number): Database => {
  const maybeFail = (where: string): void => {
    if (random() < share) throw new Error(`the database went away ${where}`)
  }
  return {
    ...database,
    async transaction(work) {
      maybeFail('before')
      const result = await database.transaction(async (trx) => {
        const done = await work(trx)
        maybeFail('inside')
        return done
      })
      maybeFail('after')
      return result
    },
    async insertMany(table, rows, how) {
      if (how?.trx === undefined) maybeFail('before')
      await database.insertMany(table, rows, how)
      if (how?.trx === undefined) maybeFail('after')
    },
  }
}
