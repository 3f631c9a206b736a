import {
  browseOrganisationTasks,
  browseOwnTasks,
  browseTasks,
  countOwnTasks,
  countTasks,
  type Language,
  type ListedTask,
  listOwnTasks,
  listTasks,
  type Page,
} from '@tollgate/contract'
import type { OrganisationTasks } from '#server/http/organisation-tasks.ts'
import type { On } from '#server/http/route.ts'
import { withFailCause } from '#server/lib/json/stored-cause.ts'
import type { Tasks } from './tasks.ts'

const forReader = (page: Page<ListedTask>, language: Language): Page<ListedTask> => ({
  ...page,
  items: withFailCause(page.items, language),
})

export const taskRoutes = (on: On, tasks: Tasks, organisationTasks: OrganisationTasks): void => {
  on(listTasks, async ({ query }) => ({ data: await tasks.list({ all: true }, query) }))
  on(listOwnTasks, async ({ query, caller }) => ({ data: await tasks.list({ userId: caller.id }, query) }))
  on(browseTasks, async ({ query, language }) => ({
    data: forReader(await tasks.browse({ all: true }, query), language),
  }))
  on(browseOwnTasks, async ({ query, caller, language }) => ({
    data: forReader(await tasks.browse({ userId: caller.id }, query), language),
  }))
  on(browseOrganisationTasks, async ({ params, query, caller, language }) => {
    const { reader, placed } = await organisationTasks(params.id, caller.id, query)
    const page = forReader(await tasks.browse(reader, query), language)
    return { data: { ...page, items: placed(page.items, await tasks.keysOf(page.items)) } }
  })
  on(countTasks, async ({ query }) => ({ data: await tasks.facet({ all: true }, query) }))
  on(countOwnTasks, async ({ query, caller }) => ({ data: await tasks.facet({ userId: caller.id }, query) }))
}
