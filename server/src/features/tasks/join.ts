import type { FeatureKit } from '../../app/parts.ts'
import { namesOf } from '../../db/names/stored-names.ts'
import type { OrganisationTasks } from '../../http/organisation-tasks.ts'
import { taskRoutes } from './routes.ts'
import { createTasks } from './tasks.ts'

/** Joins the list of asynchronous tasks. */
export const joinTasks = ({ database, on }: FeatureKit, organisationTasks: OrganisationTasks): void =>
  taskRoutes(on, createTasks(database, namesOf(database)), organisationTasks)
