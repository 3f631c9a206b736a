import { browseOwnTasks, browseTasks, countOwnTasks, countTasks, listOwnTasks, listTasks } from '@tollgate/contract'
import type { On } from '../../http/route.ts'
import type { Tasks } from './tasks.ts'

export const taskRoutes = (on: On, tasks: Tasks): void => {
  on(listTasks, async ({ query }) => ({ data: await tasks.list({ all: true }, query) }))
  on(listOwnTasks, async ({ query, caller }) => ({ data: await tasks.list({ userId: caller.id }, query) }))
  on(browseTasks, async ({ query }) => ({ data: await tasks.browse({ all: true }, query) }))
  on(browseOwnTasks, async ({ query, caller }) => ({ data: await tasks.browse({ userId: caller.id }, query) }))
  on(countTasks, async ({ query }) => ({ data: await tasks.facet({ all: true }, query) }))
  on(countOwnTasks, async ({ query, caller }) => ({ data: await tasks.facet({ userId: caller.id }, query) }))
}
