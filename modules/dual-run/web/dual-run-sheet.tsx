import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import comparison from '#web/components/comparison/comparison.module.css'
import { TextDifference } from '#web/components/comparison/text-difference.tsx'
import { CallQuota } from '#web/components/display/quota.tsx'
import { TimeText } from '#web/components/display/time/time-text.tsx'
import { Sheet } from '#web/components/sheet.tsx'
import { calls } from '#web/lib/api/contract.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { formatDuration, formatInteger } from '#web/lib/text/format.ts'
import classes from './dual-run.module.css'
import { useDualRunMessages } from './messages.ts'

/** Both answers of one call. */
export const DualRunSheet = ({ id, onClose }: { id: number; onClose: () => void }) => {
  const say = useDualRunMessages()
  const read = useEndpoint(calls.getDualRun, { params: { id } })
  const run = read.data?.id === id ? read.data : undefined
  const line = (label: string, here: ReactNode, there: ReactNode) => (
    <tr>
      <th scope="row">{label}</th>
      <td className="num">{here}</td>
      <td className="num">{there}</td>
    </tr>
  )
  const tokens = (prompt: number, completion: number): string =>
    `${formatInteger(prompt)} + ${formatInteger(completion)}`
  return (
    <Sheet
      opened
      onClose={onClose}
      title={say('name', { id })}
      subtitle={run && <TimeText at={run.created_time} />}
      width={860}
      loading={!run && !read.error}
      error={run ? undefined : read.error}
      onRetry={() => void read.refetch()}
    >
      {run && (
        <div className={classes.details}>
          <table className={comparison.table} aria-label={say('title')}>
            <thead>
              <tr>
                <td className="mono">{run.model}</td>
                <th scope="col">{say('here')}</th>
                <th scope="col">{say('there')}</th>
              </tr>
            </thead>
            <tbody>
              {line(say('status'), 200, run.status || '—')}
              {line(
                say('tokens'),
                tokens(run.prompt_tokens, run.completion_tokens),
                tokens(run.second_prompt_tokens, run.second_completion_tokens),
              )}
              {line(say('cost'), <CallQuota value={run.quota} />, <CallQuota value={run.second_quota} />)}
              {line(say('tools'), run.tool_calls, run.second_tool_calls)}
              {line(say('finish'), run.finish || '—', run.second_finish || '—')}
              {line(say('took'), formatDuration(run.took_ms), formatDuration(run.second_ms))}
            </tbody>
          </table>
          <Link to="/log" search={{ request: run.request_id } as never} className="text-button">
            {say('openLog')}
          </Link>
          {run.error !== '' && <p className={`${comparison.difference} mono`}>{run.error}</p>}
          <TextDifference before={run.text} after={run.second_text} />
        </div>
      )}
    </Sheet>
  )
}
