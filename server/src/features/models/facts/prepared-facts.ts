import { onFirstUse } from '../../../lib/on-first-use.ts'
import type { CatalogueFacts, FactsByModel } from './facts-by-model.ts'

/** Facts by model as the bundle stores them. */
export type FactRows = readonly (readonly [key: string, facts: CatalogueFacts])[]

/**
 * What the catalogue of prices says about models besides prices, read when it is asked for first. In the bundle another module stands
 * here, which reads what this one gave when it was built (`scripts/bundle/prepared-facts.ts`): the catalogue's package takes 3 MB and
 * a thirtieth of the start.
 */
export const openCatalogueFacts = async (): Promise<() => FactsByModel> => {
  const { readCatalogueFacts } = await import('./catalogue-facts.ts')
  const facts = await readCatalogueFacts()
  return onFirstUse(() => facts)
}
