import { useNavigate } from '@tanstack/react-router'
import { defineMessages } from '../../lib/i18n.ts'
import { useStatus } from '../../lib/status.ts'
import { type ExploreLink, exploreSearch } from '../../lib/url/explore-link.ts'
import type { RowAction } from './columns/column.ts'

export const useExploreActionMessages = defineMessages('explore-action', {
  zh: { explore: '数据探索' },
  en: { explore: 'Explore' },
})

/** The action of a row that opens Explore with the row as a filter; none while the dashboard is off. */
export const useExploreAction = (): ((link: ExploreLink) => readonly RowAction[]) => {
  const say = useExploreActionMessages()
  const navigate = useNavigate()
  const { enable_data_export: enabled } = useStatus()
  return (link) =>
    enabled
      ? [
          {
            label: say('explore'),
            icon: 'trend',
            onClick: () => void navigate({ to: '/explore', search: exploreSearch(link) as never }),
          },
        ]
      : []
}
