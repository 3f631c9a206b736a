import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { Quota } from '../../../components/display/quota.tsx'
import { summedRows } from '../../../components/figure-link.ts'
import { calls, type LogVolume } from '../../../lib/api/contract.ts'
import { onDemand } from '../../../lib/loading/on-demand.tsx'
import { useEndpoint } from '../../../lib/query.ts'
import { formatCompact, formatDuration, formatInteger, formatPercent, formatSuccess } from '../../../lib/text/format.ts'
import { useTimeZone, zoneName } from '../../../lib/time/time-zone.ts'
import { useLogVolumeMessages } from './messages.ts'
import classes from './volume.module.css'
import { areRequests, chargesOf, type VolumeProps } from './volume-props.ts'

const liveEveryMs = 5000

const waiting = () => <Skeleton h="100%" />
const VolumeChart = onDemand(async () => (await import('./volume-chart.tsx')).VolumeChart, waiting)

// Both lists have the same shape; only who may call them differs.
const statOf = (isAdmin: boolean) => (isAdmin ? calls.statLogs : calls.statOwnLogs) as typeof calls.statLogs
const volumeOf = (isAdmin: boolean) =>
  (isAdmin ? calls.getLogVolume : calls.getOwnLogVolume) as typeof calls.getLogVolume

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

interface FigureProps {
  label: string
  hint?: string
  /** Left out where there is little room. */
  minor?: boolean
  children: ReactNode | undefined
}

const Figure = ({ label, hint, minor, children }: FigureProps) => (
  <div title={hint} data-minor={minor}>
    <dt>{label}</dt>
    <dd className="num">{children === undefined ? <Skeleton h={16} w={48} my={4} /> : children}</dd>
  </div>
)

const callsText = (volume: LogVolume): string =>
  `${formatInteger(sum(volume.done) + sum(volume.failed))}${volume.capped ? '+' : ''}`

const successText = (volume: LogVolume): string => {
  const [done, failed] = [sum(volume.done), sum(volume.failed)]
  return done + failed === 0 ? '—' : formatSuccess(done / (done + failed))
}

const firstText = ({ first_p95: ms }: LogVolume): string => (ms === null ? '—' : formatDuration(ms))
const cacheText = ({ cache_share: share }: LogVolume): string => (share === null ? '—' : formatPercent(share, 0))

/** Sums of the list and its calls over time, in one line between the filters and the rows. */
export const LogStrip = (props: VolumeProps) => {
  const say = useLogVolumeMessages()
  const zone = zoneName(useTimeZone())
  const { query, live, isAdmin } = props
  const stat = useEndpoint(statOf(isAdmin), { query }, live ? { refreshEveryMs: liveEveryMs } : {})
  const volume = useEndpoint(
    volumeOf(isAdmin),
    { query: { ...query, zone } },
    live ? { refreshEveryMs: liveEveryMs } : {},
  )
  const note = volume.data?.counted === 'sums' && !volume.data.capped ? { hint: say('volumeSums') } : {}
  const counted = (text: (data: LogVolume) => string): string | undefined =>
    volume.error ? '—' : volume.data && text(volume.data)
  return (
    <section
      className={classes.strip}
      aria-label={say(areRequests(query.type) ? 'volume' : 'volumeOf')}
      {...summedRows({
        calls: volume.data && sum(volume.data.done) + sum(volume.data.failed),
        quota: stat.data && chargesOf(query.type, stat.data.quota),
      })}
    >
      <dl className={classes.figures}>
        <Figure label={say(areRequests(query.type) ? 'statCalls' : 'statRows')} {...note}>
          {counted(callsText)}
        </Figure>
        <Figure label={say('statQuota')}>
          {stat.data && <Quota value={chargesOf(query.type, stat.data.quota)} />}
        </Figure>
        {areRequests(query.type) && (
          <Figure label={say('statSuccess')} {...note}>
            {counted(successText)}
          </Figure>
        )}
        {areRequests(query.type) && (
          <>
            <Figure minor label={say('statFirst')} hint={say('byHour')}>
              {counted(firstText)}
            </Figure>
            <Figure label={say('statCache')} hint={say('byHour')}>
              {counted(cacheText)}
            </Figure>
          </>
        )}
        <Figure minor label={say('statRpm')} hint={say('perMinute')}>
          {stat.data && formatCompact(stat.data.rpm)}
        </Figure>
        <Figure minor label={say('statTpm')} hint={say('perMinute')}>
          {stat.data && formatCompact(stat.data.tpm)}
        </Figure>
      </dl>
      <div className={classes.chart}>
        {volume.error ? (
          <p className={classes.error}>
            {say('volumeError')}
            <button type="button" className="text-button" onClick={() => void volume.refetch()}>
              {say('volumeRetry')}
            </button>
          </p>
        ) : volume.data ? (
          <VolumeChart volume={volume.data} type={query.type} onRange={props.onRange} />
        ) : (
          waiting()
        )}
      </div>
    </section>
  )
}
