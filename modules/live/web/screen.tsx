import { Button, Skeleton } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { PageHeader } from '#web/components/page-header.tsx'
import { ScreenParts } from '#web/components/parts/screen-parts.tsx'
import { ErrorState } from '#web/components/states.tsx'
import { calls, type LivePicture } from '#web/lib/api/contract.ts'
import type { FirstRead } from '#web/lib/loading/read-ahead.ts'
import { useEndpoint } from '#web/lib/query.ts'
import { useStatus } from '#web/lib/status.ts'
import { formatInteger, formatPercent, formatQuotaSum } from '#web/lib/text/format.ts'
import { formatClock } from '#web/lib/text/format-time.ts'
import { useTimeZone } from '#web/lib/time/time-zone.ts'
import { BehindTheCalls } from './behind.tsx'
import { TroubledChannels } from './channels.tsx'
import { LiveCharts } from './charts.tsx'
import { LastErrors } from './errors.tsx'
import classes from './live.module.css'
import { useLiveMessages } from './messages.ts'
import { Nodes } from './nodes.tsx'
import { msText, rateText } from './texts.ts'

export const firstRead: FirstRead = (read) => read(calls.getLive)

/** Often enough to follow, and seldom enough for the limit of calls per address. */
const everySeconds = 3

const Figure = (props: { name: string; value: string; fact: string; tone?: 'warn' | 'bad' | undefined }) => (
  <div>
    <dt>{props.name}</dt>
    <dd className="num" data-tone={props.tone}>
      <b>{props.value}</b>
      <small>{props.fact}</small>
    </dd>
  </div>
)

/** The unit once, where both are in it. */
const both = (p50: number | null, p95: number | null): string => {
  const [low, high] = [msText(p50), msText(p95)]
  return low.endsWith(' s') && high.endsWith(' s') ? `${low.slice(0, -2)} / ${high}` : `${low} / ${high}`
}

const Strip = ({ picture: { now, usual, minutes, channels } }: { picture: LivePicture }) => {
  const say = useLiveMessages()
  const status = useStatus()
  const share = now.calls === 0 ? 0 : now.failed / now.calls
  const trouble = channels.needing_attention
  return (
    <dl className={classes.strip}>
      <Figure
        name={say('callsPerSecond')}
        value={rateText(now.calls_per_second)}
        fact={say('lastMinute', { count: formatInteger(now.calls) })}
      />
      <Figure
        name={say('failed')}
        value={formatPercent(share, 2)}
        fact={say('failedLastMinute', { count: formatInteger(now.failed) })}
        tone={share > 0.05 ? 'bad' : share > 0.01 ? 'warn' : undefined}
      />
      <Figure
        name={say('firstToken')}
        value={both(now.first_p50_ms, now.first_p95_ms)}
        fact={say('usual', { value: both(usual.first_p50_ms, usual.first_p95_ms) })}
      />
      <Figure
        name={say('running')}
        value={formatInteger(now.running)}
        fact={say('peak', { count: formatInteger(Math.max(now.running, ...minutes.map(({ running }) => running))) })}
      />
      <Figure
        name={say('spend')}
        value={formatQuotaSum(now.quota, status)}
        fact={say('spendHour', { value: formatQuotaSum(now.quota * 60, status) })}
      />
      <Figure
        name={say('trouble')}
        value={formatInteger(trouble)}
        fact={say('ofAll', { count: channels.all })}
        tone={trouble > 0 ? 'warn' : undefined}
      />
    </dl>
  )
}

const Body = ({ picture }: { picture: LivePicture }): ReactNode => (
  <>
    <Strip picture={picture} />
    <LiveCharts minutes={picture.minutes} />
    <div className={classes.below}>
      <div className={classes.column}>
        <TroubledChannels channels={picture.channels} />
        <Nodes nodes={picture.nodes} now={picture.at} />
      </div>
      <div className={classes.column}>
        <BehindTheCalls picture={picture} />
        <LastErrors errors={picture.errors} />
        <ScreenParts place="live side" />
      </div>
    </div>
  </>
)

/** Present activity of all nodes. */
export const LiveScreen = () => {
  const say = useLiveMessages()
  const zone = useTimeZone()
  const [paused, setPaused] = useState(false)
  const { data, error, refetch } = useEndpoint(calls.getLive, {}, paused ? {} : { refreshEveryMs: everySeconds * 1000 })
  return (
    <>
      <PageHeader
        title={say('title')}
        text={say('text', { seconds: everySeconds })}
        actions={
          <>
            {data && (
              <span className={`num ${classes.state}`}>
                <i data-paused={paused || undefined} />
                {paused ? say('paused') : say('updated', { time: formatClock(data.at, zone) })}
              </span>
            )}
            <Button variant="default" onClick={() => setPaused(!paused)}>
              {say(paused ? 'resume' : 'pause')}
            </Button>
          </>
        }
      />
      {data ? (
        <Body picture={data} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton h={620} radius={10} />
      )}
    </>
  )
}
