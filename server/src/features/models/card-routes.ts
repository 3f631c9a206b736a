import { getModelUse, listModelCards, listModelMeasures, resetModelCard, role, saveModelCard } from '@tollgate/contract'
import { roleIn } from '../../http/access.ts'
import type { On } from '../../http/route.ts'
import type { ModelCards } from './cards.ts'
import type { ModelStatistics } from './measures.ts'

export interface CardRouteParts {
  readonly cards: ModelCards
  readonly figures: ModelStatistics
  /** Names that enabled channels serve. */
  served(): readonly string[]
  /** Option PublicModelMeasures. */
  visitorsSeeMeasures(): boolean
}

/** Routes of the catalogue's facts about models beside their prices. */
export const cardRoutes = (on: On, { cards, figures, served, visitorsSeeMeasures }: CardRouteParts): void => {
  on(listModelCards, async ({ caller }) => {
    const isOperator = caller !== undefined && roleIn(caller, 'models') >= role.admin
    const all = await cards.list(served())
    return { data: isOperator ? all : all.filter(({ hidden }) => !hidden) }
  })

  on(listModelMeasures, async ({ caller }) => {
    if (caller === undefined && !visitorsSeeMeasures()) return { data: [] }
    const names = new Set(served())
    return { data: (await figures.all()).filter(({ model }) => names.has(model)) }
  })

  on(getModelUse, async ({ query }) => ({ data: await figures.use(query.model) }))

  on(saveModelCard, async ({ body: { model, ...change }, caller, ip }) => ({
    data: await cards.save(model, change, { id: caller.id, username: caller.username, ip }),
  }))

  on(resetModelCard, async ({ query, caller, ip }) => ({
    data: await cards.reset(query.model, { id: caller.id, username: caller.username, ip }),
  }))
}
