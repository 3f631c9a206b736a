import { Skeleton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { FineRows } from '../../../components/display/fine-rows.tsx'
import { Quota } from '../../../components/display/quota.tsx'
import { UserLink } from '../../../components/display/user-link.tsx'
import { Logo } from '../../../components/logo/logo.tsx'
import { ScrollFrame } from '../../../components/scroll-frame.tsx'
import { ErrorState } from '../../../components/states.tsx'
import { calls, type ModelMeasures } from '../../../lib/api/contract.ts'
import { useEndpoint } from '../../../lib/query.ts'
import { formatDuration, formatInteger, formatPercent, formatSuccess } from '../../../lib/text/format.ts'
import { useCatalogueMessages } from '../catalogue/messages.ts'
import { UptimeBars } from '../catalogue/uptime-bars.tsx'
import { isMeasured, tokensPerSecond } from '../catalogue/words.ts'
import { useModelPageMessages } from './messages.ts'
import classes from './model.module.css'
import { Panel } from './panel.tsx'

interface Row {
  readonly key: string
  readonly name: ReactNode
  readonly measures: Omit<ModelMeasures, 'model'>
  /** Of 1; undefined where it is not known. */
  readonly share: number | undefined
}

const SpeedTable = ({ rows }: { rows: readonly Row[] }) => {
  const say = useModelPageMessages()
  const sayCatalogue = useCatalogueMessages()
  const hasShares = rows.some(({ share }) => share !== undefined)
  const or = (value: number | null, print: (value: number) => string): string => (value === null ? '—' : print(value))
  return (
    <ScrollFrame label={say('speed')} className={classes.scroll}>
      <table className={classes.table} aria-label={say('speed')}>
        <thead>
          <tr>
            <th scope="col">{say('channel')}</th>
            <th scope="col">{say('firstP50')}</th>
            <th scope="col">{say('firstP95')}</th>
            <th scope="col">{say('output')}</th>
            <th scope="col">{say('uptime')}</th>
            {hasShares && <th scope="col">{say('share')}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, measures, share }) => {
            const uptime = or(measures.uptime, formatSuccess)
            return (
              <tr key={key}>
                <th scope="row">{name}</th>
                <td>{or(measures.first_p50, formatDuration)}</td>
                <td>{or(measures.first_p95, formatDuration)}</td>
                <td>{or(measures.speed, (speed) => tokensPerSecond(speed, sayCatalogue))}</td>
                <td>
                  <div className={classes.uptime}>
                    <UptimeBars days={measures.days} label={sayCatalogue('uptimeOf', { value: uptime })} />
                    <span>{uptime}</span>
                  </div>
                </td>
                {hasShares && <td>{share === undefined ? '—' : formatPercent(share)}</td>}
              </tr>
            )
          })}
        </tbody>
      </table>
    </ScrollFrame>
  )
}

/** Speed and uptime of all channels together, for readers who may see them. */
export const SumSpeed = ({ measures, isPublic }: { measures: ModelMeasures | undefined; isPublic: boolean }) => {
  const say = useModelPageMessages()
  if (!isPublic) return null
  return (
    <Panel title={say('speed')} sub={say('speedSub')}>
      {isMeasured(measures) ? (
        <SpeedTable rows={[{ key: 'all', name: say('allChannels'), measures, share: undefined }]} />
      ) : (
        <p className={`muted ${classes.body}`}>{say('noCalls')}</p>
      )}
    </Panel>
  )
}

/** For operators: speed and uptime on each channel, and who calls it most. */
export const ChannelSpeed = ({ model }: { model: string }) => {
  const say = useModelPageMessages()
  const { data, error, refetch } = useEndpoint(calls.getModelUse, { query: { model } }, { staleTimeMs: 60_000 })
  if (error !== null && data === undefined) {
    return (
      <Panel title={say('speed')}>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Panel>
    )
  }
  const rows = data?.channels.map((channel): Row => {
    const name = channel.name || (channel.channel_id === 0 ? say('noChannel') : say('gone', { id: channel.channel_id }))
    return {
      key: String(channel.channel_id),
      name: (
        <span className={classes.named}>
          {channel.channel_id !== 0 && <Logo of={{ type: channel.type }} name={name} />}
          {channel.name === '' ? (
            name
          ) : (
            <Link to="/channel/edit/$id" params={{ id: String(channel.channel_id) }}>
              {name}
            </Link>
          )}
        </span>
      ),
      measures: channel,
      share: data.calls > 0 ? channel.calls / data.calls : undefined,
    }
  })
  return (
    <>
      <Panel title={say('speed')} sub={say('speedSub')}>
        {rows === undefined ? (
          <Skeleton h={72} m={16} w="auto" />
        ) : rows.length === 0 ? (
          <p className={`muted ${classes.body}`}>{say('noCalls')}</p>
        ) : (
          <SpeedTable rows={rows} />
        )}
        {data && data.refused.length > 0 && (
          <p className={`muted num ${classes.body}`}>
            {say('refused')}{' '}
            {data.refused
              .map(({ cause, calls: count }) => say(`refused_${cause}`, { count: formatInteger(count) }))
              .join(' · ')}
          </p>
        )}
      </Panel>
      {data && data.users.length > 0 && (
        <Panel title={say('users')} sub={say('usersSub')}>
          <table className={classes.table} aria-label={say('users')}>
            <thead>
              <tr>
                <th scope="col">{say('user')}</th>
                <th scope="col">{say('calls')}</th>
                <th scope="col">{say('spend')}</th>
              </tr>
            </thead>
            <FineRows amounts={data.users.map(({ quota }) => quota)}>
              <tbody>
                {data.users.map(({ user_id: id, username, calls: count, quota }) => (
                  <tr key={id}>
                    <th scope="row">
                      <UserLink id={id} name={username || `#${id}`} />
                    </th>
                    <td>{formatInteger(count)}</td>
                    <td>
                      <Quota value={quota} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </FineRows>
          </table>
        </Panel>
      )}
    </>
  )
}
