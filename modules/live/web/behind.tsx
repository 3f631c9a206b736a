import type { ReactNode } from 'react'
import { StatusBadge } from '#web/components/display/status-badge.tsx'
import type { LiveNode, LivePicture } from '#web/lib/api/contract.ts'
import { useStatus } from '#web/lib/status.ts'
import { formatInteger, formatQuotaSum } from '#web/lib/text/format.ts'
import classes from './live.module.css'
import { useLiveMessages } from './messages.ts'
import { bytesText, msText, shortMsText } from './texts.ts'

const [width, height] = [96, 28]

/** A figure over the last hour as a small line without names; the number beside it says what it is now. */
const Spark = ({ values }: { values: readonly number[] }) => {
  const most = Math.max(1, ...values)
  const path = values
    .map((value, index) => {
      const x = (index / Math.max(1, values.length - 1)) * width
      return `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${(height - 2 - (value / most) * (height - 4)).toFixed(1)}`
    })
    .join('')
  return (
    <svg className={classes.spark} width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <path d={path} />
    </svg>
  )
}

const Queue = (props: { name: string; fact: string; values?: readonly number[]; value: ReactNode }) => (
  <div className={classes.queue}>
    <p>
      {props.name}
      <small className="num">{props.fact}</small>
    </p>
    {props.values ? <Spark values={props.values} /> : <span />}
    <b className="num">{props.value}</b>
  </div>
)

const sum = (nodes: readonly LiveNode[], of: (node: LiveNode) => number): number =>
  nodes.reduce((all, node) => all + of(node), 0)

/** The slowest answer of any node; null where one gets none. */
const slowest = (times: readonly (number | null)[]): number | null =>
  times.some((ms) => ms === null) ? null : Math.max(0, ...times.filter((ms) => ms !== null))

/** Queues, reservations, and what the nodes stand on. */
export const BehindTheCalls = ({ picture: { nodes, minutes } }: { picture: LivePicture }) => {
  const say = useLiveMessages()
  const status = useStatus()
  const oldest = Math.max(0, ...nodes.map((node) => node.oldest_ms))
  const database = slowest(nodes.map((node) => node.database_ms))
  const redis = nodes.flatMap(({ redis_ms: ms }) => (ms === undefined ? [] : [ms]))
  const stand = (name: string, ms: number | null): ReactNode => (
    <StatusBadge
      tone={ms === null ? 'bad' : 'good'}
      label={`${name} ${ms === null ? say('noAnswer') : shortMsText(ms)}`}
    />
  )
  return (
    <section className="panel" aria-label={say('behind')}>
      <div className={classes.head}>
        <h2>{say('behind')}</h2>
      </div>
      <Queue
        name={say('waiting')}
        fact={say('oldest', { value: msText(oldest) })}
        values={minutes.map(({ waiting }) => waiting)}
        value={formatInteger(sum(nodes, ({ waiting }) => waiting))}
      />
      <Queue
        name={say('journal')}
        fact={say('segments', { count: sum(nodes, ({ journal_segments: segments }) => segments) })}
        value={bytesText(sum(nodes, ({ journal_bytes: bytes }) => bytes))}
      />
      <Queue
        name={say('holds')}
        fact={say('reserved', {
          value: formatQuotaSum(
            sum(nodes, ({ held_quota: quota }) => quota),
            status,
          ),
        })}
        values={minutes.map(({ holds }) => holds)}
        value={formatInteger(sum(nodes, ({ holds }) => holds))}
      />
      <div className={classes.stands}>
        {stand(say('database'), database)}
        {redis.length > 0 && stand('Redis', slowest(redis))}
      </div>
    </section>
  )
}
