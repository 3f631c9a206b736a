import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Facts } from '../../../components/display/facts.tsx'
import { CallQuota } from '../../../components/display/quota.tsx'
import { ScreenParts } from '../../../components/parts/screen-parts.tsx'
import type { LogEntry } from '../../../lib/api/contract.ts'
import { logType } from '../../../lib/api/contract.ts'
import { formatDateTime, formatDuration, formatInteger } from '../../../lib/text/format.ts'
import { ResultText } from '../columns.tsx'
import { useLogMessages } from '../messages.ts'
import { channelPath, firstTokenMs, isRequest, otherOf, tokensPerSecond, totalMs } from '../other.ts'
import { memberText, tagsText } from '../places/place-columns.tsx'
import { keyName } from '../result.ts'
import { contentText } from './details.ts'
import classes from './log-sheet.module.css'
import { useLogSheetMessages } from './messages.ts'
import { UserCard } from './user-card.tsx'

/** Cost, result and times of a call under the title of its sheet. */
export const SheetStrip = ({ log }: { log: LogEntry }) => {
  const say = useLogMessages()
  const saySheet = useLogSheetMessages()
  if (!isRequest(log)) return null
  const first = firstTokenMs(log)
  const figure = (label: string, value: ReactNode) => (
    <div>
      <dt>{label}</dt>
      <dd className="num">{value}</dd>
    </div>
  )
  return (
    <dl className={classes.strip}>
      {figure(say('cost'), <CallQuota value={log.quota} />)}
      {figure(say('result'), <ResultText log={log} />)}
      {figure(saySheet('firstToken'), first === undefined ? say('none') : formatDuration(first))}
      {figure(saySheet('total'), formatDuration(totalMs(log)))}
    </dl>
  )
}

/** As many digits of a session's id as the list shows. */
const shownDigits = 4

/** The caller and what was called, in one line. */
const Caller = ({ log, isAdmin }: { log: LogEntry; isAdmin: boolean }) => {
  const say = useLogMessages()
  const saySheet = useLogSheetMessages()
  const other = otherOf(log)
  const ratio = other.receipt?.group_ratio ?? other.group_ratio
  return (
    // No paragraph: the card of the user holds a list.
    <div className={classes.caller}>
      <span>
        <span className="strong">{keyName(log, say)}</span>
        {isAdmin && log.username !== '' && (
          <>
            {' '}
            {saySheet('of')} <UserCard id={log.user_id} name={log.username} />
          </>
        )}
      </span>
      {log.group !== '' && (
        <span>
          {log.group}
          {ratio !== undefined && ` × ${ratio}`}
        </span>
      )}
      {other.path && <span className="mono">{other.path}</span>}
      {other.session && (
        <Link to="/log" search={{ session: other.session.id } as never}>
          {saySheet('sessionOf', { id: other.session.id.slice(0, shownDigits) })}
        </Link>
      )}
      <span>{say(log.is_stream ? 'stream' : 'notStream')}</span>
    </div>
  )
}

/** The lane of a call with a deadline, and what that saved against the standard price. */
const Lane = ({ lane }: { lane: NonNullable<ReturnType<typeof otherOf>['lane']> }) => {
  const say = useLogSheetMessages()
  return (
    <span className="num">
      {`${formatDateTime(lane.deadline)} · ${say(`lane_${lane.lane}`)}`}
      {lane.saved !== 0 && (
        <>
          {` · ${say('laneStandard')} `}
          <CallQuota value={lane.standard} />
          {` · ${say('laneSaved')} `}
          <CallQuota value={lane.saved} />
        </>
      )}
    </span>
  )
}

/** The caller, the request and its result. */
export const Overview = ({ log, isAdmin }: { log: LogEntry; isAdmin: boolean }) => {
  const say = useLogMessages()
  const saySheet = useLogSheetMessages()
  const other = otherOf(log)
  if (!isRequest(log))
    return (
      <Facts
        facts={[
          isAdmin && log.username !== '' && { label: say('user'), value: log.username },
          { label: say('content'), value: contentText(log, say) },
        ]}
      />
    )
  const isMapped = other.is_model_mapped === true && other.upstream_model_name !== undefined
  const speed = tokensPerSecond(log)
  return (
    <>
      <Caller log={log} isAdmin={isAdmin} />
      {log.type === logType.consume && log.quota > 0 && <ScreenParts place="about a call" about={log.request_id} />}
      <Facts
        facts={[
          isMapped && { label: saySheet('askedModel'), value: <span className="mono">{log.model_name}</span> },
          isMapped && {
            label: saySheet('actualModel'),
            value: <span className="mono">{other.upstream_model_name}</span>,
          },
          isAdmin &&
            channelPath(log) !== '' && {
              label: saySheet('channelInfo'),
              value: channelPath(log) || saySheet('unknownChannel'),
            },
          other.inspected === true && {
            label: saySheet('inspected'),
            value: isAdmin ? (
              <ScreenParts place="captures of a call" about={log.request_id}>
                {saySheet('inspectedYes')}
              </ScreenParts>
            ) : (
              saySheet('inspectedYes')
            ),
          },
          log.place && {
            label: say('organisation'),
            value: `${log.place.organisation.name} · ${log.place.project.name} · ${memberText(log, say)}`,
          },
          other.client && { label: say('client'), value: other.client },
          log.tags && { label: say('tags'), value: <span className="mono">{tagsText(log)}</span> },
          other.reasoning_effort && { label: saySheet('effort'), value: other.reasoning_effort },
          other.lane !== undefined && { label: saySheet('deadline'), value: <Lane lane={other.lane} /> },
          log.type !== logType.error && {
            label: say('tokens'),
            value: (
              <span className="num">
                {saySheet('tokensInOut', {
                  prompt: formatInteger(log.prompt_tokens),
                  completion: formatInteger(log.completion_tokens),
                })}
                {speed !== undefined &&
                  ` · ${saySheet('speedOf', { rate: speed < 10 ? speed.toFixed(1) : formatInteger(Math.round(speed)) })}`}
              </span>
            ),
          },
        ]}
      />
    </>
  )
}

/** The cause of a failed request: code, status sent to the client, text, and for admins the internal cause. */
export const Failure = ({ log }: { log: LogEntry }) => {
  const say = useLogMessages()
  const saySheet = useLogSheetMessages()
  const other = otherOf(log)
  return (
    <Facts
      facts={[
        other.error_code && { label: saySheet('errorCode'), value: <span className="mono">{other.error_code}</span> },
        other.status !== undefined && {
          label: saySheet('clientStatus'),
          value: <span className="num">{other.status}</span>,
        },
        other.repeated !== undefined && {
          label: saySheet('repeated'),
          value: <span className="num">{other.repeated}</span>,
        },
        { label: say('error'), value: contentText(log, say) },
        other.admin_info?.cause && {
          label: saySheet('cause'),
          value: <span className="mono">{other.admin_info.cause}</span>,
        },
      ]}
    />
  )
}
