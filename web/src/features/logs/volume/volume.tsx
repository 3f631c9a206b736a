import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { useMark } from '../../../lib/preferences/preferences.ts'
import type { VolumeProps } from './volume-props.ts'

/** Pixels with the gap below: the list stays where it is while the chart is fetched. */
const heights = { open: 174, folded: 48, below: 14 } as const

const VolumePanel = onDemand(async () => (await import('./volume-panel.tsx')).VolumePanel)

/** The volume chart above the log, folded or open. */
export const Volume = (props: VolumeProps) => {
  const [folded, setFolded] = useMark('log-volume-folded')
  return (
    <div style={{ height: folded ? heights.folded : heights.open, marginBottom: heights.below }}>
      <VolumePanel {...props} folded={folded} onFold={setFolded} />
    </div>
  )
}
