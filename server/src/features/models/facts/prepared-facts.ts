import { onFirstUse } from '../../../lib/on-first-use.ts'
import type { CatalogueFacts, FactsByModel } from './facts-by-model.ts'

/** Facts by model as the bundle stores them. */
export type FactRows = readonly (readonly [key: string, facts: CatalogueFacts])[]

/**
 * Facts about models in the catalogue of prices, read on first use. In the bundle another module replaces this one and reads what it
 * returned at build time (`scripts/bundle/prepared-facts.ts`): the catalogue's package takes 3 MB and a thirtieth of the start.
 */
export const openCatalogueFacts = async (): Promise<() => FactsByModel> => {
  const { readCatalogueFacts } = await import('./catalogue-facts.ts')
  const facts = await readCatalogueFacts()
  return onFirstUse(() => facts)
}
