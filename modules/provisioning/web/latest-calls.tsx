import { Switch } from '@mantine/core'
import { useState } from 'react'
import { StatusBadge } from '#web/components/display/status-badge.tsx'
import { TimeText } from '#web/components/display/time/time-text.tsx'
import { EmptyState } from '#web/components/states.tsx'
import type { ScimCall } from '#web/lib/api/contract.ts'
import { useProvisioningMessages } from './messages.ts'
import classes from './provisioning.module.css'

const mostShown = 50

/** Latest requests of the identity provider, with the reasons of refusals. */
export const LatestCalls = ({ calls }: { calls: readonly ScimCall[] }) => {
  const say = useProvisioningMessages()
  const [refusedOnly, setRefusedOnly] = useState(false)
  const shown = calls.filter(({ status }) => !refusedOnly || status >= 400).slice(0, mostShown)
  return (
    <section className="panel" aria-label={say('calls')}>
      <div className={classes.head}>
        <h2>{say('calls')}</h2>
        {calls.length > 0 && (
          <Switch
            label={say('refusedOnly')}
            checked={refusedOnly}
            onChange={({ currentTarget }) => setRefusedOnly(currentTarget.checked)}
          />
        )}
      </div>
      {shown.length === 0 && <EmptyState icon="list" title={say('callsEmpty')} text={say('callsEmptyText')} />}
      <ul className={classes.rows}>
        {shown.map(({ id, created_time, method, path, status, detail, token_name }) => (
          <li key={id} className={classes.call}>
            <StatusBadge tone={status >= 400 ? 'bad' : 'good'} label={String(status)} />
            <span className={classes.asked}>
              <span className="mono">
                {method} {path}
              </span>
              {detail !== '' && <span className="bad">{detail}</span>}
            </span>
            <span className="faint">
              {token_name} · <TimeText at={created_time} brief />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
