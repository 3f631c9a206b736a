import { getOffer, type OfferedCall } from '@tollgate/contract'
import type { On } from '../../http/route.ts'

export interface OfferParts {
  /** The relay's own route table, as clients see it. */
  readonly calls: readonly OfferedCall[]
  /** Names of the models that enabled channels serve at this moment. */
  models(): readonly string[]
}

/** What the site offers, as visitors see it. */
export const offerRoutes = (on: On, { calls, models }: OfferParts): void => {
  on(getOffer, () => ({ data: { calls: [...calls], models: models().length } }))
}
