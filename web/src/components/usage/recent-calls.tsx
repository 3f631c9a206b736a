import { Link } from '@tanstack/react-router'
import { parseObject } from '@tollgate/contract/json'
import { calls, type LogEntry, type LogOther, logType } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { formatDuration, formatInteger } from '../../lib/text/format.ts'
import { CallQuota } from '../display/quota.tsx'
import { TimeText } from '../display/time/time-text.tsx'
import { Logo } from '../logo/logo.tsx'
import { ScrollFrame } from '../scroll-frame.tsx'
import { EmptyState, ErrorState } from '../states.tsx'
import { type SayUsage, useUsageMessages } from './messages.ts'
import { UsagePanel } from './panel.tsx'
import type { UsageScope } from './scope.ts'
import classes from './usage.module.css'

const shownCalls = 10

interface Outcome {
  readonly tone: 'good' | 'bad' | 'off'
  readonly text: string
}

const outcomeOf = (log: LogEntry, { end, status }: LogOther, say: SayUsage): Outcome => {
  if (end === 'client_gone') return { tone: 'off', text: say('cancelledCall') }
  if (log.type !== logType.error) return { tone: 'good', text: say('answered') }
  return { tone: 'bad', text: status ? say('failedStatus', { status }) : say('failed') }
}

const Row = ({ log }: { log: LogEntry }) => {
  const say = useUsageMessages()
  const other: LogOther = parseObject(log.other)
  const { tone, text } = outcomeOf(log, other, say)
  const total = other.duration_ms ?? log.use_time * 1000
  return (
    <tr>
      <td>
        <Link to="/log" search={{ request: log.request_id } as never}>
          <TimeText at={log.created_at} brief /> <span className="visually-hidden">{say('openCall')}</span>
        </Link>
      </td>
      <td>
        <span className={classes.named}>
          <Logo of={{ model: log.model_name }} name={log.model_name} />
          <span className="mono">{log.model_name}</span>
        </span>
      </td>
      <td>
        <span className={classes.outcome} data-tone={tone}>
          {text}
        </span>
      </td>
      <td className={`${classes.number} ${classes.broad}`}>{formatDuration(total)}</td>
      <td className={`${classes.number} ${classes.wide}`}>{formatInteger(log.prompt_tokens)}</td>
      <td className={`${classes.number} ${classes.wide}`}>{formatInteger(log.completion_tokens)}</td>
      <td className={classes.number}>
        <CallQuota value={log.quota} />
      </td>
    </tr>
  )
}

/** The latest calls; each leads to its entry in the log. */
export const RecentCalls = ({ scope }: { scope: UsageScope }) => {
  const say = useUsageMessages()
  const list = (scope.mine ? calls.listOwnLogs : calls.listLogs) as typeof calls.listLogs
  const { type: _, ...filters } = scope.log
  const found = useEndpoint(list, { query: { ...filters, page_size: shownCalls } as never }, { staleTimeMs: 5000 })
  const { data, error } = found
  const rows = (data?.items ?? []).filter(({ type }) => type === logType.consume || type === logType.error)
  return (
    <UsagePanel
      title={say('recent')}
      note={
        <Link to="/log" search={{ ...scope.log, range: '30d' } as never}>
          {say('wholeLog')}
        </Link>
      }
    >
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void found.refetch()} />
      ) : data && rows.length === 0 ? (
        <EmptyState icon="document" title={say('noCalls')} />
      ) : (
        <ScrollFrame label={say('tableOf', { name: say('recent') })} className={classes.scroll}>
          <table className={`${classes.table} num`}>
            <thead>
              <tr>
                <th>{say('time')}</th>
                <th>{say('model')}</th>
                <th>{say('result')}</th>
                <th className={`${classes.number} ${classes.broad}`}>{say('duration')}</th>
                <th className={`${classes.number} ${classes.wide}`}>{say('input')}</th>
                <th className={`${classes.number} ${classes.wide}`}>{say('output')}</th>
                <th className={classes.number}>{say('cost')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((log) => (
                <Row key={log.id} log={log} />
              ))}
            </tbody>
          </table>
        </ScrollFrame>
      )}
    </UsagePanel>
  )
}
