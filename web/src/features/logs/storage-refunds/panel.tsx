import { Button } from '@mantine/core'
import { useState } from 'react'
import { Quota } from '../../../components/display/quota.tsx'
import { TimeText } from '../../../components/display/time/time-text.tsx'
import { ConfirmAction } from '../../../components/form/confirm-action.tsx'
import { OpenRecord, OpenRecords } from '../../../components/open-records/open-records.tsx'
import { calls, type StorageRefundRow } from '../../../lib/api/contract.ts'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import { refusalText } from '../../../lib/text/refusal-text.ts'
import { useStorageRefundMessages } from './messages.ts'

const Row = ({ refund }: { refund: StorageRefundRow }) => {
  const say = useStorageRefundMessages()
  const [asks, setAsks] = useState(false)
  const { request_id: id } = refund
  const refresh = [calls.listStorageRefunds]
  const retry = useAction(calls.retryStorageRefund, { done: say('retried'), refresh })
  const drop = useAction(calls.dropStorageRefund, { done: say('dropped'), refresh })
  return (
    <OpenRecord
      requestId={id}
      at={refund.created_at}
      facts={
        <>
          <span>{refund.username || `#${refund.user_id}`}</span>
          <span className="mono">{refund.content_name}</span>
          <Quota value={refund.quota} />
          <span className="faint">
            {say('attempts', { count: refund.attempts })} <TimeText at={refund.next_at} />
          </span>
        </>
      }
      reason={{ label: say('reason'), text: refusalText(refund.reason, refund) }}
      acts={
        <>
          <Button
            size="compact-sm"
            loading={retry.busy}
            aria-label={say('retryOf', { id })}
            onClick={() => void retry.run({ params: { id } })}
          >
            {say('retry')}
          </Button>
          <Button size="compact-sm" variant="default" aria-label={say('dropOf', { id })} onClick={() => setAsks(true)}>
            {say('drop')}
          </Button>
        </>
      }
    >
      <ConfirmAction
        opened={asks}
        onClose={() => setAsks(false)}
        title={say('dropTitle')}
        effect={say('dropText')}
        confirmLabel={say('drop')}
        danger
        onConfirm={() => drop.submit({ params: { id } })}
      />
    </OpenRecord>
  )
}

/** Shown over the log while refunds for cached contents could not be made; nothing otherwise. */
export const StorageRefunds = () => {
  const say = useStorageRefundMessages()
  const { data } = useEndpoint(calls.listStorageRefunds)
  if (data === undefined || data.total === 0) return null
  const { items, total } = data
  return (
    <OpenRecords
      name="storage-refunds"
      title={say('title', { count: total })}
      text={say('text')}
      show={say('show')}
      hide={say('close')}
      more={total > items.length ? say('more', { count: items.length }) : undefined}
    >
      {items.map((refund) => (
        <Row key={refund.request_id} refund={refund} />
      ))}
    </OpenRecords>
  )
}
