import type { JoinModule } from '#server/app/modules/module-kit.ts'
import { namesOf } from '#server/db/names/stored-names.ts'
import { openOrganisationReaders } from '#server/features/organisations/scopes.ts'
import { taskRoutes } from './routes.ts'
import { createTasks } from './tasks.ts'

/** Joins the list of asynchronous tasks. */
export const join: JoinModule = ({ database, on }) => {
  const { organisationTasks } = openOrganisationReaders(database)
  taskRoutes(on, createTasks(database, namesOf(database)), organisationTasks)
  return {}
}
