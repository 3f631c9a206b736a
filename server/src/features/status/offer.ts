import { getOffer, type OfferedCall } from '@tollgate/contract'
import type { On } from '../../http/route.ts'

export interface OfferParts {
  /** The relay's own route table, as clients see it. */
  readonly calls: readonly OfferedCall[]
  /** Names of the models that enabled channels serve at this moment. */
  models(): readonly string[]
}

/** Calls and models of the site, as visitors see them. */
export const offerRoutes = (on: On, { calls, models }: OfferParts): void => {
  on(getOffer, () => ({ data: { calls: [...calls], models: models().length } }))
}
