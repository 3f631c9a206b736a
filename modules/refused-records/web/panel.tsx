import { Button } from '@mantine/core'
import { useState } from 'react'
import { Quota } from '#web/components/display/quota.tsx'
import { useUiMessages } from '#web/components/messages.ts'
import { OpenRecord, OpenRecords } from '#web/components/open-records/open-records.tsx'
import { ErrorState } from '#web/components/states.tsx'
import { calls, type RefusedRecord } from '#web/lib/api/contract.ts'
import { useSession } from '#web/lib/api/session.ts'
import { mayWrite } from '#web/lib/api/staff.ts'
import { useAction, useEndpoint } from '#web/lib/query.ts'
import { type SayRefused, useRefusedMessages } from './messages.ts'
import classes from './texts.module.css'

const chargeWord = ({ kind, charged }: RefusedRecord, say: SayRefused): string => {
  if (kind === 'error') return say('free')
  return say(charged ? 'charged' : 'notCharged')
}

const Texts = ({ id }: { id: string }) => {
  const say = useRefusedMessages()
  const detail = useEndpoint(calls.getRefusedRecord, { params: { id } })
  if (detail.error) return <ErrorState error={detail.error} onRetry={() => void detail.refetch()} />
  if (detail.data === undefined) return null
  const { content, other, task } = detail.data
  const texts = [
    [say('content'), content],
    [say('other'), other],
    [say('task'), task],
  ] as const
  return (
    <dl className={classes.texts} aria-label={say('detailsOf', { id })}>
      {texts
        .filter(([, text]) => text !== '')
        .map(([name, text]) => (
          <div key={name}>
            <dt className="faint">{name}</dt>
            <dd>
              <pre className="mono">{text}</pre>
            </dd>
          </div>
        ))}
    </dl>
  )
}

const Row = ({ record }: { record: RefusedRecord }) => {
  const say = useRefusedMessages()
  const sayUi = useUiMessages()
  const mayRetry = mayWrite(useSession(), 'billing')
  const [opened, setOpened] = useState(false)
  const { request_id: id } = record
  const retry = useAction(calls.retryRefusedRecord, { done: say('retried'), refresh: [calls.listRefusedRecords] })
  return (
    <OpenRecord
      requestId={id}
      at={record.created_at}
      facts={
        <>
          <span>{record.username}</span>
          <span>{record.model_name}</span>
          <Quota value={record.quota} />
          <strong>{chargeWord(record, say)}</strong>
          <span className="faint">{say(record.step === 'charge' ? 'stepCharge' : 'stepLog')}</span>
          {record.retries > 0 && <span className="faint">{say('retries', { count: record.retries })}</span>}
        </>
      }
      reason={{ label: say('reason'), text: record.reason }}
      acts={
        <>
          <Button
            size="compact-sm"
            loading={retry.busy}
            {...(mayRetry ? {} : { disabled: true, title: sayUi('readOnly') })}
            aria-label={say('retryOf', { id })}
            onClick={() => void retry.run({ params: { id } })}
          >
            {say('retry')}
          </Button>
          <Button size="compact-sm" variant="default" aria-expanded={opened} onClick={() => setOpened(!opened)}>
            {say(opened ? 'hide' : 'details')}
          </Button>
        </>
      }
    >
      {opened && <Texts id={id} />}
    </OpenRecord>
  )
}

/** Shown over the log while the database refuses records of the node that answers; nothing otherwise. */
export const RefusedRecords = () => {
  const say = useRefusedMessages()
  const { data } = useEndpoint(calls.listRefusedRecords)
  if (data === undefined || data.total === 0) return null
  const { items, total } = data
  return (
    <OpenRecords
      name="refused-records"
      title={say('title', { count: total })}
      text={say('text', { node: data.node_name })}
      show={say('show')}
      hide={say('close')}
      more={total > items.length ? say('more', { count: items.length }) : undefined}
    >
      {items.map((record) => (
        <Row key={record.request_id} record={record} />
      ))}
    </OpenRecords>
  )
}
