import fc from 'fast-check'

/**
 * The seed of random cases, for `setupFiles`: the same for each run of a tree, so that a change is not blamed for a case that was drawn for
 * the first time. `TEST_SEED=random` draws new cases, as `npm run proof` does, and a number draws those of that run.
 */
const steadySeed = 20_261_130

const wanted = process.env.TEST_SEED
if (wanted !== 'random') {
  const seed = Number(wanted ?? steadySeed)
  if (!Number.isSafeInteger(seed)) throw new Error('TEST_SEED is "random" or an integer.')
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })
}
