import { ActionIcon } from '@mantine/core'
import { Hint } from '../../../components/display/hint.tsx'
import { Icon } from '../../../components/display/icon.tsx'
import { useMomentText } from '../../../components/display/time/time-text.tsx'
import { type Channel, calls } from '../../../lib/api/contract.ts'
import { useReadOnly } from '../../../lib/api/staff.ts'
import { useAction } from '../../../lib/query.ts'
import { formatSum } from '../../../lib/text/format.ts'
import { aboutChannels } from '../about-channels.ts'
import classes from '../channels.module.css'
import { useChannelMessages } from '../messages.ts'

/** The balance at the upstream; a click reads it again where the upstream reports one (`canAsk`). */
export const BalanceCell = ({ channel, canAsk }: { channel: Channel; canAsk: boolean }) => {
  const say = useChannelMessages()
  const moment = useMomentText()
  const isReadOnly = useReadOnly()
  const ask = useAction(calls.updateBalance, {
    done: say('balanceDone', { name: channel.name }),
    refresh: aboutChannels,
    refreshAfterFailure: aboutChannels,
  })
  const isKnown = channel.balance_updated_time > 0
  if (!isKnown && !canAsk) return <span className="faint">—</span>
  return (
    <span className={classes.balance}>
      {isKnown ? (
        <Hint label={say('balanceAt', { time: moment(channel.balance_updated_time) })}>
          <span className="num">{formatSum(channel.balance)}</span>
        </Hint>
      ) : (
        <span className="faint">—</span>
      )}
      {canAsk && !isReadOnly && (
        <ActionIcon
          size={26}
          loading={ask.busy}
          aria-label={say('balanceRefresh', { name: channel.name })}
          title={say('balanceRefresh', { name: channel.name })}
          onClick={() => void ask.run({ params: { id: channel.id } })}
        >
          <Icon name="refresh" size={13} />
        </ActionIcon>
      )}
    </span>
  )
}
