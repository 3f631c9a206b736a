import { CallQuota } from '../../../components/display/quota.tsx'
import { formatDateTime } from '../../../lib/text/format.ts'
import type { otherOf } from '../other.ts'
import { useLogSheetMessages } from './messages.ts'

/** How a call with a deadline was made, and what that saved against the standard price. */
export const Lane = ({ lane }: { lane: NonNullable<ReturnType<typeof otherOf>['lane']> }) => {
  const say = useLogSheetMessages()
  return (
    <span className="num">
      {`${formatDateTime(lane.deadline)} · ${say(`lane_${lane.lane}`)}`}
      {lane.saved !== 0 && (
        <>
          {` · ${say('laneStandard')} `}
          <CallQuota value={lane.standard} />
          {` · ${say('laneSaved')} `}
          <CallQuota value={lane.saved} />
        </>
      )}
    </span>
  )
}
