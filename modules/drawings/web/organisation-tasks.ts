import { type OrganisationTaskKind, organisationTaskRow } from '#web/components/parts/organisation-task.ts'
import { type browseOrganisationDrawings, calls } from '#web/lib/api/contract.ts'

const drawings: OrganisationTaskKind<typeof browseOrganisationDrawings> = {
  name: 'drawings',
  title: { zh: '绘图', en: 'Drawings' },
  position: 1,
  list: calls.browseOrganisationDrawings,
  pageOf: ({ items, total }) => ({
    items: items.map((row) =>
      organisationTaskRow(row, { at: Math.floor(row.submit_time / 1000), text: row.prompt || row.mj_id }),
    ),
    total,
  }),
}

export const organisationTasks = [drawings] as const
