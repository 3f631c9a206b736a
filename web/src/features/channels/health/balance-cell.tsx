import { ActionIcon } from '@mantine/core'
import { useState } from 'react'
import { Hint } from '../../../components/display/hint.tsx'
import { Icon } from '../../../components/display/icon.tsx'
import { callWhole } from '../../../lib/api/api.ts'
import { type Channel, calls } from '../../../lib/api/contract.ts'
import { notifyDone, notifyFailure } from '../../../lib/notify.tsx'
import { useRefresh } from '../../../lib/query.ts'
import { formatDateTime, formatMoney } from '../../../lib/text/format.ts'
import { useTimeZone } from '../../../lib/time/time-zone.ts'
import classes from '../channels.module.css'
import { useChannelWords } from '../messages.ts'

/** The balance at the upstream; a click reads it again where the upstream reports one (`canAsk`). */
export const BalanceCell = ({ channel, canAsk }: { channel: Channel; canAsk: boolean }) => {
  const say = useChannelWords()
  const zone = useTimeZone()
  const refresh = useRefresh()
  const [busy, setBusy] = useState(false)
  const isKnown = channel.balance_updated_time > 0
  const ask = async (): Promise<void> => {
    setBusy(true)
    try {
      await callWhole(calls.updateBalance, { params: { id: channel.id } })
      notifyDone(say('balanceDone', { name: channel.name }))
    } catch (error) {
      notifyFailure(error)
    }
    await refresh(calls.browseChannels, calls.getChannel)
    setBusy(false)
  }
  if (!isKnown && !canAsk) return <span className="faint">—</span>
  return (
    <span className={classes.balance}>
      {isKnown ? (
        <Hint label={say('balanceAt', { time: formatDateTime(channel.balance_updated_time, zone) })}>
          <span className="num">{formatMoney(channel.balance)}</span>
        </Hint>
      ) : (
        <span className="faint">—</span>
      )}
      {canAsk && (
        <ActionIcon
          size={26}
          loading={busy}
          aria-label={say('balanceRefresh', { name: channel.name })}
          title={say('balanceRefresh', { name: channel.name })}
          onClick={() => void ask()}
        >
          <Icon name="refresh" size={13} />
        </ActionIcon>
      )}
    </span>
  )
}
