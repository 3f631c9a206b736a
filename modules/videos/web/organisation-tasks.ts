import type { OrganisationTaskKind } from '#web/components/parts/organisation-task.ts'
import { type browseOrganisationVideos, calls } from '#web/lib/api/contract.ts'

const videos: OrganisationTaskKind<typeof browseOrganisationVideos> = {
  name: 'videos',
  title: { zh: '视频', en: 'Videos' },
  position: 4,
  list: calls.browseOrganisationVideos,
  pageOf: ({ items, total }) => ({
    items: items.map((row) => ({
      id: row.id,
      at: row.created_at,
      action: row.model,
      text: row.prompt,
      progress: `${row.progress}%`,
      failed: row.state === 'failed',
      quota: row.quota,
      project_id: row.project_id,
      member_id: row.member_id,
    })),
    total,
  }),
}

export const organisationTasks = [videos] as const
