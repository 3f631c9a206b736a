import { moduleOrganisationTasks } from '../../../../modules/lists/organisation-tasks.ts'
import type { OrganisationTaskKind } from './organisation-task.ts'

const ofModules: readonly OrganisationTaskKind[] = moduleOrganisationTasks

/** The kinds of all modules, in their order. */
export const organisationTaskKinds = ofModules.toSorted((one, other) => one.position - other.position)
