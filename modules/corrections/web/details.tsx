import { Button } from '@mantine/core'
import { useState } from 'react'
import { Figures } from '#web/components/display/figures.tsx'
import { Icon } from '#web/components/display/icon.tsx'
import { Quota, useQuotaText } from '#web/components/display/quota.tsx'
import { TimeText, useMomentText } from '#web/components/display/time/time-text.tsx'
import { UserLink } from '#web/components/display/user-link.tsx'
import { ConfirmAction } from '#web/components/form/confirm-action.tsx'
import { ScrollFrame } from '#web/components/scroll-frame.tsx'
import { Sheet } from '#web/components/sheet.tsx'
import { type Correction, type CorrectionDetail, calls } from '#web/lib/api/contract.ts'
import { download } from '#web/lib/download.ts'
import { useAction, useEndpoint } from '#web/lib/query.ts'
import { formatInteger } from '#web/lib/text/format.ts'
import { Difference, windowText } from './amounts.tsx'
import classes from './corrections.module.css'
import { useCorrectionMessages } from './messages.ts'
import { StateBadge } from './state-badge.tsx'

const refreshMs = 2_000

/** True while the server works on it. */
const isWorking = ({ state }: Pick<Correction, 'state'>): boolean => state === 'preparing' || state === 'applying'

const Progress = ({ correction }: { correction: Correction }) => {
  const say = useCorrectionMessages()
  const { state, seen, calls: total, applied, skipped } = correction
  const done = applied + skipped
  if (state === 'preparing') return <p role="status">{say('seen', { count: formatInteger(seen) })}</p>
  if (state !== 'applying') return null
  return (
    <div role="status">
      <progress value={done} max={Math.max(1, total)} className={classes.progress} />
      <span className="num">{say('progress', { done: formatInteger(done), total: formatInteger(total) })}</span>
    </div>
  )
}

const LeftOut = ({ correction }: { correction: Correction }) => {
  const say = useCorrectionMessages()
  const reasons = Object.entries(correction.left_out) as [keyof Correction['left_out'], number][]
  const lines = [
    ...reasons.map(([reason, count]) => say(`left_${reason}`, { count: formatInteger(count) })),
    ...(correction.skipped > 0 ? [say('skipped', { count: formatInteger(correction.skipped) })] : []),
  ]
  if (lines.length === 0) return null
  return (
    <section>
      <h3>{say('leftOut')}</h3>
      <p className={classes.note}>{lines.join(' · ')}</p>
    </section>
  )
}

const Users = ({ detail }: { detail: CorrectionDetail }) => {
  const say = useCorrectionMessages()
  if (detail.users_changed.length === 0) return null
  return (
    <section>
      <h3>{say('perUser')}</h3>
      <ScrollFrame label={say('perUser')} className={classes.frame}>
        <table className={classes.table} aria-label={say('perUser')}>
          <thead>
            <tr>
              <th scope="col">{say('user')}</th>
              <th scope="col">{say('calls')}</th>
              <th scope="col">{say('before')}</th>
              <th scope="col">{say('after')}</th>
              <th scope="col">{say('difference')}</th>
            </tr>
          </thead>
          <tbody>
            {detail.users_changed.map((user) => (
              <tr key={user.user_id}>
                <th scope="row">
                  <UserLink id={user.user_id} name={user.username || `#${user.user_id}`} />
                </th>
                <td className="num">{formatInteger(user.calls)}</td>
                <td>
                  <Quota value={user.old_quota} />
                </td>
                <td>
                  <Quota value={user.new_quota} />
                </td>
                <td>
                  <Difference before={user.old_quota} after={user.new_quota} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollFrame>
      {detail.users_total > detail.users_changed.length && (
        <p className={classes.note}>
          {say('moreUsers', { shown: detail.users_changed.length, total: formatInteger(detail.users_total) })}
        </p>
      )}
    </section>
  )
}

const Facts = ({ detail }: { detail: CorrectionDetail }) => {
  const say = useCorrectionMessages()
  const moment = useMomentText()
  const facts: readonly (readonly [string, string])[] = [
    [say('window'), windowText(detail, moment)],
    [say('models'), detail.models.join(', ')],
    [say('channels'), detail.channels.map((id) => `#${id}`).join(', ')],
    [say('users'), detail.users.map((id) => `#${id}`).join(', ')],
    [say('actor'), detail.actor_name],
    [say('note'), detail.note],
  ]
  return (
    <dl className={classes.facts}>
      {facts
        .filter(([, text]) => text !== '')
        .map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
    </dl>
  )
}

const Actions = ({ detail }: { detail: CorrectionDetail }) => {
  const say = useCorrectionMessages()
  const quotaText = useQuotaText()
  const [asked, setAsked] = useState(false)
  const refresh = [calls.listCorrections, calls.getCorrection]
  const apply = useAction(calls.applyCorrection, { refresh })
  const cancel = useAction(calls.cancelCorrection, { refresh })
  const parts = { params: { id: detail.id } }
  const save = useAction((format: 'csv' | 'json') =>
    download(calls.exportCorrection, { ...parts, query: { format } }, `correction-${detail.id}.${format}`),
  )
  const open = detail.state === 'ready' || detail.state === 'preparing'
  return (
    <div className={classes.actions}>
      {detail.state === 'ready' && detail.calls > 0 && (
        <Button variant="filled" onClick={() => setAsked(true)}>
          {say('apply')}
        </Button>
      )}
      {open && (
        <Button loading={cancel.busy} onClick={() => void cancel.run(parts)}>
          {say('cancel')}
        </Button>
      )}
      {detail.state !== 'cancelled' && detail.state !== 'preparing' && (
        <>
          <Button leftSection={<Icon name="download" size={14} />} onClick={() => void save.run('csv')}>
            {say('csv')}
          </Button>
          <Button leftSection={<Icon name="download" size={14} />} onClick={() => void save.run('json')}>
            {say('json')}
          </Button>
        </>
      )}
      <ConfirmAction
        opened={asked}
        onClose={() => setAsked(false)}
        onConfirm={() => apply.submit(parts)}
        title={say('applyAsk', { calls: formatInteger(detail.calls) })}
        confirmLabel={say('applyNow')}
        effect={say('applyText', {
          users: formatInteger(detail.users_total),
          amount: quotaText(detail.old_quota - detail.new_quota),
        })}
      />
    </div>
  )
}

/** Effect of a correction by user, and its progress. */
export const CorrectionSheet = ({ id, onClose }: { id: number; onClose: () => void }) => {
  const say = useCorrectionMessages()
  const [works, setWorks] = useState(true)
  const correction = useEndpoint(
    calls.getCorrection,
    { params: { id } },
    { staleTimeMs: 0, ...(works ? { refreshEveryMs: refreshMs } : {}) },
  )
  const detail = correction.data?.id === id ? correction.data : undefined
  if (detail && isWorking(detail) !== works) setWorks(isWorking(detail))
  return (
    <Sheet
      opened
      onClose={onClose}
      title={say('name', { id })}
      subtitle={detail && <TimeText at={detail.created_at} />}
      width={720}
      loading={!detail && !correction.error}
      error={detail ? undefined : correction.error}
      onRetry={() => void correction.refetch()}
    >
      {detail && (
        <div className={classes.details}>
          <div>
            <StateBadge correction={detail} />
          </div>
          <Progress correction={detail} />
          <Figures
            figures={[
              { label: say('calls'), value: formatInteger(detail.calls) },
              { label: say('before'), value: <Quota value={detail.old_quota} /> },
              { label: say('after'), value: <Quota value={detail.new_quota} /> },
              {
                label: say('difference'),
                value: <Difference before={detail.old_quota} after={detail.new_quota} />,
              },
            ]}
          />
          <Actions detail={detail} />
          <Facts detail={detail} />
          <Users detail={detail} />
          <LeftOut correction={detail} />
        </div>
      )}
    </Sheet>
  )
}
