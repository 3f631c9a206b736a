import { listUsageSinks } from '@tollgate/contract'
import type { On } from '#server/http/route.ts'
import { readError } from '#server/lib/json/stored-error.ts'
import type { UsageSinks } from './usage-sinks.ts'

/** How far the sinks of usage are, for administrators. */
export const usageSinkRoutes = (on: On, sinks: Pick<UsageSinks, 'states'>): void => {
  on(listUsageSinks, async ({ language }) => {
    const states = await sinks.states()
    const data = states.map((state) => {
      const { text, ...fields } = readError(state.error, language)
      return { ...state, error: text, ...fields }
    })
    return { data }
  })
}
