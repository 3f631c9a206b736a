import { createRequiredWays, type RequiredWay, type RequiredWays } from '../../../src/verification/required-way.ts'

/** A site where one provider is enforced for every address, or none; `bound` are the people whom an organisation binds. */
export const requiring = (way: RequiredWay | undefined, bound: readonly number[] = []): RequiredWays =>
  createRequiredWays(
    () => way,
    async (_organisation, userId) => bound.includes(userId),
  )
