import { onDemand } from '../../lib/loading/on-demand.tsx'
import { useMark } from '../../lib/preferences/preferences.ts'
import { useSearchParams } from '../../lib/url/search-params.ts'
import { GuideWait } from './guide-wait.tsx'

const GuidePanel = onDemand(
  async () => (await import('./guide.tsx')).GuidePanel,
  () => <GuideWait />,
)

/** Shows the first steps until they are done or dismissed, or when the user asks for them. */
export const GuidePlace = () => {
  const [search] = useSearchParams()
  const [over] = useMark('guide-over')
  const called = search.guide !== undefined
  return over && !called ? null : <GuidePanel called={called} />
}
