import { ownMember } from '@tollgate/contract/own-member'
import { Facts } from '../../components/display/facts.tsx'
import { GroupTag } from '../../components/display/group-tag.tsx'
import { StatusBadge, type Tone } from '../../components/display/status-badge.tsx'
import type { Log } from '../../lib/api/contract.ts'
import { logType } from '../../lib/api/contract.ts'
import { formatInteger } from '../../lib/text/format.ts'
import { contentText } from './details.ts'
import { type SayLog, useLogMessages } from './messages.ts'
import {
  channelPath,
  firstTokenMs,
  firstTokenPace,
  isRequest,
  otherOf,
  tokensPerSecond,
  totalMs,
  totalPace,
} from './other.ts'
import { Paced } from './pace.tsx'

const ends = {
  done: { tone: 'good', word: 'end_done' },
  client_gone: { tone: 'info', word: 'end_client_gone' },
  upstream_broke: { tone: 'bad', word: 'end_upstream_broke' },
  interrupted: { tone: 'warn', word: 'end_interrupted' },
  stopped: { tone: 'warn', word: 'end_stopped' },
  closed: { tone: 'warn', word: 'end_closed' },
  out_of_quota: { tone: 'warn', word: 'end_out_of_quota' },
} as const satisfies Record<string, { tone: Tone; word: string }>

const End = ({ log, say }: { log: Log; say: SayLog }) => {
  if (log.type === logType.error) return <StatusBadge tone="bad" label={say('end_failed')} />
  const end = otherOf(log).end ?? 'done'
  const shown = ownMember<(typeof ends)[keyof typeof ends]>(ends, end)
  return shown ? <StatusBadge tone={shown.tone} label={say(shown.word)} /> : end
}

/** The caller, the request and its result. */
export const Overview = ({ log, isAdmin }: { log: Log; isAdmin: boolean }) => {
  const say = useLogMessages()
  const other = otherOf(log)
  if (!isRequest(log))
    return (
      <Facts
        facts={[
          isAdmin && log.username !== '' && { label: say('user'), value: log.username },
          { label: say('content'), value: log.content },
        ]}
      />
    )
  const ratio = other.receipt?.group_ratio ?? other.group_ratio
  const group = ratio === undefined ? log.group : say('groupRatio', { group: log.group, ratio })
  const owner = [isAdmin ? log.username : '', log.token_name].filter(Boolean).join(' / ')
  return (
    <Facts
      facts={[
        { label: say(isAdmin ? 'userToken' : 'token'), value: owner },
        log.group !== '' && { label: say('group'), value: <GroupTag name={group} /> },
        other.is_model_mapped && other.upstream_model_name
          ? { label: say('askedModel'), value: <span className="mono">{log.model_name}</span> }
          : { label: say('model'), value: <span className="mono">{log.model_name}</span> },
        other.is_model_mapped &&
          other.upstream_model_name && {
            label: say('actualModel'),
            value: <span className="mono">{other.upstream_model_name}</span>,
          },
        isAdmin &&
          channelPath(log) !== '' && {
            label: say('channelInfo'),
            value: `${channelPath(log)} - ${log.channel_name || say('unknownChannel')}`,
          },
        other.path && {
          label: say('path'),
          value: (
            <>
              <span className="mono">{other.path}</span> {say(log.is_stream ? 'stream' : 'notStream')}
            </>
          ),
        },
        {
          label: say('tokens'),
          value: say('tokensInOut', {
            prompt: formatInteger(log.prompt_tokens),
            completion: formatInteger(log.completion_tokens),
          }),
        },
        other.reasoning_effort && { label: say('effort'), value: other.reasoning_effort },
        { label: say('end'), value: <End log={log} say={say} /> },
      ]}
    />
  )
}

/** The cause of a failed request: code, status sent to the client, text, and for admins the internal cause. */
export const Failure = ({ log }: { log: Log }) => {
  const say = useLogMessages()
  const other = otherOf(log)
  return (
    <Facts
      facts={[
        other.error_code && { label: say('errorCode'), value: <span className="mono">{other.error_code}</span> },
        other.status !== undefined && {
          label: say('clientStatus'),
          value: <span className="num">{other.status}</span>,
        },
        other.repeated !== undefined && {
          label: say('repeated'),
          value: <span className="num">{other.repeated}</span>,
        },
        { label: say('error'), value: contentText(log, say) },
        other.admin_info?.cause && {
          label: say('cause'),
          value: <span className="mono">{other.admin_info.cause}</span>,
        },
      ]}
    />
  )
}

/** First token, whole duration, output speed. */
export const Timing = ({ log }: { log: Log }) => {
  const say = useLogMessages()
  const first = firstTokenMs(log)
  const speed = tokensPerSecond(log)
  const total = totalMs(log)
  return (
    <Facts
      facts={[
        {
          label: say('firstToken'),
          value:
            first === undefined ? say('none') : <Paced ms={first} pace={firstTokenPace(first)} hint="firstTokenOf" />,
        },
        { label: say('total'), value: <Paced ms={total} pace={totalPace(total)} hint="totalOf" /> },
        {
          label: say('speed'),
          value: speed === undefined ? say('none') : say('speedOf', { rate: speed.toFixed(speed < 10 ? 1 : 0) }),
        },
      ]}
    />
  )
}
