import { type OrganisationTaskKind, organisationTaskRow } from '../../../components/parts/organisation-task.ts'
import { type browseOrganisationTasks, calls } from '../../../lib/api/contract.ts'

export const otherTasks: OrganisationTaskKind<typeof browseOrganisationTasks> = {
  name: 'other',
  title: { zh: '音乐等', en: 'Music and more' },
  position: 2,
  list: calls.browseOrganisationTasks,
  pageOf: ({ items, total }) => ({
    items: items.map((row) => organisationTaskRow(row, { at: row.submit_time, text: row.task_id })),
    total,
  }),
}
