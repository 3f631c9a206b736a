// Written by `npm run modules` from the folders of modules.
import { organisationTasks as background } from '../background/web/organisation-tasks.ts'
import { organisationTasks as batches } from '../batches/web/organisation-tasks.ts'
import { organisationTasks as drawings } from '../drawings/web/organisation-tasks.ts'
import { organisationTasks as tasks } from '../tasks/web/organisation-tasks.ts'
import { organisationTasks as videos } from '../videos/web/organisation-tasks.ts'

export const moduleOrganisationTasks = [...background, ...batches, ...drawings, ...tasks, ...videos] as const
