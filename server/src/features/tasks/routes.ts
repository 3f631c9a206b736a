import {
  browseOrganisationTasks,
  browseOwnTasks,
  browseTasks,
  countOwnTasks,
  countTasks,
  listOwnTasks,
  listTasks,
} from '@tollgate/contract'
import type { OrganisationTasks } from '../../http/organisation-tasks.ts'
import type { On } from '../../http/route.ts'
import type { Tasks } from './tasks.ts'

export const taskRoutes = (on: On, tasks: Tasks, organisationTasks: OrganisationTasks): void => {
  on(listTasks, async ({ query }) => ({ data: await tasks.list({ all: true }, query) }))
  on(listOwnTasks, async ({ query, caller }) => ({ data: await tasks.list({ userId: caller.id }, query) }))
  on(browseTasks, async ({ query }) => ({ data: await tasks.browse({ all: true }, query) }))
  on(browseOwnTasks, async ({ query, caller }) => ({ data: await tasks.browse({ userId: caller.id }, query) }))
  on(browseOrganisationTasks, async ({ params, query, caller }) => {
    const { reader, placed } = await organisationTasks(params.id, caller.id, query)
    const page = await tasks.browse(reader, query)
    return { data: { ...page, items: placed(page.items, await tasks.keysOf(page.items)) } }
  })
  on(countTasks, async ({ query }) => ({ data: await tasks.facet({ all: true }, query) }))
  on(countOwnTasks, async ({ query, caller }) => ({ data: await tasks.facet({ userId: caller.id }, query) }))
}
