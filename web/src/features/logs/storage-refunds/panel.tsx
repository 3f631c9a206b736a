import { Button } from '@mantine/core'
import { useState } from 'react'
import { CopyText } from '../../../components/copy/copy-text.tsx'
import { Quota } from '../../../components/display/quota.tsx'
import { TimeText } from '../../../components/display/time/time-text.tsx'
import { ConfirmAction } from '../../../components/form/confirm-action.tsx'
import { calls, type StorageRefundRow } from '../../../lib/api/contract.ts'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import { refusalText } from '../../../lib/text/refusal-text.ts'
import classes from '../open-records.module.css'
import { useStorageRefundMessages } from './messages.ts'

const Row = ({ refund }: { refund: StorageRefundRow }) => {
  const say = useStorageRefundMessages()
  const [asks, setAsks] = useState(false)
  const { request_id: id } = refund
  const refresh = [calls.listStorageRefunds]
  const retry = useAction(calls.retryStorageRefund, { done: say('retried'), refresh })
  const drop = useAction(calls.dropStorageRefund, { done: say('dropped'), refresh })
  return (
    <li className={classes.record}>
      <div className={classes.facts}>
        <CopyText text={id} name={id} />
        <TimeText at={refund.created_at} />
        <span>{refund.username || `#${refund.user_id}`}</span>
        <span className="mono">{refund.content_name}</span>
        <Quota value={refund.quota} />
        <span className="faint">
          {say('attempts', { count: refund.attempts })} <TimeText at={refund.next_at} />
        </span>
      </div>
      <p className={classes.reason}>
        <span className="faint">{say('reason')}: </span>
        {refusalText(refund.reason, refund)}
      </p>
      <div className={classes.acts}>
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
      </div>
      <ConfirmAction
        opened={asks}
        onClose={() => setAsks(false)}
        title={say('dropTitle')}
        effect={say('dropText')}
        confirmLabel={say('drop')}
        danger
        onConfirm={() => drop.submit({ params: { id } })}
      />
    </li>
  )
}

/** Shown over the log while refunds for cached contents could not be made; nothing otherwise. */
export const StorageRefunds = () => {
  const say = useStorageRefundMessages()
  const [opened, setOpened] = useState(false)
  const { data } = useEndpoint(calls.listStorageRefunds)
  if (data === undefined || data.total === 0) return null
  return (
    <section className={`panel ${classes.panel}`} aria-labelledby="storage-refunds">
      <div className={classes.head}>
        <h2 id="storage-refunds">{say('title', { count: data.total })}</h2>
        <Button size="compact-sm" variant="default" aria-expanded={opened} onClick={() => setOpened(!opened)}>
          {say(opened ? 'close' : 'show')}
        </Button>
      </div>
      <p className={`faint ${classes.text}`}>{say('text')}</p>
      {opened && (
        <ul className={classes.list}>
          {data.items.map((refund) => (
            <Row key={refund.request_id} refund={refund} />
          ))}
        </ul>
      )}
      {opened && data.total > data.items.length && <p className="faint">{say('more', { count: data.items.length })}</p>}
    </section>
  )
}
