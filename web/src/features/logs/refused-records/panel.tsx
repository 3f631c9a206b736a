import { Button } from '@mantine/core'
import { useState } from 'react'
import { CopyText } from '../../../components/copy/copy-text.tsx'
import { Quota } from '../../../components/display/quota.tsx'
import { TimeText } from '../../../components/display/time/time-text.tsx'
import { useUiMessages } from '../../../components/messages.ts'
import { ErrorState } from '../../../components/states.tsx'
import { calls, type RefusedRecord } from '../../../lib/api/contract.ts'
import { useSession } from '../../../lib/api/session.ts'
import { mayWrite } from '../../../lib/api/staff.ts'
import { useAction, useEndpoint } from '../../../lib/query.ts'
import classes from '../open-records.module.css'
import { type SayRefused, useRefusedMessages } from './messages.ts'

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
    <li className={classes.record}>
      <div className={classes.facts}>
        <CopyText text={id} name={id} />
        <TimeText at={record.created_at} />
        <span>{record.username}</span>
        <span>{record.model_name}</span>
        <Quota value={record.quota} />
        <strong>{chargeWord(record, say)}</strong>
        <span className="faint">{say(record.step === 'charge' ? 'stepCharge' : 'stepLog')}</span>
        {record.retries > 0 && <span className="faint">{say('retries', { count: record.retries })}</span>}
      </div>
      <p className={classes.reason}>
        <span className="faint">{say('reason')}: </span>
        {record.reason}
      </p>
      <div className={classes.acts}>
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
      </div>
      {opened && <Texts id={id} />}
    </li>
  )
}

/** Shown over the log while the database refuses records of the node that answers; nothing otherwise. */
export const RefusedRecords = () => {
  const say = useRefusedMessages()
  const [opened, setOpened] = useState(false)
  const { data } = useEndpoint(calls.listRefusedRecords)
  if (data === undefined || data.total === 0) return null
  return (
    <section className={`panel ${classes.panel}`} aria-labelledby="refused-records">
      <div className={classes.head}>
        <h2 id="refused-records">{say('title', { count: data.total })}</h2>
        <Button size="compact-sm" variant="default" aria-expanded={opened} onClick={() => setOpened(!opened)}>
          {say(opened ? 'close' : 'show')}
        </Button>
      </div>
      <p className={`faint ${classes.text}`}>{say('text', { node: data.node_name })}</p>
      {opened && (
        <ul className={classes.list}>
          {data.items.map((record) => (
            <Row key={record.request_id} record={record} />
          ))}
        </ul>
      )}
      {opened && data.total > data.items.length && <p className="faint">{say('more', { count: data.items.length })}</p>}
    </section>
  )
}
