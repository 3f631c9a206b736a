import { type OrganisationTaskKind, organisationTaskRow } from '#web/components/parts/organisation-task.ts'
import { type browseOrganisationTasks, calls } from '#web/lib/api/contract.ts'

const otherTasks: OrganisationTaskKind<typeof browseOrganisationTasks> = {
  name: 'other',
  title: { zh: '音乐等', en: 'Music and more' },
  position: 2,
  list: calls.browseOrganisationTasks,
  pageOf: ({ items, total }) => ({
    items: items.map((row) => organisationTaskRow(row, { at: row.submit_time, text: row.task_id })),
    total,
  }),
}

export const organisationTasks = [otherTasks] as const
