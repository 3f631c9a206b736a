import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useStatus } from '../lib/status.ts'
import { type ExploreLink, exploreSearch } from '../lib/url/explore-link.ts'
import { useExploreActionMessages } from './data-table/explore-action.ts'

/** Opens Explore with a page's object as a filter; nothing while the dashboard is off. */
export const ExploreButton = ({ link }: { link: ExploreLink }) => {
  const say = useExploreActionMessages()
  const navigate = useNavigate()
  if (!useStatus().enable_data_export) return null
  return (
    <Button variant="subtle" onClick={() => void navigate({ to: '/explore', search: exploreSearch(link) as never })}>
      {say('explore')}
    </Button>
  )
}
