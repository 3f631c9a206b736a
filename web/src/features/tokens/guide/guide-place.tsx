import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { useMark } from '../../../lib/preferences/preferences.ts'
import { useSearchParams } from '../../../lib/url/search-params.ts'
import { GuideWait } from './guide-wait.tsx'

const GuidePanel = onDemand(
  async () => (await import('./guide.tsx')).GuidePanel,
  () => <GuideWait />,
)

/** Where the first steps stand until they are done or put away, or where somebody asked for them. */
export const GuidePlace = () => {
  const [search] = useSearchParams()
  const [over] = useMark('guide-over')
  const called = search.guide !== undefined
  return over && !called ? null : <GuidePanel called={called} />
}
