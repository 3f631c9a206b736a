import { Skeleton } from '@mantine/core'
import { TimeText } from '../../components/display/time/time-text.tsx'
import { ScreenParts } from '../../components/parts/screen-parts.tsx'
import { ErrorState } from '../../components/states.tsx'
import { calls, type SystemInfo } from '../../lib/api/contract.ts'
import { useEndpoint } from '../../lib/query.ts'
import { useSettingMessages } from './messages.ts'
import classes from './settings.module.css'

const engineNames = { sqlite: 'SQLite', postgres: 'PostgreSQL', mysql: 'MySQL / MariaDB' } as const

/** How the last backups of the server ended. */
const Backups = ({ backups }: Pick<SystemInfo, 'backups'>) => {
  const say = useSettingMessages()
  if (backups === null) return say('backupsOff')
  const { written, failed } = backups
  return (
    <>
      {written === 0 ? say('backupsNone') : <TimeText at={written} />}
      {failed > 0 && (
        <>
          {' · '}
          {say('backupsFailed')} <TimeText at={failed} />
        </>
      )}
    </>
  )
}

const Facts = ({ info }: { info: SystemInfo }) => {
  const say = useSettingMessages()
  const facts = [
    [
      say('version'),
      <span key="version" className="mono">
        {info.version}
      </span>,
    ],
    [say('started'), <TimeText key="started" at={info.start_time} />],
    [say('node'), say(info.node_type === 'slave' ? 'nodeSlave' : 'nodeMaster', { name: info.node_name })],
    [say('database'), engineNames[info.database]],
    [say('logDatabase'), info.log_database ? engineNames[info.log_database] : say('logDatabaseSame')],
    [say('redis'), say(info.redis ? 'redisYes' : 'redisNo')],
    [say('runtime'), info.runtime],
    [say('backups'), <Backups key="backups" backups={info.backups} />],
  ] as const
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** This node's version and system. */
export const SystemInfoCard = () => {
  const say = useSettingMessages()
  const info = useEndpoint(calls.getSystemInfo)
  return (
    <section className={`panel ${classes.card}`} aria-labelledby="settings-system">
      <h2 id="settings-system">{say('system')}</h2>
      {info.isPending && <Skeleton h={140} />}
      {info.error && !info.data && <ErrorState error={info.error} onRetry={() => void info.refetch()} />}
      {info.data && <Facts info={info.data} />}
      <ScreenParts place="system information" />
    </section>
  )
}
