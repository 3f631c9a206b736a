import type { OrganisationTaskKind } from '#web/components/parts/organisation-task.ts'
import { type browseOrganisationBatches, calls } from '#web/lib/api/contract.ts'
import { percentOf } from './percent.ts'

const batches: OrganisationTaskKind<typeof browseOrganisationBatches> = {
  name: 'batches',
  title: { zh: '批处理', en: 'Batches' },
  position: 3,
  list: calls.browseOrganisationBatches,
  pageOf: ({ items, total }) => ({
    items: items.map((row) => ({
      id: row.id,
      at: row.created_at,
      action: row.endpoint || row.form,
      text: row.models.join(', ') || row.batch_id,
      progress: percentOf(row),
      failed: row.state === 'failed',
      quota: row.quota,
      project_id: row.project_id,
      member_id: row.member_id,
    })),
    total,
  }),
}

export const organisationTasks = [batches] as const
