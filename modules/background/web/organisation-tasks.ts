import type { OrganisationTaskKind } from '#web/components/parts/organisation-task.ts'
import { type browseOrganisationBackground, calls } from '#web/lib/api/contract.ts'

const background: OrganisationTaskKind<typeof browseOrganisationBackground> = {
  name: 'background',
  title: { zh: '后台响应', en: 'Background' },
  position: 5,
  list: calls.browseOrganisationBackground,
  pageOf: ({ items, total }) => ({
    items: items.map((row) => ({
      id: row.id,
      at: row.created_at,
      action: row.model,
      text: row.response_id,
      progress: '',
      failed: false,
      // It is charged at its end, when it leaves this list.
      quota: 0,
      project_id: row.project_id,
      member_id: row.member_id,
    })),
    total,
  }),
}

export const organisationTasks = [background] as const
