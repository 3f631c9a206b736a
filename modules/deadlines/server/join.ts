import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { createDeadlineCalls } from './calls/deadline-calls.ts'
import { keepHalfHours } from './decision/half-hour-prices.ts'

/** Joins deadlines of calls. */
export const join: JoinModule = ({ prices, sources, clock }) => ({
  deadlines: createDeadlineCalls({ prices: keepHalfHours(prices, () => sources.now), clock }),
})
